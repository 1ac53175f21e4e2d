package appbuild.shell;

import android.Manifest;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.provider.Settings;
import android.telephony.TelephonyManager;
import java.io.IOException;
import java.util.Locale;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Opens a URL, phone number, or file in another app: @capacitor/app-launcher, cordova-plugin-appavailability, call-number,
 * cordova-plugin-market, cordova-open-native-settings, cordova-plugin-file-opener2, @capacitor-community/file-opener, @capacitor/file-viewer.
 * Since Android 11, an app sees only the apps that its manifest names, but it can start others.
 */
final class Launcher extends Plugin {
  private static final String DONE = "OK";
  private static final String NO_APP = "No app on this phone can do that.";
  /** Values of Cordova's PluginResult.Status. */
  private static final int STATUS_NONE = 0;
  private static final int STATUS_OK = 1;
  private static final int STATUS_ERROR = 9;
  /** Package of Android's call service. Naming it keeps Android from asking the user to choose an app. */
  private static final String TELECOM = "com.android.server.telecom";
  private static final String CALL_FAILURE = "CouldNotCallPhoneNumber";
  private static final int CALL_REFUSED = 20;
  private static final String DELETE_PACKAGES = "android.permission.REQUEST_DELETE_PACKAGES";

  /** The plugin's names of settings pages. If NAME in Android's `android.settings.NAME_SETTINGS` differs, it follows a colon. */
  private static final String SETTINGS =
      "about:DEVICE_INFO accessibility account:ADD_ACCOUNT airplane_mode apn application application_development"
          + " battery_optimization:IGNORE_BATTERY_OPTIMIZATION bluetooth captioning cast data_roaming date display dream home"
          + " keyboard:INPUT_METHOD keyboard_subtype:INPUT_METHOD_SUBTYPE locale location:LOCATION_SOURCE manage_all_applications"
          + " manage_applications memory_card network:NETWORK_OPERATOR nfc_payment nfc_settings:NFC nfcsharing privacy quick_launch"
          + " security sound storage:INTERNAL_STORAGE sync usage:USAGE_ACCESS user_dictionary voice_input wifi wifi_ip wireless";

