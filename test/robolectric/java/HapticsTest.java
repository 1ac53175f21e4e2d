package appbuild.shell;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.os.Vibrator;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowVibrator;

public class HapticsTest extends PluginTest {
  private ShadowVibrator vibrator() {
    return shadowOf((Vibrator) activity.getSystemService(Context.VIBRATOR_SERVICE));
  }

  private void vibrate(String action, String name, Object value) throws Exception {
    assertEquals(JSONObject.NULL, call("Capacitor.Haptics", action, new JSONObject().put(name, value)));
  }

  @Test
  public void capacitorHaptics() throws Exception {
    vibrate("impact", "style", "LIGHT");
    assertArrayEquals(new long[] {0, 20}, vibrator().getPattern());
    vibrate("impact", "style", "MEDIUM");
    assertArrayEquals(new long[] {0, 40}, vibrator().getPattern());
    call("Capacitor.Haptics", "impact");
    assertArrayEquals(new long[] {0, 60}, vibrator().getPattern());
    for (String type : new String[] {"SUCCESS", "WARNING", "ERROR"}) {
      vibrate("notification", "type", type);
      assertTrue(vibrator().getPattern().length > 2);
    }
    vibrate("vibrate", "duration", 120);
    assertArrayEquals(new long[] {0, 120}, vibrator().getPattern());
    vibrate("vibrate", "duration", 1000000);
    assertArrayEquals(new long[] {0, 10000}, vibrator().getPattern());
    call("Capacitor.Haptics", "vibrate");
    assertArrayEquals(new long[] {0, 300}, vibrator().getPattern());
    call("Capacitor.Haptics", "selectionChanged");
    assertArrayEquals(new long[] {0, 300}, vibrator().getPattern());
    call("Capacitor.Haptics", "selectionStart");
    call("Capacitor.Haptics", "selectionChanged");
    assertArrayEquals(new long[] {0, 10}, vibrator().getPattern());
    call("Capacitor.Haptics", "selectionEnd");
    assertEquals("Unknown style or type.", fail("Capacitor.Haptics", "impact", new JSONObject().put("style", "SOFT")));
    assertEquals("Capacitor.Haptics doesn't have the action other.", fail("Capacitor.Haptics", "other"));
  }

  @Test
  public void cordovaVibration() throws Exception {
    call("Vibration", "vibrate", 250);
    assertArrayEquals(new long[] {0, 250}, vibrator().getPattern());
    call("Vibration", "vibrateWithPattern", new JSONArray().put(100).put(50).put(200), -1);
    assertArrayEquals(new long[] {0, 100, 50, 200}, vibrator().getPattern());
    assertTrue(vibrator().isVibrating());
    call("Vibration", "cancelVibration");
    assertTrue(vibrator().isCancelled());
    assertFalse(vibrator().isVibrating());
  }

  @Test
  public void endsWithTheApp() throws Exception {
    ShadowVibrator vibrator = vibrator();
    call("Vibration", "vibrateWithPattern", new JSONArray().put(10000).put(10).put(10000), -1);
    assertTrue(vibrator.isVibrating());
    controller.pause().stop().destroy();
    assertFalse(vibrator.isVibrating());
    open();
  }
}
