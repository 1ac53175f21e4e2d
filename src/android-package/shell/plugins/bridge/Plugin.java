package appbuild.shell;

import android.content.Intent;
import android.content.pm.PackageManager;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONObject;

/** The native part of one or more plugins. A package contains only the classes of its plugins, which assets/shell.json lists. */
abstract class Plugin {
  /** The bridge and the activity. Set before the first call. */
  Bridge bridge;
  MainActivity activity;

  /** Returns the names with which pages call this plugin. */
  abstract String[] services();

  /**
   * Answers a call, immediately or later. An exception fails the call. Slow calls should use {@link Bridge#work}.
   *
   * @throws NoSuchMethodException for an unknown action
   */
  abstract void call(Call call) throws Exception;

  /** Returns Android's permissions, keyed by Capacitor's name, for checkPermissions and requestPermissions. */
  Map<String, String[]> permissions() {
    return Collections.emptyMap();
  }

  /**
   * Called when the activity that a call started has ended. This may be a new plugin object, because Android may end the app while another
   * app is open.
   *
   * @param state from {@link Bridge#start}
   */
  void onResult(Call call, JSONObject state, int result, Intent data) throws Exception {}

  /** Called when the page changes. Calls of the previous page don't get further answers. */
  void onReset() {}

  /** Called when another app opens this one with a link, including at startup. */
  void onLink(String url) {}

  /** Called with the intent that starts the app or reaches it later. It's untrusted, because another app may have sent it. */
  void onIntent(Intent intent) {}

  void onPause() {}

  void onResume() {}

  void onStop() {}

  /** Called when the app ends. */
  void onDestroy() {}

  /** Reports whether another app is installed. @param name package name, which the manifest must contain */
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

  /** Returns a string, or an empty string if the value is missing or null, which Android would read as the text `null`. */
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

  /** Returns the exception for a call whose action the plugin doesn't have. */
  static NoSuchMethodException unknown(Call call) {
    return new NoSuchMethodException(call.service + " doesn't have the action " + call.action + ".");
  }
}
