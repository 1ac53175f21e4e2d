package appbuild.shell;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.util.Base64;
import java.io.ByteArrayInputStream;
import java.io.File;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowActivity;

public class ChooserTest extends PluginTest {
  private static final Uri FILE = Uri.parse("content://gallery/file");
  private static final long PATIENCE_MS = 10000;

  @Before
  public void fillGallery() {
    Robolectric.setupContentProvider(CameraTest.Gallery.class, "gallery");
  }

  private static void offer(byte[] content) {
    shadowOf(RuntimeEnvironment.getApplication().getContentResolver()).registerInputStream(FILE, new ByteArrayInputStream(content));
  }

  /** Makes a call that lets the user choose a file. @return its answer */
  private JSONArray choose(String type, int result, Uri chosen, String service, String action, Object... args) throws Exception {
    String id = send(service, action, args);
    finishWork();
    ShadowActivity.IntentForResult started = shadowOf(activity).getNextStartedActivityForResult();
    assertEquals(Intent.ACTION_GET_CONTENT, started.intent.getAction());
    assertEquals(type, started.intent.getType());
    activity.onActivityResult(started.requestCode, result, chosen == null ? null : new Intent().setData(chosen));
    long end = System.nanoTime() + PATIENCE_MS * 1000000;
    while (answers(id).length() == 0) {
      assertTrue(id + " isn't answered", System.nanoTime() < end);
      Thread.yield();
    }
    return answers(id).getJSONArray(0);
  }

  @Test
  public void choosesFiles() throws Exception {
    byte[] content = "text".getBytes("UTF-8");
    offer(content);
    JSONArray answer = choose("application/pdf", Activity.RESULT_OK, FILE, "Chooser", "getFile", "application/pdf", true);
    assertEquals(0, answer.getInt(1));
    JSONObject found = new JSONObject(answer.getString(2));
    assertEquals("my picture.jpg", found.getString("name"));
    assertEquals("image/jpeg", found.getString("mediaType"));
    assertArrayEquals(content, Base64.decode(found.getString("data"), 0));
    String url = found.getString("uri");
    assertTrue(url, url.startsWith("https://localhost/_app_file_/"));
    assertArrayEquals(content, java.nio.file.Files.readAllBytes(folders().file(url).toPath()));

    offer(new byte[17 << 20]);
    answer = choose("*/*", Activity.RESULT_OK, FILE, "Chooser", "getFile", "image/gif,video/*", false);
    assertFalse(new JSONObject(answer.getString(2)).has("data"));
    offer(new byte[17 << 20]);
    answer = choose("*/*", Activity.RESULT_OK, FILE, "Chooser", "getFile", "*/*", true);
    assertEquals(1, answer.getInt(1));
    assertTrue(answer.getString(2), answer.getString(2).contains("too many for data"));

    offer(content);
    answer = choose("text/plain", Activity.RESULT_OK, FILE, "FileChooser", "open", new JSONObject().put("mime", "text/plain"));
    String path = (String) call("FilePath", "resolveNativePath", answer.getString(2));
    assertTrue(path, path.startsWith("file:///") && path.endsWith("/my%20picture.jpg"));
    assertArrayEquals(content, java.nio.file.Files.readAllBytes(new File(Uri.parse(path).getPath()).toPath()));
  }

  @Test
  public void resolvesWhatTheUserGave() throws Exception {
    activity.grantUriPermission(activity.getPackageName(), FILE, Intent.FLAG_GRANT_READ_URI_PERMISSION);
    offer(new byte[3]);
    String path = (String) call("FilePath", "resolveNativePath", FILE.toString());
    assertEquals(3, folders().file(path).length());
  }

  @Test
  public void tellsWhyThereIsNoFile() throws Exception {
    assertEquals("RESULT_CANCELED", choose("*/*", Activity.RESULT_CANCELED, null, "Chooser", "getFile", "*/*", false).getString(2));
    assertEquals("User canceled.", choose("*/*", Activity.RESULT_CANCELED, null, "FileChooser", "open").getString(2));
    Uri own = Uri.fromFile(new File(activity.getFilesDir(), "secret"));
    assertEquals("File URI was null.", choose("*/*", Activity.RESULT_OK, own, "FileChooser", "open").getString(2));
    for (String path : new String[] {"file:///etc/hosts", "https://localhost/_app_file_/etc/hosts", "x"}) {
      assertEquals(0, ((JSONObject) fail("FilePath", "resolveNativePath", path)).getInt("code"));
    }
    assertEquals("FileChooser doesn't have the action close.", fail("FileChooser", "close"));
    shadowOf(RuntimeEnvironment.getApplication()).checkActivities(true);
    assertEquals("No app on this phone can do that.", fail("FileChooser", "open"));
  }
}
