package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.webkit.CookieManager;
import org.json.JSONObject;
import org.junit.Test;

public class CapacitorHttpTest extends RequestsTest {
  private JSONObject capacitor(String action, JSONObject options) throws Exception {
    return good(send("Capacitor.CapacitorHttp", action, options));
  }

  @Test
  public void capacitorsHttp() throws Exception {
    CookieManager.getInstance().setCookie(url("/"), "session=1");
    JSONObject answer = capacitor("get", new JSONObject().put("url", url("/echo")).put("params", new JSONObject().put("a", "ü")));
    assertEquals("a=%C3%BC", answer.getJSONObject("data").getString(":query"));
    assertEquals("session=1", answer.getJSONObject("data").getString("cookie"));
    assertEquals(200, answer.getInt("status"));
    answer = capacitor("request", new JSONObject().put("url", url("/echo")).put("method", "put").put("data", new JSONObject().put("a", 1)));
    assertEquals("PUT", answer.getJSONObject("data").getString(":method"));
    assertEquals("{\"a\":1}", answer.getJSONObject("data").getString(":body"));
    assertEquals("application/json", answer.getJSONObject("data").getString("content-type"));
    JSONObject typed = new JSONObject().put("content-type", "application/x-www-form-urlencoded");
    JSONObject data = new JSONObject().put("a b", "&");
    answer = capacitor("post", new JSONObject().put("url", url("/echo")).put("headers", typed).put("data", data));
    assertEquals("a%20b=%26", answer.getJSONObject("data").getString(":body"));
    typed = new JSONObject().put("Content-Type", "multipart/form-data");
    answer = capacitor("post", new JSONObject().put("url", url("/echo")).put("headers", typed).put("data", data));
    assertTrue(answer.getJSONObject("data").getString(":body").contains("name=\"a b\"\r\n\r\n&\r\n"));
    answer = capacitor("post", new JSONObject().put("url", url("/echo")).put("dataType", "file").put("data", "aGk="));
    assertEquals("hi", answer.getJSONObject("data").getString(":body"));
    assertEquals("DELETE", capacitor("delete", new JSONObject().put("url", url("/echo"))).getJSONObject("data").getString(":method"));
    assertEquals("grün", capacitor("get", new JSONObject().put("url", url("/text"))).getString("data"));
    assertEquals("Z3L8bg==", capacitor("get", new JSONObject().put("url", url("/text")).put("responseType", "blob")).getString("data"));
    assertEquals("hello, world", capacitor("get", new JSONObject().put("url", url("/no-json"))).getString("data"));
    // Android's reader recurses for each bracket.
    assertEquals(1 << 20, capacitor("get", new JSONObject().put("url", url("/deep"))).getString("data").length());
    answer = capacitor("get", new JSONObject().put("url", url("/status/404")));
    assertEquals(404, answer.getInt("status"));
    assertEquals("refused", answer.getString("data"));
    assertEquals(302, capacitor("get", new JSONObject().put("url", url("/redirect?302,/echo")).put("disableRedirects", true)).getInt("status"));
    JSONObject failure = (JSONObject) bad(send("Capacitor.CapacitorHttp", "get", new JSONObject().put("url", "file:///etc/passwd")));
    assertEquals("MalformedURLException", failure.getString("code"));
    assertTrue(bad(send("Capacitor.CapacitorHttp", "trace", NONE)).toString().contains("doesn't have the action trace"));
  }
}
