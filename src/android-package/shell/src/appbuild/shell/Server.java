package appbuild.shell;

import android.content.res.AssetManager;
import android.net.Uri;
import android.util.Log;
import android.webkit.MimeTypeMap;
import android.webkit.ServiceWorkerClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers every request for the app's own origin with a file of the package or of the app's folders, so that none reaches the network.
 * This object is immutable, because WebView calls it on its own threads. It doesn't refer to the activity, because service workers outlive
 * the activity.
 */
final class Server extends ServiceWorkerClient {
  private final AssetManager assets;
  private final String origin;
  private final String fallback;
  private final OwnFiles files;

  /** @param fallback page under www that answers a navigation to a route of the app, or an empty string */
  Server(AssetManager assets, String origin, String fallback, OwnFiles files) {
    this.assets = assets;
    this.origin = origin;
    this.fallback = fallback;
    this.files = files;
  }

  /** Answers a request. @return null for a request that goes to the network */
  @Override
  public WebResourceResponse shouldInterceptRequest(WebResourceRequest request) {
    Uri url = request.getUrl();
    if (!origin.equals(Urls.originOf(url.toString()))) {
      return null;
    }
    boolean isGet = request.getMethod().equals("GET");
    if (!isGet && !request.getMethod().equals("HEAD")) {
      return failure(405, "Method Not Allowed");
    }
    Map<String, String> headers = request.getRequestHeaders();
    String range = isGet ? valueOf(headers, "Range") : null;
    try {
      // Files outside the package may be untrusted. The sandbox gives a page a separate origin, so it can't use the app's plugins.
      OwnFiles.Content own = files.open(url.toString());
      if (own != null) {
        WebResourceResponse response = file(own.type, own.stream, own.size, range);
        response.getResponseHeaders().put("Content-Security-Policy", "sandbox allow-scripts allow-forms allow-popups");
        return response;
      }
    } catch (IOException | SecurityException refused) {
      Log.w(MainActivity.TAG, "Nothing answers " + url, refused);
      return failure(404, "Not Found");
    }
    String accepted = valueOf(headers, "Accept");
    boolean isPage = request.isForMainFrame() || accepted != null && accepted.startsWith("text/html");
    for (String path : Files.assetsOf(files.assetPath(url.getPath()), isPage, fallback)) {
      try {
        InputStream content = assets.open(path);
        return file(typeFor(path), content, content.available(), range);
      } catch (IOException absent) {
        continue;
      }
    }
    Log.w(MainActivity.TAG, "Nothing answers " + url.getPath());
    return failure(404, "Not Found");
  }

  /**
   * Opens a file of the package or of the app's folders.
   *
   * @param path decoded path of a URL
   * @throws IOException if it names a folder or doesn't exist
   */
  InputStream open(String path) throws IOException {
    OwnFiles.Content own = files.open(origin + Uri.encode(path, "/"));
    if (own != null) {
      return own.stream;
    }
    List<String> names = Files.assetsOf(path, false, "");
    return assets.open(names.isEmpty() ? "" : names.get(0));
  }

  /** Returns the MIME type for a file name. A file without an extension, such as LICENSE, is text. */
  static String typeFor(String name) {
    String extension = Files.extensionOf(name);
    String type = extension.isEmpty() ? "text/plain" : Files.typeOf(name);
    if (type == null) {
      type = MimeTypeMap.getSingleton().getMimeTypeFromExtension(extension);
    }
    return type == null ? "application/octet-stream" : type;
  }

  /** Returns the value of a request's header, or null. Ignores case, because pages can use any. */
  private static String valueOf(Map<String, String> headers, String name) {
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (header.getKey().equalsIgnoreCase(name)) {
        return header.getValue();
      }
    }
    return null;
  }

  /** Returns a file, or the range that the request asks for. @param size size in bytes; a negative number disables ranges */
  private static WebResourceResponse file(String type, InputStream content, long size, String asked) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Cache-Control", "no-cache");
    headers.put("Accept-Ranges", size < 0 ? "none" : "bytes");
    String range = Files.contentRange(asked, size);
    // No encoding, because it would override a declaration in the file, such as `<meta charset>`. Without one, WebView assumes UTF-8.
    if (range == null) {
      return new WebResourceResponse(type, null, 200, "OK", headers, content);
    }
    headers.put("Content-Range", range);
    // WebView skips to the start of the range, but reads to the end of the stream.
    InputStream part = new Part(content, Files.endOfRange(range));
    return new WebResourceResponse(type, null, 206, "Partial Content", headers, part);
  }

  /** Returns an error response. The user sees the reason in place of a page. */
  private static WebResourceResponse failure(int status, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
    InputStream content = new ByteArrayInputStream(text);
    return new WebResourceResponse("text/plain", "utf-8", status, reason, new HashMap<String, String>(), content);
  }
}
