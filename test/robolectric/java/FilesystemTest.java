package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.os.Build;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowLog;

public class FilesystemTest extends RequestsTest {
  private static final String FILESYSTEM = "Capacitor.Filesystem";

  private static JSONObject at(String directory, String path) throws Exception {
    return new JSONObject().put("directory", directory).put("path", path);
  }

  private String code(String action, JSONObject options) throws Exception {
    return ((JSONObject) fail(FILESYSTEM, action, options)).getString("code").replace("OS-PLUG-FILE-", "");
  }

  @Test
  public void capacitorsFiles() throws Exception {
    assertEquals("granted", callForObject(FILESYSTEM, "checkPermissions").getString("publicStorage"));
    assertEquals("granted", callForObject(FILESYSTEM, "requestPermissions").getString("publicStorage"));
    for (String directory : new String[] {"DATA", "LIBRARY", "LIBRARY_NO_CLOUD", "CACHE", "TEMPORARY", "DOCUMENTS", "EXTERNAL",
            "EXTERNAL_STORAGE", "EXTERNAL_CACHE"}) {
      JSONObject written = callForObject(FILESYSTEM, "writeFile", at(directory, "d/e.txt").put("data", "aGk=").put("recursive", true));
      assertEquals(written.getString("uri"), callForObject(FILESYSTEM, "getUri", at(directory, "d/e.txt")).getString("uri"));
      assertEquals("aGk=", callForObject(FILESYSTEM, "readFile", new JSONObject().put("path", written.getString("uri"))).getString("data"));
      call(FILESYSTEM, "deleteFile", at(directory, "d/e.txt"));
      call(FILESYSTEM, "rmdir", at(directory, "d"));
    }
    call(FILESYSTEM, "writeFile", at("DATA", "a.txt").put("data", "gr\u00fc").put("encoding", "utf8"));
    call(FILESYSTEM, "appendFile", at("DATA", "a.txt").put("data", "n").put("encoding", "utf8"));
    assertEquals("grün", callForObject(FILESYSTEM, "readFile", at("DATA", "a.txt").put("encoding", "utf8")).getString("data"));
    assertEquals("rü", callForObject(FILESYSTEM, "readFile", at("DATA", "a.txt").put("encoding", "utf8").put("offset", 1).put("length", 3))
            .getString("data"));
    call(FILESYSTEM, "writeFile", at("DATA", "u.txt").put("data", "ü").put("encoding", "utf16"));
    assertEquals("ü", callForObject(FILESYSTEM, "readFile", at("DATA", "u.txt").put("encoding", "utf16")).getString("data"));
    JSONObject info = callForObject(FILESYSTEM, "stat", at("DATA", "a.txt"));
    assertEquals("file", info.getString("type"));
    assertEquals(5, info.getInt("size"));
    assertEquals("a.txt", info.getString("name"));
    assertEquals(Build.VERSION.SDK_INT >= 26, info.has("ctime"));
    call(FILESYSTEM, "mkdir", at("DATA", "x/y").put("recursive", true));
    assertEquals("x", new File(activity.getFilesDir(), "x").getName());
    JSONArray list = callForObject(FILESYSTEM, "readdir", at("DATA", "x")).getJSONArray("files");
    assertEquals("directory", list.getJSONObject(0).getString("type"));
    JSONObject copy = new JSONObject().put("from", "a.txt").put("to", "x/b.txt").put("directory", "DATA");
    assertTrue(callForObject(FILESYSTEM, "copy", copy).getString("uri").endsWith("/x/b.txt"));
    call(FILESYSTEM, "rename", new JSONObject().put("from", "x").put("to", "z").put("directory", "DATA").put("toDirectory", "CACHE"));
    assertEquals("grün", read(new File(activity.getCacheDir(), "z/b.txt")));

    assertEquals("0005", code("writeFile", at("DATA", "b").put("data", "no Base64")));
    assertEquals("0005", code("writeFile", at("DATA", "b")));
    assertEquals("0005", code("readFile", at("NOWHERE", "b")));
    assertEquals("0005", code("readFile", NONE));
    assertEquals("0006", code("readFile", new JSONObject().put("path", "b")));
    assertEquals("0006", code("readFile", at("DATA", "../databases/x")));
    assertEquals("0008", code("readFile", at("DATA", "absent")));
    assertEquals("0008", code("deleteFile", at("DATA", "absent")));
    assertEquals("0009", code("readdir", at("DATA", "a.txt")));
    assertEquals("0010", code("mkdir", at("CACHE", "z")));
    assertEquals("0011", code("mkdir", at("CACHE", "1/2")));
    assertEquals("0011", code("writeFile", at("CACHE", "1/2").put("data", "")));
    assertEquals("0012", code("rmdir", at("CACHE", "z")));
    assertEquals("0008", code("rename", copy.put("from", "absent")));
    assertTrue(fail(FILESYSTEM, "getStuff", NONE).toString().contains("doesn't have the action"));
  }

  @Test
  public void downloads() throws Exception {
    String path = activity.getFilesDir() + "/d.json";
    JSONObject wanted = new JSONObject().put("url", url("/echo")).put("path", "d.json").put("progress", true);
    String listener = send(FILESYSTEM, "addListener", new JSONObject().put("eventName", "progress"));
    assertEquals(path, good(send(FILESYSTEM, "downloadFile", wanted)).getString("path"));
    assertEquals("GET", new JSONObject(read(new File(path))).getString(":method"));
    assertEquals("download", answers(listener).getJSONArray(0).getJSONObject(2).getString("type"));
    wanted.put("url", "ftp://x/?token=secret");
    bad(send(FILESYSTEM, "downloadFile", wanted));
    assertFalse(ShadowLog.getLogs().stream().anyMatch(item -> (item.msg + item.throwable).contains("secret")));
    assertEquals("OS-PLUG-FILE-0009", ((JSONObject) bad(send(FILESYSTEM, "downloadFile", wanted.put("path", "")))).getString("code"));
  }

  @Test
  public void readsInChunks() throws Exception {
    write(new File(activity.getFilesDir(), "c.txt"), "grün und grün 😀");
    String text = send(FILESYSTEM, "readFileInChunks", at("DATA", "c.txt").put("encoding", "utf8").put("chunkSize", 3));
    assertEquals("grün und grün 😀", chunks(text));
    String bytes = send(FILESYSTEM, "readFileInChunks", at("DATA", "c.txt").put("chunkSize", 4));
    assertEquals("grün und grün 😀", new String(Base64.getDecoder().decode(chunks(bytes)), StandardCharsets.UTF_8));
    assertEquals("0008", code("readFileInChunks", at("DATA", "absent").put("chunkSize", 4)));
    assertEquals("0005", code("readFileInChunks", at("DATA", "c.txt")));
  }

  private String chunks(String id) throws Exception {
    long end = System.nanoTime() + PATIENCE_MS * 1000000;
    while (true) {
      assertTrue(System.nanoTime() < end);
      StringBuilder text = new StringBuilder();
      JSONArray all = answers(id);
      for (int index = 0; index < all.length(); index++) {
        String data = all.getJSONArray(index).getJSONObject(2).getString("data");
        text.append(data);
        if (data.isEmpty()) {
          return text.toString();
        }
      }
    }
  }
}
