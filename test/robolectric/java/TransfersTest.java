package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.webkit.CookieManager;
import java.io.File;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;

public class TransfersTest extends RequestsTest {
  private String download(String url, String target, int id, JSONObject headers) {
    return send("FileTransfer", "download", url, target, false, id, headers);
  }

  @Test
  public void cordovasTransfers() throws Exception {
    String target = "file://" + activity.getFilesDir() + "/new/x.json";
    CookieManager.getInstance().setCookie(url("/"), "session=1");
    String id = download(url("/echo"), target, 1, new JSONObject().put("X-Own", new JSONArray().put("1").put("2")));
    JSONObject entry = good(id);
    assertEquals("/new/x.json", entry.getString("fullPath"));
    JSONObject progress = answers(id).getJSONArray(0).getJSONObject(2);
    assertTrue(progress.getBoolean("lengthComputable") && progress.getLong("total") > 0);
    JSONObject heard = new JSONObject(read(new File(activity.getFilesDir(), "new/x.json")));
    assertEquals("session=1", heard.getString("cookie"));
    assertTrue(heard.getString("x-own").contains("1") && heard.getString("x-own").contains("2"));
    assertTrue(CookieManager.getInstance().getCookie(url("/")).contains("heard=1"));
    good(download("file:///android_asset/www/a.js", target, 2, NONE));
    assertTrue(read(new File(activity.getFilesDir(), "new/x.json")).startsWith("document"));

    JSONObject failure = (JSONObject) bad(download(url("/status/500"), target, 3, NONE));
    assertEquals(3, failure.getInt("code"));
    assertEquals(500, failure.getInt("http_status"));
    assertEquals("refused", failure.getString("body"));
    assertEquals(url("/status/500"), failure.getString("source"));
    assertEquals(1, ((JSONObject) bad(download(url("/status/404"), target, 4, NONE))).getInt("code"));
    assertEquals(5, ((JSONObject) bad(download(url("/status/304"), target, 5, NONE))).getInt("code"));
    assertEquals(2, ((JSONObject) bad(download("http://", target, 6, NONE))).getInt("code"));
    assertEquals(1, ((JSONObject) bad(download(url("/echo"), "file:///sdcard/x", 7, NONE))).getInt("code"));
    assertEquals(3, ((JSONObject) bad(download("http://127.0.0.1:1/", target, 8, NONE))).getInt("code"));
    assertEquals(3, ((JSONObject) bad(download(url("/cut"), target, 8, NONE))).getInt("code"));
    // A file can't be its own source, and can't replace a folder.
    assertEquals(1, ((JSONObject) bad(download(target, target, 8, NONE))).getInt("code"));
    assertEquals(1, ((JSONObject) bad(download(url("/echo"), "file://" + activity.getFilesDir() + "/new", 8, NONE))).getInt("code"));
    // The older file stays.
    assertTrue(read(new File(activity.getFilesDir(), "new/x.json")).startsWith("document"));
    assertEquals(1, new File(activity.getFilesDir(), "new").list().length);

    id = download(url("/slow"), target, 9, NONE);
    finishWork();
    arrived.await();
    call("FileTransfer", "abort", 9);
    assertEquals(4, ((JSONObject) bad(id)).getInt("code"));
  }

