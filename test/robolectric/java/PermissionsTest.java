package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.robolectric.Shadows.shadowOf;

import android.Manifest;
import org.json.JSONArray;
import org.junit.Test;

public class PermissionsTest extends PluginTest {
  private static final String SERVICE = "Permissions";
  private static final String YES = "{\"hasPermission\":true}";
  private static final String NO = "{\"hasPermission\":false}";
  private static final String[] BOTH = {Manifest.permission.RECORD_AUDIO, Manifest.permission.ACCESS_FINE_LOCATION};

  private String answerOf(String id) throws Exception {
    activity.onRequestPermissionsResult(2, BOTH, new int[2]);
    return answers(id).getJSONArray(0).get(2).toString();
  }

  @Test
  public void tellsThatTheUserRefused() throws Exception {
    assertEquals(NO, call(SERVICE, "checkPermission", BOTH[0]).toString());
    String id = send(SERVICE, "requestPermission", BOTH[0]);
    assertEquals(0, answers(id).length());
    assertEquals(NO, answerOf(id));
  }

  @Test
  public void asksForSeveral() throws Exception {
    String id = send(SERVICE, "requestPermissions", BOTH[0], BOTH[1]);
    assertEquals(0, answers(id).length());
    shadowOf(activity.getApplication()).grantPermissions(BOTH[0]);
    assertEquals(NO, answerOf(id));
    assertEquals(YES, call(SERVICE, "checkPermission", BOTH[0]).toString());
    assertEquals(NO, call(SERVICE, "checkPermission", new JSONArray(BOTH)).toString());
    shadowOf(activity.getApplication()).grantPermissions(BOTH);
    assertEquals(YES, call(SERVICE, "checkPermission", new JSONArray(BOTH)).toString());
    assertEquals(YES, call(SERVICE, "requestPermissions", BOTH[0], BOTH[1]).toString());
  }

  @Test
  public void needsAName() throws Exception {
    assertEquals(
        "{\"error\":\"requestPermissions\",\"message\":\"At least one permission.\"}", fail(SERVICE, "requestPermissions").toString());
    assertEquals("Permissions doesn't have the action nothing.", fail(SERVICE, "nothing"));
  }
}
