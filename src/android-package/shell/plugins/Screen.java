package appbuild.shell;

import android.content.Context;
import android.content.pm.ActivityInfo;
import android.graphics.Point;
import android.hardware.display.DisplayManager;
import android.view.Display;
import android.view.Surface;
import android.view.WindowManager;
import java.util.Collections;
import org.json.JSONObject;

/**
 * Controls orientation and sleep: cordova-plugin-screen-orientation, @capacitor/screen-orientation, cordova-plugin-insomnia,
 * @capacitor-community/keep-awake.
 */
final class Screen extends Plugin implements DisplayManager.DisplayListener {
  private boolean isListening;
  private String orientation = "";

  /** Returns the names of the services. YoikScreenOrientation is CDVOrientation's name before version 2. */
  @Override
  String[] services() {
    return new String[] {
      "YoikScreenOrientation", "CDVOrientation", "Capacitor.ScreenOrientation", "Insomnia", "Capacitor.KeepAwake",
    };
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "screenOrientation":
        lock(call.args.getString(1));
        call.succeed(null);
        return;
      case "lock":
        lock(call.options().getString("orientation"));
        call.succeed(null);
        return;
      case "unlock":
        lock("any");
        call.succeed(null);
        return;
      case "orientation":
        call.succeed(new JSONObject().put("type", orientation()));
        return;
      case "keepAwake":
        activity.getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
        call.succeed(null);
        return;
      case "allowSleep":
      case "allowSleepAgain":
        activity.getWindow().clearFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
        call.succeed(null);
        return;
      case "isKeptAwake":
        int flags = activity.getWindow().getAttributes().flags;
        call.succeed(new JSONObject().put("isKeptAwake", (flags & WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON) != 0));
        return;
      case "isSupported":
        call.succeed(new JSONObject().put("isSupported", true));
        return;
      default:
        throw unknown(call);
    }
  }

  private void lock(String name) {
    activity.setRequestedOrientation(requestFor(name));
  }

  private int requestFor(String name) {
    switch (name) {
      case "any":
      case "unlocked":
        return ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED;
      case "natural":
        return isNaturallyPortrait() ? ActivityInfo.SCREEN_ORIENTATION_PORTRAIT : ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE;
      case "portrait":
        return ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT;
      case "portrait-primary":
        return ActivityInfo.SCREEN_ORIENTATION_PORTRAIT;
      case "portrait-secondary":
        return ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT;
      case "landscape":
        return ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE;
      case "landscape-primary":
        return ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE;
      case "landscape-secondary":
        return ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE;
      default:
        throw new IllegalArgumentException("Screens don't have the orientation " + name + ".");
    }
  }

  private Display display() {
    return activity.getWindowManager().getDefaultDisplay();
  }

  /** Reports whether the display is upright. Doesn't use the activity's configuration, which Android updates later. */
  private boolean isPortrait() {
    Point size = new Point();
    display().getRealSize(size);
    return size.y >= size.x;
  }

  private boolean isNaturallyPortrait() {
    int rotation = display().getRotation();
    return isPortrait() == (rotation == Surface.ROTATION_0 || rotation == Surface.ROTATION_180);
  }

  private String orientation() {
    int rotation = display().getRotation();
    boolean isPrimary = rotation == Surface.ROTATION_0 || rotation == Surface.ROTATION_90;
    return (isPortrait() ? "portrait" : "landscape") + (isPrimary ? "-primary" : "-secondary");
  }

  private DisplayManager manager() {
    return (DisplayManager) activity.getSystemService(Context.DISPLAY_SERVICE);
  }

  /** Listens to the display, because Android doesn't notify the activity of a turn by 180 degrees. */
  @Override
  void onResume() {
    if (!isListening) {
      isListening = true;
      orientation = orientation();
      manager().registerDisplayListener(this, null);
    }
  }

  @Override
  void onDestroy() {
    manager().unregisterDisplayListener(this);
  }

  @Override
  public void onDisplayChanged(int display) {
    String now = orientation();
    if (now.equals(orientation)) {
      return;
    }
    orientation = now;
    bridge.emit("ScreenOrientation", "screenOrientationChange", new JSONObject(Collections.singletonMap("type", now)));
  }

  @Override
  public void onDisplayAdded(int display) {}

  @Override
  public void onDisplayRemoved(int display) {}
}
