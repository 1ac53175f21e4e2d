package appbuild.shell;

import android.content.Intent;
import android.os.Bundle;
import android.util.Log;
import android.webkit.WebView;
import org.json.JSONArray;

/** The plugins of an app, as the shell tells them of itself. This class is for apps without plugins: `Bridge` is in a dex of its own. */
class Plugins {
  /** The text of the prompt() by which a page asks for its channel, once its script listens. */
  static final String CONNECT = "appbuild:connect";

  /** @param classes names of plugins, from the settings; null for none */
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

  /** The files that pages and plugins may name beside those of the package. */
  OwnFiles files() {
    return new OwnFiles();
  }

  /** Gives the page its end of a channel. @param origin of the app's own pages */
  void connect(WebView web, String origin) {}

  /** With each page: the calls of the one before get no more answers. */
  void disconnect() {}

  /** The intent that opens the app, also while it's running. */
  void onIntent(Intent intent) {}

  /** A link that opens the app. */
  void onLink(String url) {}

  void onActivityResult(int request, int result, Intent data) {}

  /** Keeps the calls that wait for an activity. */
  void save(Bundle saved) {}

  /** @param saved by {@link #save} */
  void restore(Bundle saved) {}

  void onPause() {}

  void onResume() {}

  void onStop() {}

  void onDestroy() {}
}
