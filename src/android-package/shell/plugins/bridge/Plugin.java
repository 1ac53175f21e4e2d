package appbuild.shell;

import android.content.Intent;
import android.content.pm.PackageManager;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONObject;

/** The native part of plugins. An app contains only those that it names. assets/shell.json lists their classes. */
abstract class Plugin {
  /** Set before the first call. */
  Bridge bridge;
  MainActivity activity;

  /** Returns the names with which pages call it. */
  abstract String[] services();

  /**
   * Answers a call, immediately or later. An exception becomes the failure. {@link Bridge#work} is for slow calls.
   *
   * @throws NoSuchMethodException for an unknown action
   */
  abstract void call(Call call) throws Exception;

  /** Returns Android's permissions, keyed by Capacitor's name, for checkPermissions and requestPermissions. */
  Map<String, String[]> permissions() {
    return Collections.emptyMap();
  }

  /**
   * Called when the activity that a call started has ended. The plugin can be another object, because Android may end the app while a
   * camera is open.
   *
   * @param state from {@link Bridge#start}
   */
  void onResult(Call call, JSONObject state, int result, Intent data) throws Exception {}

  /** Called when the page changes. Its calls don't get further answers. */
  void onReset() {}

  /** Called when another app opens this one with a link, including at startup. */
  void onLink(String url) {}

  /** Called with the intent that starts the app or reaches it later. Another app may have sent it, so it isn't trusted. */
  void onIntent(Intent intent) {}

  void onPause() {}

  void onResume() {}

  void onStop() {}

  /** Called when the app ends. */
  void onDestroy() {}

  /** @param name package name of another app that the manifest names */
  final boolean isInstalled(String name) {
    try {
      activity.getPackageManager().getPackageInfo(name, 0);
      return true;
    } catch (PackageManager.NameNotFoundException absent) {
      return false;
    }
  }

  /** Succeeds if the app in the first argument is installed. */
  final void answerInstalled(Call call) {
    if (isInstalled(call.args.optString(0))) {
      call.succeed(true);
    } else {
      call.fail("");
    }
  }

  /** Treats null as missing, because Android reads it as a string. @return an empty string if the value is missing */
  static String textOrEmpty(JSONObject object, String name) {
    return object.isNull(name) ? "" : object.optString(name);
  }

  /** Returns a failure in the format that most plugins document. @param code a number or a string */
  static JSONObject reason(Object code, String message) {
    Map<String, Object> reason = new HashMap<>();
    reason.put("code", code);
    reason.put("message", message);
    return new JSONObject(reason);
  }

  /** Thrown at the end of {@link #call}. */
  static NoSuchMethodException unknown(Call call) {
    return new NoSuchMethodException(call.service + " doesn't have the action " + call.action + ".");
  }
}
