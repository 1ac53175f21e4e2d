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
import org.json.JSONObject;

/**
 * `PageServer APK` answers a browser's requests as the shell does and handles its responses like {@link Loader}. Requests are in JSON.
 * Prints its port.
 */
public final class PageServer implements HttpHandler {
  /** Status of requests that WebView answers with a network error. */
  private static final int NETWORK_ERROR = 599;

  private final Server shell;

  private PageServer(JSONObject settings) {
    String origin = settings.optString("scheme", "https") + "://" + settings.optString("hostname", "localhost");
    shell = new Server(new AssetManager(), origin, settings.optString("fallback", ""), new OwnFiles());
  }

  public static void main(String[] args) throws Exception {
    AssetManager.load(args[0]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", new PageServer(new JSONObject(textOf(new AssetManager().open("shell.json")))));
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private static String textOf(InputStream stream) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Files.copy(stream, bytes);
    return bytes.toString("UTF-8");
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
      answer(exchange, shell.shouldInterceptRequest(request(asked, headers)), headers);
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

  private static void answer(HttpExchange exchange, WebResourceResponse response, Map<String, String> headers) throws IOException {
    byte[] body = Loader.bodyOf(response, headers);
    String charset = response.encoding == null ? "" : "; charset=" + response.encoding;
    exchange.getResponseHeaders().set("Content-Type", response.type + charset);
    for (Map.Entry<String, String> header : response.headers.entrySet()) {
      exchange.getResponseHeaders().set(header.getKey(), header.getValue());
    }
    exchange.sendResponseHeaders(response.status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
