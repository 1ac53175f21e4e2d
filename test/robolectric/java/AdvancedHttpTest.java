package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.webkit.CookieManager;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowLog;

public class AdvancedHttpTest extends RequestsTest {
  private static final String HTTP = "CordovaHttpPlugin";

  private String http(String action, String path, Object... more) {
    return send(HTTP, action, path.startsWith("/") ? url(path) : path, NONE, more.length < 2 ? 5 : more[1], 5, true, more.length == 0 ? "text" : more[0], 1);
  }

  private String post(Object data, String serializer, JSONObject headers) {
    return send(HTTP, "post", url("/echo"), data, serializer, headers, 5, 5, true, "text", 1);
  }

  private JSONObject heard(String id) throws Exception {
    return new JSONObject(good(id).getString("data"));
  }

  @Test
  public void requests() throws Exception {
    ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    new Thread(
            () -> {
              try (Socket socket = plain.accept()) {
                socket.getOutputStream().write("No TLS in here\r\n".getBytes());
                socket.getInputStream().read();
              } catch (IOException ended) {
                // The test has ended.
              }
            })
        .start();
    CookieManager.getInstance().setCookie(url("/"), "session=1");
    for (String action : new String[] {"get", "delete", "options"}) {
      JSONObject answer = good(http(action, "/echo?a=1"));
      assertEquals(200, answer.getInt("status"));
      assertEquals(url("/echo?a=1"), answer.getString("url"));
      assertEquals("heard=1", answer.getJSONObject("headers").getString("set-cookie"));
      JSONObject heard = new JSONObject(answer.getString("data"));
      assertEquals(action.toUpperCase(), heard.getString(":method"));
      assertFalse("The plugin's page keeps cookies itself", heard.has("cookie"));
    }
    assertEquals("", good(http("head", "/echo")).getString("data"));
    assertEquals("grün", good(http("get", "/text")).getString("data"));
    assertEquals("Z3L8bg==", good(http("get", "/text", "arraybuffer")).getString("data"));
    assertEquals("text", good(http("get", "/unknown-charset")).getString("data"));
    JSONObject failure = (JSONObject) bad(http("get", "/status/403"));
    assertEquals(403, failure.getInt("status"));
    assertEquals("refused", failure.getString("error"));
    assertTrue(failure.has("headers"));
    assertEquals(-5, ((JSONObject) bad(http("get", "ftp://x"))).getInt("status"));
    assertEquals(-3, ((JSONObject) bad(http("get", "http://nowhere.invalid/"))).getInt("status"));
    assertEquals(-2, ((JSONObject) bad(http("get", "https://127.0.0.1:" + plain.getLocalPort() + "/"))).getInt("status"));
    assertTrue(((JSONObject) bad(http("get", "/big"))).getString("error").contains("download it to a file"));

    JSONObject heard = heard(post(new JSONObject().put("a b", "ü").put("l", new JSONArray().put(1)), "urlencoded", NONE));
    assertEquals("a%20b=%C3%BC&l%5B%5D=1", heard.getString(":body"));
    assertTrue(heard.getString("content-type").startsWith("application/x-www-form-urlencoded"));
    heard = heard(post(new JSONArray().put(1), "json", new JSONObject().put("content-type", "application/x")));
    assertEquals("[1]", heard.getString(":body"));
    assertEquals("application/x", heard.getString("content-type"));
    assertEquals("hi", heard(post(new JSONObject().put("text", "hi"), "utf8", NONE)).getString(":body"));
    assertEquals("hi", heard(post("aGk=", "raw", NONE)).getString(":body"));
    JSONObject form = new JSONObject().put("buffers", new JSONArray().put("aGk=").put("eQ==")).put("names", new JSONArray().put("n").put("m"))
        .put("fileNames", new JSONArray().put(JSONObject.NULL).put("f.txt")).put("types", new JSONArray().put("text/plain").put("text/x"));
    String body = heard(post(form, "multipart", NONE)).getString(":body");
    assertTrue(body,
            body.contains("name=\"n\"\r\n\r\nhi\r\n") && body.contains("name=\"m\"; filename=\"f.txt\"\r\nContent-Type: text/x\r\n\r\ny\r\n"));
    assertEquals("PUT", heard(send(HTTP, "put", url("/echo"), new JSONObject(), "json", NONE, 5, 5, true, "json", 2)).getString(":method"));

    write(new File(activity.getFilesDir(), "u.txt"), "content");
    JSONArray files = new JSONArray().put(HOME + "__cdvfile_files__/u.txt");
    body = heard(send(HTTP, "uploadFiles", url("/echo"), NONE, files, new JSONArray().put("f"), 5, 5, true, "text", 3)).getString(":body");
    assertTrue(body, body.contains("name=\"f\"; filename=\"u.txt\"\r\nContent-Type: text/plain\r\n\r\ncontent"));
    String target = "file://" + activity.getFilesDir() + "/x/d.txt";
    JSONObject answer = good(send(HTTP, "downloadFile", url("/text"), NONE, target, 5, 5, true, 4));
    assertEquals("/x/d.txt", answer.getJSONObject("file").getString("fullPath"));
    assertEquals(404, ((JSONObject) bad(send(HTTP, "downloadFile", url("/status/404"), NONE, target, 5, 5, true, 5))).getInt("status"));
    assertEquals(-1, ((JSONObject) bad(send(HTTP, "downloadFile", url("/text"), NONE, "file:///sdcard/x", 5, 5, true, 6))).getInt("status"));
    assertEquals(-5, ((JSONObject) bad(http("get", "ftp://x/?token=secret"))).getInt("status"));
    assertEquals(-5, ((JSONObject) bad(http("get", "secret"))).getInt("status"));
    JSONObject broken = new JSONObject().put("Authorization", "secret\nX: 1");
    assertEquals(-1, ((JSONObject) bad(send(HTTP, "get", url("/echo"), broken, 5, 5, true, "text", 1))).getInt("status"));
    assertFalse(ShadowLog.getLogs().stream().anyMatch(item -> (item.msg + item.throwable).contains("secret")));
    assertTrue(bad(send(HTTP, "trace", url("/echo"))).toString().contains("doesn't have the action trace"));
  }

