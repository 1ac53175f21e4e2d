package appbuild.shell;

import static org.junit.Assert.assertEquals;

import android.content.pm.ActivityInfo;
import android.view.Display;
import android.view.WindowManager;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowDisplayManager;

public class ScreenTest extends PluginTest {
  private static final Object[][] ORIENTATIONS = {
    {"portrait", ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT},
    {"portrait-primary", ActivityInfo.SCREEN_ORIENTATION_PORTRAIT},
    {"portrait-secondary", ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT},
    {"landscape", ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE},
    {"landscape-primary", ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE},
    {"landscape-secondary", ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE},
    {"any", ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED},
  };

  @Test
  public void locksTheOrientation() throws Exception {
    for (Object[] each : ORIENTATIONS) {
      call("CDVOrientation", "screenOrientation", 1, each[0]);
      assertEquals(each[1], activity.getRequestedOrientation());
      activity.setRequestedOrientation(ActivityInfo.SCREEN_ORIENTATION_BEHIND);
      call("Capacitor.ScreenOrientation", "lock", new JSONObject().put("orientation", each[0]));
      assertEquals(each[1], activity.getRequestedOrientation());
    }
    call("YoikScreenOrientation", "screenOrientation", "set", "landscape-primary");
    assertEquals(ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE, activity.getRequestedOrientation());
    call("YoikScreenOrientation", "screenOrientation", "set", "unlocked");
    assertEquals(ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED, activity.getRequestedOrientation());
    call("Capacitor.ScreenOrientation", "lock", new JSONObject().put("orientation", "natural"));
    assertEquals(ActivityInfo.SCREEN_ORIENTATION_PORTRAIT, activity.getRequestedOrientation());
    call("Capacitor.ScreenOrientation", "unlock", new JSONObject());
    assertEquals(ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED, activity.getRequestedOrientation());
    assertEquals(
        "Screens don't have the orientation up.", fail("Capacitor.ScreenOrientation", "lock", new JSONObject().put("orientation", "up")));
    assertEquals("CDVOrientation doesn't have the action turn.", fail("CDVOrientation", "turn"));
  }

  @Test
  public void tellsOfTurns() throws Exception {
    String listener = send("Capacitor.ScreenOrientation", "addListener", new JSONObject().put("eventName", "screenOrientationChange"));
    assertEquals("portrait-primary", callForObject("Capacitor.ScreenOrientation", "orientation").getString("type"));
    ShadowDisplayManager.changeDisplay(Display.DEFAULT_DISPLAY, "+land");
    assertEquals("landscape-primary", callForObject("Capacitor.ScreenOrientation", "orientation").getString("type"));
    // A change that isn't a rotation.
    ShadowDisplayManager.changeDisplay(Display.DEFAULT_DISPLAY, "+night");
    ShadowDisplayManager.changeDisplay(Display.DEFAULT_DISPLAY, "+port");
    JSONArray events = answers(listener);
    assertEquals(2, events.length());
    assertEquals("{\"type\":\"landscape-primary\"}", events.getJSONArray(0).getJSONObject(2).toString());
    assertEquals("{\"type\":\"portrait-primary\"}", events.getJSONArray(1).getJSONObject(2).toString());
  }

  private boolean isKeptOn() {
    return (activity.getWindow().getAttributes().flags & WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON) != 0;
  }

  @Test
  public void keepsTheScreenOn() throws Exception {
    for (String service : new String[] {"Insomnia", "Capacitor.KeepAwake"}) {
      call(service, "keepAwake");
      assertEquals(true, isKeptOn());
      assertEquals("{\"isKeptAwake\":true}", call("Capacitor.KeepAwake", "isKeptAwake").toString());
      call(service, service.equals("Insomnia") ? "allowSleepAgain" : "allowSleep");
      assertEquals(false, isKeptOn());
      assertEquals("{\"isKeptAwake\":false}", call("Capacitor.KeepAwake", "isKeptAwake").toString());
    }
    assertEquals("{\"isSupported\":true}", call("Capacitor.KeepAwake", "isSupported").toString());
  }
}
