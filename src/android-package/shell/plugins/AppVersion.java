package appbuild.shell;

import android.content.pm.PackageInfo;
import android.os.Build;
import org.json.JSONObject;

/** Implements cordova-plugin-app-version and cordova-plugin-appversion. */
final class AppVersion extends Plugin {
  @Override
  String[] services() {
    return new String[] {"AppVersion", "RareloopAppVersion"};
  }

  @Override
  void call(Call call) throws Exception {
    PackageInfo info = activity.getPackageManager().getPackageInfo(activity.getPackageName(), 0);
    long code = Build.VERSION.SDK_INT < 28 ? info.versionCode : info.getLongVersionCode();
    switch (call.action) {
      case "getAppName":
        call.succeed(activity.getApplicationInfo().loadLabel(activity.getPackageManager()).toString());
        return;
      case "getPackageName":
        call.succeed(info.packageName);
        return;
      case "getVersionNumber":
        call.succeed(info.versionName);
        return;
      case "getVersionCode":
        call.succeed(code);
        return;
      case "getAppVersion":
        call.succeed(new JSONObject().put("version", info.versionName).put("build", code));
        return;
      default:
        throw unknown(call);
    }
  }
}
