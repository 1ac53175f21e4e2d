package appbuild.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The file rules of a web server. Uses no Android APIs, so that it can be tested on any Java. */
final class Files {
  /** The length of a file's name, in characters: file systems take 255 bytes. */
  private static final int MAX_NAME_LENGTH = 80;

  /** Types that Android does not know in all of its versions, or for which a browser insists on one. */
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
   * The assets that may answer a URL's path, best first; a folder's is its index.html. A page may be asked for without its ending,
   * as web servers allow.
   *
   * @param path decoded; null is that of a URL without one
   * @param fallback the page, below www, of an app that routes by itself; or an empty text
   * @return none for a path that leaves its folder, or that no file can have
   */
  static List<String> assetsOf(String path, boolean isPage, String fallback) {
    // Web servers treat several slashes as one.
    String relative = path == null || path.isEmpty() ? "/" : path.replaceAll("/{2,}", "/");
    List<String> assets = new ArrayList<>();
    // An encoded "../" is decoded by now. Android would find nothing there; this does not depend on it.
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
    // A request for a missing script or picture isn't answered with a page.
    String type = typeOf(relative);
    if (isPage && !fallback.isEmpty() && (type == null || type.equals("text/html"))) {
      assets.add("www/" + fallback);
    }
    return assets;
  }

  /** The text after the last dot of a file's name, in lower case; an empty text for none. */
  static String extensionOf(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.indexOf('.') < 0 ? "" : name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  /** @return null for a type that is not in the table */
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
   * A name for a file on the phone: the last part of what a page suggests, without characters that file systems reject.
   *
   * @param name may be null or empty: the file gets the extension of its type
   */
  static String fileName(String name, String type) {
    String last = name == null ? "" : name.substring(name.lastIndexOf('/') + 1);
    String end = last.substring(Math.max(0, last.length() - MAX_NAME_LENGTH));
    // A name that begins with dots would be hidden, or be a folder. Half a surrogate pair isn't a character.
    String clean = end.replaceAll("[\\x00-\\x1f\\x7f\\\\:*?\"<>|\\ud800-\\udfff]", "_").replaceAll("^[. ]+|[. ]+$", "");
    String extension = extensionFor(type);
    if (clean.isEmpty()) {
      return "download" + extension;
    }
    return clean.indexOf('.') < 0 ? clean + extension : clean;
  }

  /** With its dot; an empty text for a type that isn't in the table. */
  static String extensionFor(String type) {
    for (int index = 1; index < TYPES.length; index += 2) {
      if (TYPES[index].equals(type)) {
        return "." + TYPES[index - 1];
      }
    }
    return "";
  }

  /** Copies the rest of a stream; closes none. */
  static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[65536];
    for (int count = from.read(buffer); count > 0; count = from.read(buffer)) {
      to.write(buffer, 0, count);
    }
  }

  /**
   * The value of Content-Range for one range of bytes (RFC 9110, section 14). WebView reads the header with spaces too, and in any case.
   *
   * @param header of the request, or null
   * @return null where the whole file is the answer: for no range, several, and one outside of the file
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

  /** The position after the last byte of a range. @param range from {@link #contentRange} */
  static long endOfRange(String range) {
    return Long.parseLong(range.substring(range.indexOf('-') + 1, range.indexOf('/'))) + 1;
  }
}
