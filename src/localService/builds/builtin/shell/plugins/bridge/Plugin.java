package appbuild.shell;

import android.content.Intent;
import android.content.pm.PackageManager;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONObject;

/** The native half of plugins. Each app has those alone that it names: assets/shell.json lists their classes. */
abstract class Plugin {
  /** Set before the first call. */
  Bridge bridge;
  MainActivity activity;

  /** The names under which pages call it. */
  abstract String[] services();

  /**
   * Answers a call, at once or later. An exception becomes the failure. {@link Bridge#work} is for calls that take long.
   *
   * @throws NoSuchMethodException for an action that it doesn't have
   */
  abstract void call(Call call) throws Exception;

  /** Capacitor's names of the permissions that its calls ask for, and Android's; for checkPermissions and requestPermissions. */
  Map<String, String[]> permissions() {
    return Collections.emptyMap();
  }

  /**
   * The activity that a call started has ended. The plugin may be another object: Android ends apps behind a camera.
   *
   * @param state that of {@link Bridge#start}
   */
  void onResult(Call call, JSONObject state, int result, Intent data) throws Exception {}

  /** The page is another one, so its calls get no more answers. */
  void onReset() {}

  /** Another app has opened the app by a link, also at its start. */
  void onLink(String url) {}

  /** The intent that started the app, or reached it while it runs. Another app may have sent it, so nothing in it can be trusted. */
  void onIntent(Intent intent) {}

  void onPause() {}

  void onResume() {}

  void onStop() {}

  /** The app is being ended. */
  void onDestroy() {}

  /** @param name of the package of another app, which the manifest names */
  final boolean isInstalled(String name) {
    try {
      activity.getPackageManager().getPackageInfo(name, 0);
      return true;
    } catch (PackageManager.NameNotFoundException absent) {
      return false;
    }
  }

  /** Succeeds if the app that the first argument names is installed. */
  final void answerInstalled(Call call) {
    if (isInstalled(call.args.optString(0))) {
      call.succeed(true);
    } else {
      call.fail("");
    }
  }

  /** Without a value that is null, which Android reads as a text. @return an empty text for none */
  static String textOrEmpty(JSONObject object, String name) {
    return object.isNull(name) ? "" : object.optString(name);
  }

  /** Why a call fails, in the form that most plugins document. @param code a number or a text */
  static JSONObject reason(Object code, String message) {
    Map<String, Object> reason = new HashMap<>();
    reason.put("code", code);
    reason.put("message", message);
    return new JSONObject(reason);
  }

  /** For the end of {@link #call}. */
  static NoSuchMethodException unknown(Call call) {
    return new NoSuchMethodException(call.service + " doesn't have the action " + call.action + ".");
  }
}
