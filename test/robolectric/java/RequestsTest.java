package appbuild.shell;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;

/** Tests plugins that send requests to web servers. */
public abstract class RequestsTest extends FilesTest {
  HttpServer server;
  /** Another origin on the same computer. */
  HttpServer other;
  final CountDownLatch released = new CountDownLatch(1);
  final CountDownLatch arrived = new CountDownLatch(1);

  @Before
  public void serve() throws IOException {
    server = startServer();
    other = startServer();
  }

  @After
  public void endServers() {
    released.countDown();
    server.stop(0);
    other.stop(0);
  }

  private HttpServer startServer() throws IOException {
    HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    started.setExecutor(Executors.newCachedThreadPool());
    started.createContext("/", this::answerRequest);
    started.start();
    return started;
  }

  static String url(HttpServer server, String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  String url(String path) {
    return url(server, path);
  }

  private void answerRequest(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    byte[] answer = body;
    int status = 200;
    if (path.equals("/echo")) {
      JSONObject heard = new JSONObject();
      exchange.getRequestHeaders().forEach((name, values) -> put(heard, name.toLowerCase(), String.join(",", values)));
      put(heard, ":method", exchange.getRequestMethod());
      put(heard, ":query", String.valueOf(exchange.getRequestURI().getRawQuery()));
      put(heard, ":body", new String(body, StandardCharsets.ISO_8859_1));
      answer = heard.toString().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.getResponseHeaders().add("Set-Cookie", "heard=1");
    } else if (path.equals("/text")) {
      answer = "grün".getBytes(StandardCharsets.ISO_8859_1);
      exchange.getResponseHeaders().add("Content-Type", "text/plain; charset=ISO-8859-1");
    } else if (path.equals("/unknown-charset")) {
      answer = "text".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "text/plain; charset=nothing");
    } else if (path.equals("/no-json") || path.equals("/deep")) {
      answer = (path.equals("/deep") ? "[".repeat(1 << 20) : "hello, world").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
    } else if (path.equals("/cut")) {
      exchange.sendResponseHeaders(200, 100000);
      exchange.getResponseBody().write(new byte[70000]);
      exchange.getResponseBody().flush();
      exchange.close();
      return;
    } else if (path.equals("/big")) {
      answer = new byte[17 << 20];
    } else if (path.startsWith("/status/")) {
      status = Integer.parseInt(path.substring(8));
      answer = status == 304 ? new byte[0] : "refused".getBytes(StandardCharsets.UTF_8);
    } else if (path.equals("/redirect")) {
      String[] wanted = exchange.getRequestURI().getQuery().split(",");
      status = Integer.parseInt(wanted[0]);
      exchange.getResponseHeaders().add("Location", wanted[1].equals("other") ? url(other, "/echo") : wanted[1]);
    } else if (path.equals("/slow")) {
      arrived.countDown();
      try {
        released.await();
      } catch (InterruptedException ended) {
        return;
      }
    }
    exchange.sendResponseHeaders(status, answer.length == 0 || exchange.getRequestMethod().equals("HEAD") ? -1 : answer.length);
    try (OutputStream stream = exchange.getResponseBody()) {
      if (!exchange.getRequestMethod().equals("HEAD")) {
        stream.write(answer);
      }
    }
    exchange.close();
  }

  private static void put(JSONObject object, String key, Object value) {
    try {
      object.put(key, value);
    } catch (org.json.JSONException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
