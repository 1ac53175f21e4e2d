package appbuild.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A web server's rules for paths, types, and ranges. Doesn't use Android APIs, so any Java can run its tests. */
final class Files {
  /** Maximum length of a file name, in characters. File systems allow 255 bytes. */
  private static final int MAX_NAME_LENGTH = 80;

  /** Pairs of a file extension and its MIME type. Contains types that some versions of Android don't know or that browsers require. */
  private static final String[] TYPES = {
    "html", "text/html", "htm", "text/html", "xhtml", "application/xhtml+xml", "js", "text/javascript",
    "mjs", "text/javascript", "cjs", "text/javascript", "css", "text/css", "json", "application/json",
    "map", "application/json", "webmanifest", "application/manifest+json", "xml", "text/xml", "txt", "text/plain",
    "csv", "text/csv", "md", "text/markdown", "vtt", "text/vtt", "svg", "image/svg+xml", "png", "image/png",
    "jpg", "image/jpeg", "jpeg", "image/jpeg", "gif", "image/gif", "webp", "image/webp", "avif", "image/avif",
    "ico", "image/x-icon", "wasm", "application/wasm", "woff", "font/woff", "woff2", "font/woff2", "ttf", "font/ttf",
    "otf", "font/otf", "mp3", "audio/mpeg", "m4a", "audio/mp4", "ogg", "audio/ogg", "wav", "audio/wav",
    "mp4", "video/mp4", "webm", "video/webm", "pdf", "application/pdf",
  };

  private Files() {}

  /**
   * Returns the assets that can answer a URL's path, best first. A folder's asset is its index.html. As on web servers, a page's extension
   * is optional.
   *
   * @param path decoded path, or null for a URL without one
   * @param fallback start page of a single-page app, under www, or an empty string
   * @return an empty list for a path that leaves its folder, or that no file can have
   */
  static List<String> assetsOf(String path, boolean isPage, String fallback) {
    // Web servers treat several slashes as one.
    String relative = path == null || path.isEmpty() ? "/" : path.replaceAll("/{2,}", "/");
    List<String> assets = new ArrayList<>();
    // An encoded "../" is already decoded here. Android wouldn't find a file for it, but this check doesn't rely on that.
    if ((relative + "/").contains("/../") || relative.indexOf('\0') >= 0) {
      return assets;
    }
    if (relative.endsWith("/")) {
      assets.add("www" + relative + "index.html");
    } else {
      assets.add("www" + relative);
      if (isPage) {
        assets.add("www" + relative + "/index.html");
        assets.add("www" + relative + ".html");
      }
    }
    // Not for other types, because a page isn't a valid response for a missing script or picture.
    String type = typeOf(relative);
    if (isPage && !fallback.isEmpty() && (type == null || type.equals("text/html"))) {
      assets.add("www/" + fallback);
    }
    return assets;
  }

  /** Returns the text after the last dot of a file name in lower case, or an empty string. */
  static String extensionOf(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.indexOf('.') < 0 ? "" : name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  /** Returns the MIME type for a path's extension, or null if the extension isn't in the table. */
  static String typeOf(String path) {
    String extension = extensionOf(path);
    for (int index = 0; index < TYPES.length; index += 2) {
      if (TYPES[index].equals(extension)) {
        return TYPES[index + 1];
      }
    }
    return null;
  }

  /**
   * Returns a name for a file on the phone: the last part of a page's suggestion, without characters that file systems reject.
   *
   * @param name may be null or empty; the file gets the extension of its type
   */
  static String fileName(String name, String type) {
    String last = name == null ? "" : name.substring(name.lastIndexOf('/') + 1);
    String end = last.substring(Math.max(0, last.length() - MAX_NAME_LENGTH));
    // Removes leading dots, because such a name would be hidden or refer to a folder. Replaces surrogates, which the cut may have split.
    String clean = end.replaceAll("[\\x00-\\x1f\\x7f\\\\:*?\"<>|\\ud800-\\udfff]", "_").replaceAll("^[. ]+|[. ]+$", "");
    String extension = extensionFor(type);
    if (clean.isEmpty()) {
      return "download" + extension;
    }
    return clean.indexOf('.') < 0 ? clean + extension : clean;
  }

  /** Returns the extension for a MIME type, with its dot, or an empty string for a type that isn't in the table. */
  static String extensionFor(String type) {
    for (int index = 1; index < TYPES.length; index += 2) {
      if (TYPES[index].equals(type)) {
        return "." + TYPES[index - 1];
      }
    }
    return "";
  }

  /** Copies the rest of a stream to another stream. Doesn't close them. */
  static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[65536];
    for (int count = from.read(buffer); count > 0; count = from.read(buffer)) {
      to.write(buffer, 0, count);
    }
  }

  /**
   * Returns the Content-Range value for one range of bytes (RFC 9110, section 14). WebView also accepts spaces and any case in the header.
   *
   * @param header the request's Range header, or null
   * @return null if the response must be the whole file: for no range, several ranges, or a range outside the file
   */
  static String contentRange(String header, long size) {
    String range = header == null ? "" : header.replaceAll("\\s", "").toLowerCase(Locale.ROOT);
    if (!range.matches("bytes=\\d{0,18}-\\d{0,18}") || range.equals("bytes=-")) {
      return null;
    }
    int dash = range.indexOf('-');
    String first = range.substring("bytes=".length(), dash);
    String last = range.substring(dash + 1);
    long start = first.isEmpty() ? Math.max(0, size - Long.parseLong(last)) : Long.parseLong(first);
    long end = first.isEmpty() || last.isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(last));
    return start > end ? null : "bytes " + start + "-" + end + "/" + size;
  }

  /** Returns the position after the last byte of a range. @param range from {@link #contentRange} */
  static long endOfRange(String range) {
    return Long.parseLong(range.substring(range.indexOf('-') + 1, range.indexOf('/'))) + 1;
  }
}
