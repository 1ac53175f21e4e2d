package appbuild.shell;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.hardware.SensorManager;
import android.os.Handler;
import android.os.Looper;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-device-motion and cordova-plugin-device-orientation. */
final class Sensors extends Plugin {
  /** Error code of the accelerometer. */
  private static final int FAILED = 3;
  /** Error codes of the compass. */
  private static final int INTERNAL = 0;
  private static final int UNSUPPORTED = 20;
  private static final long TIMEOUT_MS = 2000;
  /** Time after which an unused compass stops, in milliseconds. */
  private static final long UNUSED_MS = 30000;

  private final Handler handler = new Handler(Looper.getMainLooper());
  private final Accelerometer accelerometer = new Accelerometer();
  private final Compass compass = new Compass();

  @Override
  String[] services() {
    return new String[] {"Accelerometer", "Compass"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.service + "." + call.action) {
      case "Accelerometer.start":
        accelerometer.start(call);
        return;
      case "Accelerometer.stop":
        accelerometer.stop();
        call.succeed(null);
        return;
      case "Compass.getHeading":
        compass.ask(call);
        return;
      case "Compass.stopHeading":
        compass.stop();
        call.succeed(null);
        return;
      default:
        throw unknown(call);
    }
  }

  private SensorManager manager() {
    return (SensorManager) activity.getSystemService(Context.SENSOR_SERVICE);
  }

  private boolean register(SensorEventListener listener, int type) {
    Sensor sensor = manager().getDefaultSensor(type);
    return sensor != null && manager().registerListener(listener, sensor, SensorManager.SENSOR_DELAY_UI);
  }

  private final class Accelerometer implements SensorEventListener, Runnable {
    /** Null while stopped. */
    private Call call;
    private boolean isHeard;

    void start(Call started) {
      stop();
      call = started;
      if (!goOn()) {
        stop();
        started.fail(reason(FAILED, "This phone has no accelerometer."));
      }
    }

    /** Starts or resumes the sensor. @return false if the phone doesn't have it */
    boolean goOn() {
      handler.postDelayed(this, TIMEOUT_MS);
      return register(this, Sensor.TYPE_ACCELEROMETER);
    }

    void pause() {
      manager().unregisterListener(this);
      handler.removeCallbacks(this);
    }

    void stop() {
      pause();
      call = null;
      isHeard = false;
    }

    @Override
    public void run() {
      if (call != null && !isHeard) {
        Call failed = call;
        stop();
        failed.fail(reason(FAILED, "The accelerometer doesn't start."));
      }
    }

    @Override
    public void onSensorChanged(SensorEvent event) {
      if (call == null || event.values.length < 3) {
        return;
      }
      isHeard = true;
      try {
        call.keep(
            new JSONObject()
                .put("x", event.values[0])
                .put("y", event.values[1])
                .put("z", event.values[2])
                .put("timestamp", System.currentTimeMillis()));
      } catch (JSONException notANumber) {
        // Skips a value that JSON doesn't support. The next value arrives soon.
      }
    }

    @Override
    public void onAccuracyChanged(Sensor sensor, int accuracy) {}
  }

  /** The compass. The page polls it and gets the latest heading. */
  private final class Compass implements SensorEventListener, Runnable {
    private final List<Call> waiting = new ArrayList<>();
    private final float[] rotation = new float[9];
    private final float[] angles = new float[3];
    private boolean isOn;
    private boolean isHeard;
    private int accuracy;
    private float heading;
    private long askedAt;

    void ask(Call call) throws JSONException {
      askedAt = System.currentTimeMillis();
      if (!isOn) {
        goOn();
      }
      if (!isOn) {
        call.fail(UNSUPPORTED);
        return;
      }
      if (isHeard) {
        call.succeed(heading());
      } else {
        waiting.add(call);
      }
    }

    private void goOn() {
      isOn = register(this, Sensor.TYPE_ROTATION_VECTOR);
      handler.postDelayed(this, TIMEOUT_MS);
    }

    /** Stops the sensor. Waiting calls get their answers when the app is active again. */
    void pause() {
      manager().unregisterListener(this);
      handler.removeCallbacks(this);
      isOn = false;
      isHeard = false;
    }

    void resume() {
      if (!isOn && !waiting.isEmpty()) {
        goOn();
      }
    }

    void stop() {
      pause();
      waiting.clear();
    }

    /** Checks that the sensor delivers values and that the page still polls it. */
    @Override
    public void run() {
      for (Call call : waiting) {
        call.fail(INTERNAL);
      }
      waiting.clear();
      if (!isHeard || System.currentTimeMillis() - askedAt > UNUSED_MS) {
        stop();
      } else {
        handler.postDelayed(this, UNUSED_MS);
      }
    }

    /** Returns the heading. True north requires the location, so `trueHeading` is also magnetic. */
    private JSONObject heading() throws JSONException {
      return new JSONObject()
          .put("magneticHeading", heading)
          .put("trueHeading", heading)
          .put("headingAccuracy", accuracy)
          .put("timestamp", System.currentTimeMillis());
    }

    @Override
    public void onSensorChanged(SensorEvent event) {
      SensorManager.getRotationMatrixFromVector(rotation, event.values);
      SensorManager.getOrientation(rotation, angles);
      heading = (float) (Math.toDegrees(angles[0]) + 360) % 360;
      isHeard = true;
      for (Call call : waiting) {
        try {
          call.succeed(heading());
        } catch (JSONException notANumber) {
          call.fail(INTERNAL);
        }
      }
      waiting.clear();
    }

    @Override
    public void onAccuracyChanged(Sensor sensor, int value) {
      accuracy = value;
    }
  }

  @Override
  void onReset() {
    accelerometer.stop();
    compass.stop();
  }

  @Override
  void onPause() {
    accelerometer.pause();
    compass.pause();
  }

  @Override
  void onResume() {
    if (accelerometer.call != null) {
      accelerometer.goOn();
    }
    compass.resume();
  }

  @Override
  void onDestroy() {
    onReset();
  }
}