  @Test
  public void redirectsWithoutCredentials() throws Exception {
    CookieManager.getInstance().setCookie(url("/"), "session=1");
    JSONObject headers = new JSONObject().put("Authorization", "Basic x").put("Cookie", "a=1").put("X-Own", "1");
    JSONObject answer = good(send(HTTP, "get", url("/redirect?302,other"), headers, 5, 5, true, "text", 1));
    assertEquals(url(other, "/echo"), answer.getString("url"));
    JSONObject heard = new JSONObject(answer.getString("data"));
    assertFalse(heard.has("authorization") || heard.has("cookie"));
    assertEquals("1", heard.getString("x-own"));
    heard = new JSONObject(good(send(HTTP, "get", url("/redirect?302,/echo"), headers, 5, 5, true, "text", 1)).getString("data"));
    assertEquals("Basic x", heard.getString("authorization"));
    heard = new JSONObject(good(send(HTTP, "post", url("/redirect?302,/echo"), new JSONObject(), "json", headers, 5, 5, true, "text", 1))
            .getString("data"));
    assertEquals("GET", heard.getString(":method"));
    heard = new JSONObject(good(send(HTTP, "post", url("/redirect?307,/echo"), new JSONObject(), "json", headers, 5, 5, true, "text", 1))
            .getString("data"));
    assertEquals("POST", heard.getString(":method"));
    assertEquals("{}", heard.getString(":body"));
    assertEquals(302, ((JSONObject) bad(send(HTTP, "get", url("/redirect?302,/echo"), headers, 5, 5, false, "text", 1))).getInt("status"));
    assertEquals(-5, ((JSONObject) bad(http("get", "/redirect?302,file:///etc/passwd"))).getInt("status"));
    assertTrue(((JSONObject) bad(http("get", "/redirect?302,/redirect?302,/redirect"))).has("error"));
    // WebView uses the host before the backslash, and Java uses the host after it.
    String trick = "http://127.0.0.1:" + server.getAddress().getPort() + "\\@127.0.0.1:" + other.getAddress().getPort() + "/echo";
    JSONArray tricked = end(send("Capacitor.CapacitorHttp", "get", new JSONObject().put("url", trick)));
    assertFalse(tricked.toString(), tricked.toString().contains("session=1"));
  }

  @Test
  public void abortsRequests() throws Exception {
    String id = send(HTTP, "get", url("/slow"), NONE, 60, 60, true, "text", 7);
    finishWork();
    arrived.await();
    assertTrue(callForObject(HTTP, "abort", 7).getBoolean("aborted"));
    assertEquals(-8, ((JSONObject) bad(id)).getInt("status"));
    assertFalse(callForObject(HTTP, "abort", 7).getBoolean("aborted"));
    assertEquals(-4, ((JSONObject) bad(send(HTTP, "get", url("/slow"), NONE, 5, 0.05, true, "text", 8))).getInt("status"));
  }

  @Test
  public void abortsWhatDoesntConnect() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (boolean isFull = false; !isFull; ) {
        Socket socket = new Socket();
        waiting.add(socket);
        try {
          socket.connect(full.getLocalSocketAddress(), 200);
        } catch (SocketTimeoutException timeout) {
          isFull = true;
        }
      }
      String id = http("get", "http://127.0.0.1:" + full.getLocalPort() + "/", "text", 60);
      for (int number = 2; number < 40; number++) {
        send(HTTP, "get", "http://127.0.0.1:" + full.getLocalPort() + "/", NONE, 60, 60, true, "text", number);
      }
      assertTrue(callForObject(HTTP, "abort", 1).getBoolean("aborted"));
      assertEquals(-8, ((JSONObject) bad(id)).getInt("status"));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
    assertEquals(1, answers("CordovaHttpPlugin0").length());
  }

  @Test
  public void trustsWhatAndroidTrusts() throws Exception {
    call(HTTP, "setServerTrustMode", "default");
    call(HTTP, "setServerTrustMode", "legacy");
    assertTrue(fail(HTTP, "setServerTrustMode", "nocheck").toString().contains("can't check"));
    assertTrue(fail(HTTP, "setServerTrustMode", "pinned").toString().contains("www/certificates"));
    call(HTTP, "setClientAuthMode", "none", JSONObject.NULL, JSONObject.NULL, "");
    assertTrue(fail(HTTP, "setClientAuthMode", "systemstore", JSONObject.NULL, JSONObject.NULL, "").toString().contains("none alone"));
  }
}
