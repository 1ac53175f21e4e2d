package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.content.pm.PackageManager;
import android.location.Location;
import android.location.LocationManager;
import android.os.Build;
import android.os.SystemClock;
import java.util.concurrent.TimeUnit;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowLocationManager;
import org.robolectric.shadows.ShadowLooper;

public class GeolocationTest extends PluginTest {
  private static final String CAPACITOR = "Capacitor.Geolocation";

  private ShadowLocationManager manager;

  @Before
  public void grant() {
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Questions.LOCATION);
    manager = shadowOf((LocationManager) activity.getSystemService(Context.LOCATION_SERVICE));
    manager.setProviderEnabled(LocationManager.NETWORK_PROVIDER, true);
    manager.setProviderEnabled(LocationManager.GPS_PROVIDER, true);
  }

  private static JSONObject json(String text) throws Exception {
    return new JSONObject(text.replace('\'', '"'));
  }

  private static Location at(String provider, double latitude) {
    Location location = new Location(provider);
    location.setLatitude(latitude);
    location.setLongitude(13.5);
    location.setAccuracy(20);
    location.setTime(1000);
    location.setElapsedRealtimeNanos(SystemClock.elapsedRealtimeNanos());
    return location;
  }

  private void move(Location location) {
    manager.simulateLocation(location);
    finishWork();
  }

  private static String codeOf(Object reason) throws Exception {
    return ((JSONObject) reason).getString("code").replace("OS-PLUG-GLOC-", "");
  }

  @Test
  public void tellsThePosition() throws Exception {
    String id = send(CAPACITOR, "getCurrentPosition", json("{'enableHighAccuracy':true}"));
    assertEquals(0, answers(id).length());
    Location here = at(LocationManager.GPS_PROVIDER, 52.5);
    here.setAltitude(30);
    here.setSpeed(2);
    move(here);
    JSONObject position = answers(id).getJSONArray(0).getJSONObject(2);
    assertEquals(52.5, position.getJSONObject("coords").getDouble("latitude"), 0.001);
    assertEquals(30, position.getJSONObject("coords").getDouble("altitude"), 0.001);
    assertTrue(position.getJSONObject("coords").isNull("heading"));
    assertEquals(1000, position.getLong("timestamp"));
    // A recent position is returned immediately.
    JSONObject known = callForObject(CAPACITOR, "getCurrentPosition", json("{'maximumAge':60000}"));
    assertEquals(52.5, known.getJSONObject("coords").getDouble("latitude"), 0.001);
    String late = send(CAPACITOR, "getCurrentPosition", json("{'timeout':500}"));
    assertEquals(0, answers(late).length());
    ShadowLooper.idleMainLooper(1, TimeUnit.SECONDS);
    assertEquals("0010", codeOf(answers(late).getJSONArray(0).get(2)));
  }

  @Test
  public void watches() throws Exception {
    String id = send(CAPACITOR, "watchPosition", json("{'interval':1,'minimumUpdateInterval':1}"));
    move(at(LocationManager.NETWORK_PROVIDER, 1));
    ShadowLooper.idleMainLooper(1, TimeUnit.SECONDS);
    move(at(LocationManager.NETWORK_PROVIDER, 2));
    assertEquals(2, answers(id).length());
    assertEquals(2, answers(id).getJSONArray(1).getInt(1));
    assertEquals("0012", codeOf(fail(CAPACITOR, "clearWatch", json("{'id':'other'}"))));
    assertEquals("0013", codeOf(fail(CAPACITOR, "clearWatch", new JSONObject())));
    call(CAPACITOR, "clearWatch", new JSONObject().put("id", id));
    ShadowLooper.idleMainLooper(1, TimeUnit.SECONDS);
    move(at(LocationManager.NETWORK_PROVIDER, 3));
    assertEquals(2, answers(id).length());
  }

  @Test
  public void tellsWhy() throws Exception {
    assertEquals("0011", codeOf(fail(CAPACITOR, "getCurrentPosition", json("{'timeout':-1}"))));
    manager.setProviderEnabled(LocationManager.NETWORK_PROVIDER, false);
    manager.setProviderEnabled(LocationManager.GPS_PROVIDER, false);
    assertEquals("0007", codeOf(fail(CAPACITOR, "getCurrentPosition", new JSONObject())));
    assertEquals("Capacitor.Geolocation doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
    assertEquals("granted", callForObject(CAPACITOR, "checkPermissions").getString("location"));
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(Questions.LOCATION);
    assertEquals("denied", callForObject(CAPACITOR, "checkPermissions").getString("coarseLocation"));
    String id = send(CAPACITOR, "getCurrentPosition", new JSONObject());
    assertEquals(0, answers(id).length());
    activity.onRequestPermissionsResult(2, Questions.LOCATION, new int[] {PackageManager.PERMISSION_DENIED, PackageManager.PERMISSION_DENIED});
    assertEquals("0003", codeOf(answers(id).getJSONArray(0).get(2)));
  }

  @Test
  public void cordovaAsksForThePermissionAlone() throws Exception {
    assertEquals(Build.VERSION.SDK_INT, call("Geolocation", "getPermission", true));
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(Questions.LOCATION);
    String id = send("Geolocation", "getPermission", false);
    activity.onRequestPermissionsResult(2, Questions.LOCATION, new int[] {PackageManager.PERMISSION_DENIED, PackageManager.PERMISSION_DENIED});
    assertEquals(1, answers(id).getJSONArray(0).getInt(1));
  }

  /** The page that could end the watch is gone. */
  @Test
  public void watchesForNoPageThatIsGone() throws Exception {
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(Questions.LOCATION);
    send(CAPACITOR, "watchPosition", new JSONObject());
    connect();
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Questions.LOCATION);
    activity.onRequestPermissionsResult(2, Questions.LOCATION, new int[] {PackageManager.PERMISSION_GRANTED, PackageManager.PERMISSION_GRANTED});
    finishWork();
    assertEquals(0, manager.getRequestLocationUpdateListeners().size());
    send(CAPACITOR, "watchPosition", new JSONObject());
    finishWork();
    assertEquals(1, manager.getRequestLocationUpdateListeners().size());
  }
}
