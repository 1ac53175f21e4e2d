package appbuild.shell;

import android.content.Context;
import android.content.SharedPreferences;
import org.json.JSONObject;

/**
 * Implements cordova-plugin-badge. Android has no API for a number on an app's icon, so this plugin only stores the number. `check` reports
 * that badges aren't supported.
 */
final class Badge extends Plugin {
  private static final String NUMBER = "number";
  private static final String CONFIG = "config";

  @Override
  String[] services() {
    return new String[] {"Badge"};
  }

  @Override
  void call(Call call) throws Exception {
    SharedPreferences store = activity.getSharedPreferences("appbuild.badge", Context.MODE_PRIVATE);
    switch (call.action) {
      case "check":
        call.succeed(false);
        return;
      case "load":
        call.succeed(new JSONObject(store.getString(CONFIG, "{}")));
        return;
      case "save":
        store.edit().putString(CONFIG, call.args.getJSONObject(0).toString()).apply();
        call.succeed(null);
        return;
      case "set":
        store.edit().putInt(NUMBER, call.args.getInt(0)).apply();
        call.succeed(call.args.getInt(0));
        return;
      case "clear":
        store.edit().remove(NUMBER).apply();
        call.succeed(0);
        return;
      case "get":
        call.succeed(store.getInt(NUMBER, 0));
        return;
      default:
        throw unknown(call);
    }
  }
}
