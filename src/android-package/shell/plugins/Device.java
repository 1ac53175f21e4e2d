package appbuild.shell;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.BatteryManager;
import android.os.Build;
import android.os.Environment;
import android.os.StatFs;
import android.provider.Settings;
import android.webkit.WebView;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-device, @capacitor/device, and cordova-plugin-battery-status. */
final class Device extends Plugin {
  private static final IntentFilter BATTERY = new IntentFilter(Intent.ACTION_BATTERY_CHANGED);

  /** Null if the page doesn't listen to the battery. */
  private BroadcastReceiver watch;

  @Override
  String[] services() {
    return new String[] {"Device", "Capacitor.Device", "Battery"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "getDeviceInfo":
        call.succeed(
            new JSONObject()
                .put("uuid", id())
                .put("version", Build.VERSION.RELEASE)
                .put("platform", "Android")
                .put("model", Build.MODEL)
                .put("manufacturer", Build.MANUFACTURER)
                .put("isVirtual", isVirtual())
                .put("serial", Build.UNKNOWN)
                .put("sdkVersion", String.valueOf(Build.VERSION.SDK_INT)));
        return;
      case "getId":
        call.succeed(new JSONObject().put("identifier", id()));
        return;
      case "getInfo":
        call.succeed(info());
        return;
      case "getBatteryInfo":
        call.succeed(battery());
        return;
      case "getLanguageCode":
        call.succeed(new JSONObject().put("value", Locale.getDefault().getLanguage()));
        return;
      case "getLanguageTag":
        call.succeed(new JSONObject().put("value", Locale.getDefault().toLanguageTag()));
        return;
      case "start":
        stop();
        start(call);
        return;
      case "stop":
        stop();
        call.succeed(null);
        return;
      default:
        throw unknown(call);
    }
  }

  /** Returns an ID of the phone, which differs between apps that are signed with different keys. */
  private String id() {
    return Settings.Secure.getString(activity.getContentResolver(), Settings.Secure.ANDROID_ID);
  }

  private JSONObject info() throws JSONException {
    StatFs disk = new StatFs(Environment.getDataDirectory().getAbsolutePath());
    Runtime memory = Runtime.getRuntime();
    return new JSONObject()
        .put("name", Settings.Global.getString(activity.getContentResolver(), Settings.Global.DEVICE_NAME))
        .put("model", Build.MODEL)
        .put("platform", "android")
        .put("operatingSystem", "android")
        .put("osVersion", Build.VERSION.RELEASE)
        .put("androidSDKVersion", Build.VERSION.SDK_INT)
        .put("manufacturer", Build.MANUFACTURER)
        .put("isVirtual", isVirtual())
        .put("memUsed", memory.totalMemory() - memory.freeMemory())
        .put("diskFree", disk.getAvailableBytes())
        .put("diskTotal", disk.getTotalBytes())
        .put("realDiskFree", disk.getAvailableBytes())
        .put("realDiskTotal", disk.getTotalBytes())
        .put("webViewVersion", webViewVersion());
  }

  private static String webViewVersion() {
    return Build.VERSION.SDK_INT < 26 || WebView.getCurrentWebViewPackage() == null
        ? ""
        : WebView.getCurrentWebViewPackage().versionName;
  }

  private JSONObject battery() throws JSONException {
    Intent status = activity.registerReceiver(null, BATTERY);
    if (status == null) {
      return new JSONObject();
    }
    int state = status.getIntExtra(BatteryManager.EXTRA_STATUS, -1);
    return new JSONObject()
        .put("batteryLevel", level(status))
        .put("isCharging", state == BatteryManager.BATTERY_STATUS_CHARGING || state == BatteryManager.BATTERY_STATUS_FULL);
  }

  private static double level(Intent status) {
    return (double) status.getIntExtra(BatteryManager.EXTRA_LEVEL, -1) / status.getIntExtra(BatteryManager.EXTRA_SCALE, -1);
  }

  /** Starts reporting the battery. Android sends its state immediately and after each change. */
  private void start(final Call call) {
    watch =
        new BroadcastReceiver() {
          @Override
          public void onReceive(Context context, Intent status) {
            Map<String, Object> info = new HashMap<>();
            info.put("level", Math.round(level(status) * 100));
            info.put("isPlugged", status.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0);
            call.keep(new JSONObject(info));
          }
        };
    activity.registerReceiver(watch, BATTERY);
  }

  private void stop() {
    if (watch != null) {
      activity.unregisterReceiver(watch);
      watch = null;
    }
  }

  @Override
  void onReset() {
    stop();
  }

  private static boolean isVirtual() {
    return Build.FINGERPRINT.startsWith("generic") || Build.MODEL.contains("Emulator") || Build.PRODUCT.contains("sdk");
  }
}
