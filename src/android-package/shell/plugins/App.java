package appbuild.shell;

import android.app.LocaleManager;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.os.LocaleList;
import android.provider.Settings;
import android.webkit.ValueCallback;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.json.JSONException;
import org.json.JSONObject;

/** Reports the app's state and the links that open the app: @capacitor/app, cordova-plugin-customurlscheme, ionic-plugin-deeplinks. */
final class App extends Plugin {
  private static final String CAPACITOR = "App";
  private static final String NO_LINK =
      "App was not started via the launchmyapp URL scheme. Ignoring this errorcallback is the best approach.";

  private boolean isActive;
  private boolean wasPaused;
  /** The last link that opened the app. Null for none. */
  private String lastLink;
  /** The latest link that no page has handled yet. Null for none. */
  private JSONObject newLink;
  private final List<Call> linkListeners = new ArrayList<>();

  @Override
  String[] services() {
    return new String[] {Bridge.CAPACITOR + CAPACITOR, "LaunchMyApp", "IonicDeeplinkPlugin"};
  }

  @Override
  void call(final Call call) throws Exception {
    switch (call.action) {
      case "exitApp":
        call.succeed(null);
        activity.finish();
        return;
      case "minimizeApp":
        activity.moveTaskToBack(true);
        call.succeed(null);
        return;
      case "toggleBackButtonHandler":
        // The page's script handles the back button itself.
        call.succeed(null);
        return;
      case "getInfo":
        call.succeed(info());
        return;
      case "getState":
        call.succeed(new JSONObject().put("isActive", isActive));
        return;
      case "getLaunchUrl":
        String link = MainActivity.linkFrom(activity.getIntent());
        call.succeed(link == null ? null : new JSONObject().put("url", link));
        return;
      case "getAppLanguage":
        call.succeed(new JSONObject().put("value", locale().getLanguage()));
        return;
      case "checkIntent":
        checkLink(call);
        return;
      case "clearIntent":
        activity.takeLink();
        call.succeed(null);
        return;
      case "getLastIntent":
        if (lastLink == null) {
          call.fail("No intent received so far.");
        } else {
          call.succeed(lastLink);
        }
        return;
      case "onDeepLink":
        linkListeners.add(call);
        giveLink();
        return;
      case "canOpenApp":
        answerInstalled(call);
        return;
      case "getHardwareInfo":
        call.succeed(hardware());
        return;
      default:
        throw unknown(call);
    }
  }

  private JSONObject info() throws Exception {
    PackageManager packages = activity.getPackageManager();
    PackageInfo info = packages.getPackageInfo(activity.getPackageName(), 0);
    long code = Build.VERSION.SDK_INT < 28 ? info.versionCode : info.getLongVersionCode();
    return new JSONObject()
        .put("name", activity.getApplicationInfo().loadLabel(packages).toString())
        .put("id", info.packageName)
        .put("build", String.valueOf(code))
        .put("version", info.versionName);
  }

  /** Returns the app's language in the phone's settings, or the phone's language. */
  private Locale locale() {
    if (Build.VERSION.SDK_INT >= 33) {
      LocaleList own = activity.getSystemService(LocaleManager.class).getApplicationLocales();
      if (!own.isEmpty()) {
        return own.get(0);
      }
    }
    return Locale.getDefault();
  }

  /**
   * Answers a call for the link that opened the app. Evaluates an empty script first, because the shell may be sending the link to the
   * page. Scripts run in order, so the page has received that link when the callback runs.
   */
  private void checkLink(final Call call) {
    activity.web.evaluateJavascript(
        "0",
        new ValueCallback<String>() {
          @Override
          public void onReceiveValue(String ignored) {
            String link = activity.takeLink();
            if (link == null) {
              call.fail(NO_LINK);
            } else {
              call.succeed(link);
            }
          }
        });
  }

  private JSONObject hardware() throws JSONException {
    return new JSONObject()
        .put("uuid", Settings.Secure.getString(activity.getContentResolver(), Settings.Secure.ANDROID_ID))
        .put("platform", "android")
        .put("tz", TimeZone.getDefault().getID())
        .put("tz_offset", TimeZone.getDefault().getOffset(System.currentTimeMillis()) / 60000)
        .put("os_version", Build.VERSION.RELEASE)
        .put("sdk_version", String.valueOf(Build.VERSION.SDK_INT));
  }

  @Override
  void onLink(String url) {
    lastLink = url;
    Uri uri = Uri.parse(url);
    try {
      bridge.emitOrWait(CAPACITOR, "appUrlOpen", new JSONObject().put("url", url));
      newLink =
          new JSONObject()
              .put("url", url)
              .put("path", uri.getPath())
              .put("queryString", uri.getQuery())
              .put("scheme", uri.getScheme())
              .put("host", uri.getHost())
              .put("fragment", uri.getFragment())
              .put("extra", new JSONObject());
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
    giveLink();
  }

  private void giveLink() {
    if (newLink != null && !linkListeners.isEmpty()) {
      for (Call call : linkListeners) {
        call.keep(newLink);
      }
      newLink = null;
    }
  }

  @Override
  void onReset() {
    linkListeners.clear();
  }

  @Override
  void onPause() {
    wasPaused = true;
    bridge.emit(CAPACITOR, "pause", null);
  }

  @Override
  void onResume() {
    if (wasPaused) {
      bridge.emit(CAPACITOR, "resume", null);
    }
    tell(true);
  }

  @Override
  void onStop() {
    tell(false);
  }

  private void tell(boolean active) {
    isActive = active;
    try {
      bridge.emit(CAPACITOR, "appStateChange", new JSONObject().put("isActive", active));
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