  @Test
  public void cordovasUploads() throws Exception {
    write(new File(activity.getFilesDir(), "u.txt"), "content");
    String file = HOME + "__cdvfile_files__/u.txt";
    JSONObject fields = new JSONObject().put("a\"b", "1");
    String id = send("FileTransfer", "upload", file, url("/echo"), "key", "n.txt", "text/plain", fields, false, true, NONE, 1, "POST");
    JSONObject result = good(id);
    assertEquals(200, result.getInt("responseCode"));
    assertTrue(result.getInt("bytesSent") > 7);
    JSONObject heard = new JSONObject(result.getString("response"));
    assertTrue(heard.getString("content-type").startsWith("multipart/form-data; boundary="));
    String body = heard.getString(":body");
    assertTrue(body, body.contains("name=\"a%22b\"\r\n\r\n1\r\n"));
    assertTrue(body, body.contains("name=\"key\"; filename=\"n.txt\"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n--"));
    JSONObject progress = answers(id).getJSONArray(0).getJSONObject(2);
    assertTrue(progress.has("lengthComputable"));
    Object none = JSONObject.NULL;
    JSONObject typed = new JSONObject().put("Content-Type", "text/x");
    result = good(send("FileTransfer", "upload", file, url("/echo"), none, none, none, none, false, false, typed, 2, "PUT"));
    heard = new JSONObject(result.getString("response"));
    assertEquals("content", heard.getString(":body"));
    assertEquals("text/x", heard.getString("content-type"));
    assertEquals("PUT", heard.getString(":method"));
    assertEquals("7", heard.getString("content-length"));
    result = good(send("FileTransfer", "upload", "data:text/plain;base64,aGk=", url("/echo"), none, none, none, none, false, true, none, 3, none));
    assertTrue(result.getString("response"), result.getString("response").contains("image.jpg"));
    JSONObject failure = (JSONObject) bad(send("FileTransfer", "upload", file + "x", url("/echo"), none, none, none, none, false, true,
            none, 4, none));
    assertEquals(1, failure.getInt("code"));
    failure = (JSONObject) bad(send("FileTransfer", "upload", file, url("/status/403"), none, none, none, none, false, true, none, 5, none));
    assertEquals(403, failure.getInt("http_status"));
    assertTrue(bad(send("FileTransfer", "pause", 1)).toString().contains("doesn't have the action pause"));
  }

  @Test
  public void capacitorsTransfers() throws Exception {
    String service = "Capacitor.FileTransfer";
    String listener = send(service, "addListener", new JSONObject().put("eventName", "progress"));
    String path = activity.getFilesDir() + "/d.json";
    JSONObject wanted = new JSONObject().put("url", url("/echo?x=1")).put("path", path).put("progress", true)
        .put("params", new JSONObject().put("a b", new JSONArray().put("1").put("&"))).put("headers", new JSONObject().put("X-Own", "1"));
    assertEquals(path, good(send(service, "downloadFile", wanted)).getString("path"));
    JSONObject heard = new JSONObject(read(new File(path)));
    assertEquals("x=1&a%20b=1&a%20b=%26", heard.getString(":query"));
    assertEquals("1", heard.getString("x-own"));
    JSONObject event = answers(listener).getJSONArray(0).getJSONObject(2);
    assertEquals("download", event.getString("type"));
    assertEquals(url("/echo?x=1"), event.getString("url"));
    wanted = new JSONObject().put("url", url("/echo")).put("path", "file://" + path).put("fileKey", "k").put("progress", true);
    JSONObject result = good(send(service, "uploadFile", wanted));
    assertEquals("200", result.getString("responseCode"));
    assertTrue(result.getString("response").contains("name=\\\"k\\\"; filename=\\\"d.json\\\""));
    assertTrue(result.getJSONObject("headers").length() > 0);
    assertEquals("upload", answers(listener).getJSONArray(answers(listener).length() - 1).getJSONObject(2).getString("type"));
    String[][] failures = {{"ftp://x", "0005"}, {url("/status/404"), "0010"}, {url("/status/304"), "0009"}, {"http://127.0.0.1:1/", "0008"}};
    for (String[] each : failures) {
      JSONObject failure = (JSONObject) bad(send(service, "downloadFile", new JSONObject().put("url", each[0]).put("path", path)));
      assertEquals("OS-PLUG-FLTR-" + each[1], failure.getString("code"));
      assertEquals(each[0], failure.getJSONObject("data").getString("source"));
    }
    JSONObject failure = (JSONObject) bad(send(service, "uploadFile", wanted.put("path", path + "x")));
    assertEquals("OS-PLUG-FLTR-0007", failure.getString("code"));
  }
}
