package appbuild.shell;

import android.content.Intent;
import android.os.Bundle;
import android.util.Log;
import android.webkit.WebView;
import org.json.JSONArray;

/** The shell's interface to an app's plugins. Apps without plugins use this class. Its subclass `Bridge` is in a separate dex. */
class Plugins {
  /** Text of the prompt() with which a page's script asks for its channel. */
  static final String CONNECT = "appbuild:connect";

  /** Creates the app's plugins. @param classes names of plugin classes, from the settings, or null for none */
  static Plugins load(MainActivity activity, JSONArray classes) {
    if (classes != null && classes.length() > 0) {
      try {
        return (Plugins)
            Class.forName("appbuild.shell.Bridge")
                .getDeclaredConstructor(MainActivity.class, JSONArray.class)
                .newInstance(activity, classes);
      } catch (ReflectiveOperationException error) {
        Log.e(MainActivity.TAG, "Plugins", error);
      }
    }
    return new Plugins();
  }

  /** Returns the files that pages and plugins can name in addition to those of the package. */
  OwnFiles files() {
    return new OwnFiles();
  }

  /** Gives the page its end of a channel. @param origin origin of the app's own pages */
  void connect(WebView web, String origin) {}

  /** Called for each page. Calls of the previous page don't get further answers. */
  void disconnect() {}

  /** Called with the intent that opens the app, including while it's running. */
  void onIntent(Intent intent) {}

  /** Called with a link that opens the app. */
  void onLink(String url) {}

  void onActivityResult(int request, int result, Intent data) {}

  /** Saves the calls that wait for an activity. */
  void save(Bundle saved) {}

  /** Restores those calls. @param saved state from {@link #save} */
  void restore(Bundle saved) {}

  void onPause() {}

  void onResume() {}

  void onStop() {}

  void onDestroy() {}
}
