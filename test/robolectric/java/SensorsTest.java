package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.webkit.WebMessage;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.fakes.RoboWebMessagePort;
import org.robolectric.shadows.SensorEventBuilder;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSensor;
import org.robolectric.shadows.ShadowSensorManager;

public class SensorsTest extends PluginTest {
  private ShadowSensorManager sensors() {
    return shadowOf((SensorManager) activity.getSystemService(Context.SENSOR_SERVICE));
  }

  private Sensor add(int type) {
    Sensor sensor = ShadowSensor.newInstance(type);
    sensors().addSensor(sensor);
    return sensor;
  }

  private void feel(Sensor sensor, float... values) {
    sensors().sendSensorEventToListeners(SensorEventBuilder.newBuilder().setSensor(sensor).setValues(values).setTimestamp(1).build());
    finishWork();
  }

  @Test
  public void tellsAccelerations() throws Exception {
    assertEquals(3, ((JSONObject) fail("Accelerometer", "start")).getInt("code"));
    Sensor sensor = add(Sensor.TYPE_ACCELEROMETER);
    String id = send("Accelerometer", "start");
    feel(sensor, 1, 2, 3);
    feel(sensor, 4, 5, 6);
    JSONArray answers = answers(id);
    assertEquals(2, answers.length());
    assertEquals(2, answers.getJSONArray(0).getInt(1));
    assertEquals(5.0, answers.getJSONArray(1).getJSONObject(2).getDouble("y"), 0.01);
    controller.pause();
    feel(sensor, 7, 8, 9);
    controller.resume();
    feel(sensor, 7, 8, 9);
    assertEquals(3, answers(id).length());
    call("Accelerometer", "stop");
    feel(sensor, 1, 1, 1);
    assertEquals(3, answers(id).length());

    String silent = send("Accelerometer", "start");
    ShadowLooper.idleMainLooper(3, java.util.concurrent.TimeUnit.SECONDS);
    assertEquals(1, answers(silent).getJSONArray(0).getInt(1));
    assertEquals("Accelerometer doesn't have the action nothing.", fail("Accelerometer", "nothing"));
  }

  @Test
  public void tellsHeadings() throws Exception {
    assertEquals(20, fail("Compass", "getHeading", JSONObject.NULL));
    Sensor sensor = add(Sensor.TYPE_ROTATION_VECTOR);
    String id = send("Compass", "getHeading", JSONObject.NULL);
    assertEquals(0, answers(id).length());
    // A quarter turn to the right of north.
    feel(sensor, 0, 0, (float) -Math.sin(Math.PI / 4), (float) Math.cos(Math.PI / 4));
    assertEquals(90, answers(id).getJSONArray(0).getJSONObject(2).getDouble("magneticHeading"), 0.5);
    assertEquals(90, callForObject("Compass", "getHeading").getDouble("trueHeading"), 0.5);
    call("Compass", "stopHeading");
    String silent = send("Compass", "getHeading");
    ShadowLooper.idleMainLooper(3, java.util.concurrent.TimeUnit.SECONDS);
    assertEquals(0, answers(silent).getJSONArray(0).getInt(2));
    assertEquals("Compass doesn't have the action nothing.", fail("Compass", "nothing"));
  }

  /** Android's permission request covers the app for a while. */
  @Test
  public void goOnAfterAPause() throws Exception {
    Sensor accelerometer = add(Sensor.TYPE_ACCELEROMETER);
    Sensor rotation = add(Sensor.TYPE_ROTATION_VECTOR);
    String acceleration = send("Accelerometer", "start");
    String heading = send("Compass", "getHeading");
    finishWork();
    controller.pause();
    ShadowLooper.idleMainLooper(3, java.util.concurrent.TimeUnit.SECONDS);
    assertEquals(0, answers(acceleration).length());
    assertEquals(0, answers(heading).length());
    controller.resume();
    feel(accelerometer, 1, 2, 3);
    feel(rotation, 0, 0, 0, 1);
    assertEquals(2, answers(acceleration).getJSONArray(0).getInt(1));
    assertEquals(0, answers(heading).getJSONArray(0).getInt(1));
    call("Accelerometer", "stop");
    call("Compass", "stopHeading");

    acceleration = send("Accelerometer", "start");
    heading = send("Compass", "getHeading");
    finishWork();
    controller.pause();
    controller.resume();
    ShadowLooper.idleMainLooper(3, java.util.concurrent.TimeUnit.SECONDS);
    assertEquals(1, answers(acceleration).getJSONArray(0).getInt(1));
    assertEquals(1, answers(heading).getJSONArray(0).getInt(1));
  }

  /** A page's messages may arrive after the page is gone. */
  @Test
  public void hearNoPageThatIsGone() throws Exception {
    add(Sensor.TYPE_ACCELEROMETER);
    RoboWebMessagePort before = ports()[0];
    connect();
    before.getWebMessageCallback().onMessage(before, new WebMessage("[\"1\",\"Accelerometer\",\"start\",[]]"));
    finishWork();
    assertEquals(0, sensors().getListeners().size());
  }
}
