package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import android.content.Intent;
import android.os.BatteryManager;
import android.os.Build;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;

public class DeviceTest extends PluginTest {
  @Test
  public void tellsTheDevice() throws Exception {
    JSONObject cordova = callForObject("Device", "getDeviceInfo");
    assertEquals("Android", cordova.getString("platform"));
    assertEquals(Build.VERSION.RELEASE, cordova.getString("version"));
    assertEquals(Build.MODEL, cordova.getString("model"));
    JSONObject capacitor = callForObject("Capacitor.Device", "getInfo", new JSONObject());
    assertEquals("android", capacitor.getString("platform"));
    assertEquals(Build.VERSION.SDK_INT, capacitor.getInt("androidSDKVersion"));
    assertEquals("en-US", callForObject("Capacitor.Device", "getLanguageTag").getString("value"));
    assertEquals("en", callForObject("Capacitor.Device", "getLanguageCode").getString("value"));
    assertEquals(cordova.opt("uuid"), callForObject("Capacitor.Device", "getId").opt("identifier"));
    callForObject("Capacitor.Device", "getBatteryInfo");
    assertEquals("Device doesn't have the action serial.", fail("Device", "serial"));
  }

  private void setBattery(int level, int plugged) {
    activity.sendStickyBroadcast(
        new Intent(Intent.ACTION_BATTERY_CHANGED)
            .putExtra(BatteryManager.EXTRA_LEVEL, level)
            .putExtra(BatteryManager.EXTRA_SCALE, 200)
            .putExtra(BatteryManager.EXTRA_PLUGGED, plugged)
            .putExtra(BatteryManager.EXTRA_STATUS, plugged == 0 ? 0 : BatteryManager.BATTERY_STATUS_CHARGING));
  }

  @Test
  public void tellsOfTheBattery() throws Exception {
    setBattery(150, 0);
    assertEquals("{\"batteryLevel\":0.75,\"isCharging\":false}", call("Capacitor.Device", "getBatteryInfo").toString());
    String first = send("Battery", "start");
    assertEquals("75 false", battery(answers(first), 0));
    setBattery(151, BatteryManager.BATTERY_PLUGGED_USB);
    assertEquals("76 true", battery(answers(first), 1));
    String second = send("Battery", "start");
    assertEquals("76 true", battery(answers(second), 0));
    call("Battery", "stop");
    call("Battery", "stop");
    setBattery(20, 0);
    assertEquals(2, answers(first).length());
    assertEquals(1, answers(second).length());
  }

  private static String battery(JSONArray answers, int index) throws Exception {
    JSONObject status = answers.getJSONArray(index).getJSONObject(2);
    return status.getInt("level") + " " + status.getBoolean("isPlugged");
  }

  @Test
  public void onlyPagesOfTheAppGetThePort() throws Exception {
    assertFalse(prompt("https://example.com/"));
    assertFalse(prompt("about:blank"));
    assertEquals("This package doesn't have the plugin Nothing.", fail("Nothing", "do"));
  }
}