  @Override
  String[] services() {
    return new String[] {
      "Capacitor.AppLauncher", "AppAvailability", "CallNumber", "Market", "NativeSettings", "FileOpener2", "Capacitor.FileOpener",
      "Capacitor.FileViewer",
    };
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.service + "." + call.action) {
      case "Capacitor.AppLauncher.canOpenUrl":
        call.succeed(new JSONObject().put("value", canOpen(url(call, "Must supply a url"))));
        return;
      case "Capacitor.AppLauncher.openUrl":
        call.succeed(new JSONObject().put("completed", open(url(call, "Must provide a url to open"))));
        return;
      case "AppAvailability.checkAvailability":
        answerInstalled(call);
        return;
      case "CallNumber.callNumber":
        callNumber(call);
        return;
      case "Market.open":
        openStore(call, "details?id=", call.args.optString(0));
        return;
      case "Market.search":
        openStore(call, "search?q=", call.args.optString(0));
        return;
      case "NativeSettings.open":
        openSettings(call);
        return;
      case "FileOpener2.open":
        open(call, call.args.optString(0), call.args.optString(1), call.args.optBoolean(2, true));
        return;
      case "FileOpener2.uninstall":
        uninstall(call, call.args.optString(0));
        return;
      case "FileOpener2.appIsInstalled":
        boolean isInstalled = isInstalled(call.args.optString(0));
        call.succeed(status(isInstalled ? STATUS_OK : STATUS_NONE, isInstalled ? "Installed" : "Not installed"));
        return;
      case "Capacitor.FileOpener.open":
        JSONObject options = call.options();
        open(call, options.optString("filePath"), options.optString("contentType"), options.optBoolean("openWithDefault", true));
        return;
      case "Capacitor.FileViewer.openDocumentFromLocalPath":
      case "Capacitor.FileViewer.previewMediaContentFromLocalPath":
        openFromPath(call, false);
        return;
      case "Capacitor.FileViewer.openDocumentFromResources":
      case "Capacitor.FileViewer.previewMediaContentFromResources":
        openFromPath(call, true);
        return;
      case "Capacitor.FileViewer.openDocumentFromUrl":
      case "Capacitor.FileViewer.previewMediaContentFromUrl":
        openFromUrl(call, call.options().optString("url"));
        return;
      default:
        throw unknown(call);
    }
  }

  private static String url(Call call, String absent) {
    String url = call.options().optString("url");
    if (url.isEmpty()) {
      throw new IllegalArgumentException(absent);
    }
    return url;
  }

  /** Reports whether another app can be opened. @param url URL that the app handles, or its package name */
  private boolean canOpen(String url) {
    PackageManager packages = activity.getPackageManager();
    Intent intent = MainActivity.intentFor(Uri.parse(url));
    return packages.getLaunchIntentForPackage(url) != null
        || intent != null && packages.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY) != null;
  }

  private boolean open(String url) {
    return activity.view(Uri.parse(url))
        || url.matches("[\\w.]+")
            && start(
                new Intent(Intent.ACTION_MAIN)
                    .addCategory(Intent.CATEGORY_LAUNCHER)
                    .setPackage(url)
                    .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
  }

  /** Starts another app. @return false if no app handles the intent */
  private boolean start(Intent intent) {
    try {
      activity.startActivity(intent);
      return true;
    } catch (RuntimeException absent) {
      return false;
    }
  }

  private void start(Call call, Intent intent, Object noApp) {
    if (start(intent)) {
      call.succeed(call.isCapacitor() ? null : DONE);
    } else {
      call.fail(noApp);
    }
  }

  private void callNumber(final Call call) {
    TelephonyManager phone = activity.getSystemService(TelephonyManager.class);
    final boolean isPhone = phone != null && phone.getPhoneType() != TelephonyManager.PHONE_TYPE_NONE;
    final String number = call.args.optString(0).replaceFirst("^tel:", "");
    final Uri uri = Uri.fromParts("tel", number, null);
    if (!isPhone) {
      start(call, new Intent(Intent.ACTION_DIAL, uri), CALL_FAILURE);
      return;
    }
    bridge.ask(
        call,
        new String[] {Manifest.permission.CALL_PHONE},
        1,
        CALL_REFUSED,
        new Bridge.Granted() {
          @Override
          public void run() {
            Intent intent = new Intent(Intent.ACTION_CALL, uri);
            if (call.args.optBoolean(1) && start(new Intent(intent).setPackage(TELECOM))) {
              call.succeed(DONE);
            } else {
              start(call, intent, CALL_FAILURE);
            }
          }
        });
  }

  private void openStore(Call call, String page, String value) {
    String path = page + Uri.encode(value);
    if (start(new Intent(Intent.ACTION_VIEW, Uri.parse("market://" + path)))) {
      call.succeed(DONE);
      return;
    }
    String web = "https://play.google.com/store/" + (page.startsWith("search") ? path + "&c=apps" : "apps/" + path);
    start(call, new Intent(Intent.ACTION_VIEW, Uri.parse(web)), NO_APP);
  }

  private void openSettings(Call call) {
    String wanted = call.args.optString(0);
    if (wanted.equals("store")) {
      openStore(call, "details?id=", activity.getPackageName());
      return;
    }
    Intent intent = settings(wanted);
    if (call.args.optBoolean(1)) {
      intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    }
    start(call, intent, NO_APP);
  }

  private Intent settings(String wanted) {
    switch (wanted) {
      case "notification_id":
        if (Build.VERSION.SDK_INT >= 26) {
          return new Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS)
              .putExtra(Settings.EXTRA_APP_PACKAGE, activity.getPackageName());
        }
        // Older versions of Android show these settings on the app's details page.
      case "application_details":
        return new Intent(
            Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.fromParts("package", activity.getPackageName(), null));
      case "biometric":
        return new Intent(Build.VERSION.SDK_INT >= 30 ? Settings.ACTION_BIOMETRIC_ENROLL : Settings.ACTION_SECURITY_SETTINGS);
      case "print":
        return new Intent(Settings.ACTION_PRINT_SETTINGS);
      case "search":
        return new Intent(Settings.ACTION_SEARCH_SETTINGS);
      case "settings":
        return new Intent(Settings.ACTION_SETTINGS);
      case "show_regulatory_info":
        return new Intent(Settings.ACTION_SHOW_REGULATORY_INFO);
      default:
        for (String entry : SETTINGS.split(" ")) {
          String[] names = entry.split(":");
          if (names[0].equals(wanted)) {
            String name = names.length > 1 ? names[1] : wanted.toUpperCase(Locale.ROOT);
            return new Intent("android.settings." + name + "_SETTINGS");
          }
        }
        throw new IllegalArgumentException("The phone's settings have no page “" + wanted + "”.");
    }
  }

  private static JSONObject status(int status, String message) throws JSONException {
    return new JSONObject().put("status", status).put("message", message);
  }

  private void uninstall(Call call, String name) throws JSONException {
    if (activity.checkSelfPermission(DELETE_PACKAGES) != PackageManager.PERMISSION_GRANTED) {
      call.fail(status(STATUS_ERROR, "The manifest doesn't declare " + DELETE_PACKAGES + "."));
      return;
    }
    // Android asks the user to confirm.
    start(
        call,
        new Intent(Intent.ACTION_DELETE, Uri.fromParts("package", name, null)),
        status(STATUS_ERROR, "This package is not installed"));
  }

  private static JSONObject failure(String code, String message) throws JSONException {
    return new JSONObject().put("code", code).put("message", message);
  }

  private static JSONObject viewerFailure(String number, String message) throws JSONException {
    return failure("OS-PLUG-FLVW-" + number, message);
  }

  /** Opens a file in another app. @param type MIME type, or an empty string to derive it from the file's name */
  private void open(Call call, String source, String type, boolean isDirect) throws JSONException {
    String known = type.trim().isEmpty() ? Server.typeFor(source) : type;
    String noApp = "Activity not found: " + known;
    if (call.isCapacitor()) {
      view(call, source, known, isDirect, failure("9", "File not found"), failure("8", noApp));
    } else {
      view(call, source, known, isDirect, status(STATUS_ERROR, "File not found"), status(STATUS_ERROR, noApp));
    }
  }

  private void openFromPath(Call call, boolean isResource) throws JSONException {
    String path = call.options().optString("path");
    if (path.trim().isEmpty()) {
      call.fail(viewerFailure("0006", "Path of the file to open is either null or empty."));
      return;
    }
    // In Capacitor, the folder of the pages is named public.
    String source = isResource ? activity.origin + "/" + Uri.encode(path.replaceFirst("^/?(public/)?", ""), "/") : path;
    Object absent = viewerFailure("0004", "The file you are trying to open does not exist.");
    Object noApp = viewerFailure("0010", "No app on this phone opens this document.");
    view(call, source, Server.typeFor(path), true, absent, noApp);
  }

  private void openFromUrl(Call call, String url) throws JSONException {
    if (url.trim().isEmpty()) {
      call.fail(viewerFailure("0007", "URL to open is either null or empty."));
    } else if (Urls.originOf(url) == null) {
      call.fail(viewerFailure("0005", "The URL you are trying to open is malformed - " + url));
    } else {
      start(call, MainActivity.intentFor(Uri.parse(url)), viewerFailure("0010", "No app on this phone opens this document."));
    }
  }

  /**
   * Shows a file of the app in another app.
   *
   * @param isDirect false to show a chooser even if the user has a default app
   * @param absent reason for the failure if the file doesn't exist
   * @param noApp reason for the failure if no app can show the file
   */
  private void view(
      final Call call, final String source, final String type, final boolean isDirect, final Object absent, final Object noApp) {
    bridge.work(
        call,
        new Bridge.Granted() {
          @Override
          public void run() {
            try {
              Uri file = AppFiles.uri(activity, SharedFiles.copy(bridge, source));
              Intent intent =
                  new Intent(Intent.ACTION_VIEW)
                      .setDataAndType(file, type)
                      .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_ACTIVITY_NEW_TASK);
              start(call, isDirect ? intent : Intent.createChooser(intent, null), noApp);
            } catch (IOException error) {
              call.fail(absent);
            }
          }
        });
  }
}
