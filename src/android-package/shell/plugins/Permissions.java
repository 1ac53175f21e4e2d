package appbuild.shell;

import android.content.pm.PackageManager;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-android-permissions. Android immediately denies permissions that the manifest doesn't declare. */
final class Permissions extends Plugin {
  @Override
  String[] services() {
    return new String[] {"Permissions"};
  }

  @Override
  void call(final Call call) throws Exception {
    boolean isCheck = call.action.equals("checkPermission");
    if (!isCheck && !call.action.equals("requestPermission") && !call.action.equals("requestPermissions")) {
      throw unknown(call);
    }
    List<String> names = new ArrayList<>();
    collect(call.args, names);
    final String[] permissions = names.toArray(new String[0]);
    if (permissions.length == 0) {
      call.fail(new JSONObject().put("error", call.action).put("message", "At least one permission."));
    } else if (isCheck) {
      answer(call, permissions);
    } else {
      bridge.ask(
          permissions,
          permissions.length,
          new Questions.Listener() {
            @Override
            public void onAnswer(boolean isGranted) {
              answer(call, permissions);
            }
          });
    }
  }

  /** Collects the names of permissions. The plugin's script passes a list as the only argument, or each name as an argument. */
  private static void collect(JSONArray args, List<String> names) {
    for (int index = 0; index < args.length(); index++) {
      if (args.optJSONArray(index) != null) {
        collect(args.optJSONArray(index), names);
      } else if (!args.isNull(index) && !args.optString(index).isEmpty()) {
        names.add(args.optString(index));
      }
    }
  }

  private void answer(Call call, String[] permissions) {
    boolean isGranted = true;
    for (String permission : permissions) {
      isGranted &= activity.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
    }
    try {
      call.succeed(new JSONObject().put("hasPermission", isGranted));
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
