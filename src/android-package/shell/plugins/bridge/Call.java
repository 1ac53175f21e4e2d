package appbuild.shell;

import android.os.Handler;
import android.os.Looper;
import android.util.Base64;
import android.util.Log;
import android.webkit.WebMessage;
import android.webkit.WebMessagePort;
import java.util.Iterator;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** A page's call to a plugin. Answers can be sent on any thread, and are dropped after the page is gone. */
final class Call {
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;
  /** A success with more answers to follow. */
  static final int KEPT = 2;

  /** Cordova's name of a plugin's native part, or `Capacitor.` and Capacitor's name. */
  final String service;
  final String action;
  final JSONArray args;
  final String id;
  /** The channel to the page. Null if Android has ended the app and its page since the call. */
  final WebMessagePort port;

  private final Bridge bridge;

  Call(Bridge bridge, WebMessagePort port, String id, String service, String action, JSONArray args) {
    this.bridge = bridge;
    this.port = port;
    this.id = id;
    this.service = service;
    this.action = action;
    this.args = args;
    JSONObject options = options();
    for (Iterator<String> names = options.keys(); names.hasNext(); ) {
      if (options.isNull(names.next())) {
        names.remove();
      }
    }
  }

  /** Returns the first argument, which contains the options of Capacitor's calls, or an empty object. */
  JSONObject options() {
    JSONObject options = args.optJSONObject(0);
    return options == null ? new JSONObject() : options;
  }

  boolean isCapacitor() {
    return service.startsWith(Bridge.CAPACITOR);
  }

  /** Sends the final answer. @param value null, a string, number, boolean, JSON, or bytes, which the page gets as an ArrayBuffer */
  void succeed(Object value) {
    send(SUCCESS, value);
  }

  /** Like {@link #succeed}, with more answers to follow. */
  void keep(Object value) {
    send(KEPT, value);
  }

  /** Fails the call. @param reason a message, or the code or object that the plugin's script expects */
  void fail(Object reason) {
    send(FAILURE, reason);
  }

  private void send(int status, Object value) {
    try {
      Object sent = value == null ? JSONObject.NULL : value;
      if (value instanceof byte[]) {
        sent = new JSONObject().put("$bytes", Base64.encodeToString((byte[]) value, Base64.NO_WRAP));
      }
      if (port == null) {
        bridge.restore(this, status == FAILURE, sent);
        return;
      }
      final String text = new JSONArray().put(id).put(status).put(sent).toString();
      if (text == null) {
        fail("The answer has a number that JSON can't have.");
        return;
      }
      new Handler(Looper.getMainLooper())
          .post(
              new Runnable() {
                @Override
                public void run() {
                  try {
                    port.postMessage(new WebMessage(text));
                  } catch (RuntimeException closed) {
                    Log.i(MainActivity.TAG, "The page has gone that called " + service + "." + action);
                  }
                }
              });
    } catch (JSONException error) {
      Log.e(MainActivity.TAG, service + "." + action, error);
    }
  }
}
