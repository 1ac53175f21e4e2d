package appbuild.shell;

import android.content.res.AssetManager;
import android.net.Uri;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.json.JSONObject;

/**
 * `PageServer APK` answers the requests of a browser as the shell does, and makes of its answers what WebView does (Chromium's
 * android_stream_reader_url_loader.cc, input_stream_reader.cc). Requests are in JSON. It prints its port.
 */
public final class PageServer implements HttpHandler {
  /** The status for what WebView answers with an error of the network. */
  private static final int NETWORK_ERROR = 599;
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

  private final Server shell;

  private PageServer(JSONObject settings) {
    String origin = settings.optString("scheme", "https") + "://" + settings.optString("hostname", "localhost");
    shell = new Server(new AssetManager(), origin, settings.optString("fallback", ""));
  }

  public static void main(String[] args) throws Exception {
    AssetManager.load(args[0]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", new PageServer(new JSONObject(textOf(new AssetManager().open("shell.json")))));
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private static String textOf(InputStream stream) throws IOException {
    return new String(bytesOf(stream), "UTF-8");
  }

  private static byte[] bytesOf(InputStream stream) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Files.copy(stream, bytes);
    return bytes.toByteArray();
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      JSONObject asked = new JSONObject(textOf(exchange.getRequestBody()));
      Map<String, String> headers = new HashMap<>();
      JSONObject given = asked.getJSONObject("headers");
      for (Iterator<?> names = given.keys(); names.hasNext(); ) {
        String name = (String) names.next();
        headers.put(name, given.getString(name));
      }
      answer(exchange, shell.shouldInterceptRequest(request(asked, headers)), rangeIn(headers));
    } catch (Exception error) {
      error.printStackTrace();
      exchange.sendResponseHeaders(NETWORK_ERROR, -1);
    } finally {
      exchange.close();
    }
  }

  private static WebResourceRequest request(final JSONObject asked, final Map<String, String> headers) {
    return new WebResourceRequest() {
      @Override
      public Uri getUrl() {
        return Uri.parse(asked.optString("url"));
      }

      @Override
      public boolean isForMainFrame() {
        return asked.optBoolean("isForMainFrame");
      }

      @Override
      public String getMethod() {
        return asked.optString("method");
      }

      @Override
      public Map<String, String> getRequestHeaders() {
        return headers;
      }
    };
  }

  /** To Chromium, names of headers are the same in any case. */
  private static String rangeIn(Map<String, String> headers) {
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (header.getKey().equalsIgnoreCase("range")) {
        return header.getValue();
      }
    }
    return "bytes=0-";
  }

  /** WebView skips to the start of the range by itself, and reads to the end of the stream, whatever the range is. */
  private static void answer(HttpExchange exchange, WebResourceResponse response, String range) throws IOException {
    try (InputStream stream = response.data) {
      Matcher parts = RANGE.matcher(range);
      long size = stream.available();
      boolean isSuffix = parts.matches() && parts.group(1).isEmpty();
      long end = isSuffix || parts.group(2).isEmpty() ? size : Math.min(size, Long.parseLong(parts.group(2)) + 1);
      long start = Long.parseLong(parts.group(isSuffix ? 2 : 1));
      start = isSuffix ? Math.max(0, size - start) : start;
      for (long left = start; left > 0; ) {
        long skipped = stream.skip(left);
        if (skipped <= 0) {
          throw new IOException("The range is behind the end.");
        }
        left -= skipped;
      }
      byte[] body = bytesOf(stream);
      if (body.length != end - start) {
        throw new IOException(body.length + " bytes for the range " + range + " of " + size);
      }
      String charset = response.encoding == null ? "" : "; charset=" + response.encoding;
      exchange.getResponseHeaders().set("Content-Type", response.type + charset);
      for (Map.Entry<String, String> header : response.headers.entrySet()) {
        exchange.getResponseHeaders().set(header.getKey(), header.getValue());
      }
      exchange.sendResponseHeaders(response.status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
