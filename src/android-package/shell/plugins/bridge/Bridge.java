package appbuild.shell;

import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;
import android.util.SparseArray;
import android.webkit.WebMessage;
import android.webkit.WebMessagePort;
import android.webkit.WebView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.json.JSONTokener;

/**
 * Passes calls from the page to plugins. The page has one end of a message channel. WebView gives that end only to the main frame, and only
 * while the frame shows a page of the app's own origin. A call is `[id, service, action, args]`, and an answer is `[id, status, value]`.
 */
final class Bridge extends Plugins {
  /** Prefix of the names of Capacitor's plugins, some of which are also names of Cordova services. */
  static final String CAPACITOR = "Capacitor.";
  private static final String STATE = "plugins";
  /** Lowest request code for activities that plugins start. The shell uses lower codes. */
  private static final int FIRST_REQUEST = 100;
  /** Maximum number of events of one kind that wait for a listener. Limited because a page may never add one. */
  private static final int MAX_WAITING = 100;
  /** Maximum number of threads for slow calls. Limited because a page can send a thousand calls, and Android ends apps with that many. */
  private static final int MAX_THREADS = 64;
  private static final int IDLE_S = 30;
  /** Limited because Android ends an app whose saved state is too large, and a page may pass a picture in its arguments. */
  private static final int MAX_SAVED_CHARS = 50000;

  final MainActivity activity;
  final AppFolders folders;
  private final List<Plugin> plugins = new ArrayList<>();
  private final Map<String, Plugin> services = new HashMap<>();
  /** Calls that wait for the result of an activity, keyed by request code. */
  private final SparseArray<Started> started = new SparseArray<>();
  /** Pages' listeners for events of Capacitor's plugins, keyed by plugin and event. */
  private final Map<String, List<Call>> listeners = new HashMap<>();
  /** Events that wait for their first listener, keyed by plugin and event. */
  private final Map<String, List<Object>> waiting = new HashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<Runnable>());
  private int nextRequest = FIRST_REQUEST;
  /** The shell's end of the channel. Null if no page is connected. */
  private WebMessagePort port;
  /** Message for the next page with the answer to a call whose page Android ended. Null for none. */
  private String restored;

  /** An activity that a call started. */
  private static final class Started {
    final Call call;
    final JSONObject state;

    Started(Call call, JSONObject state) {
      this.call = call;
      this.state = state;
    }
  }

  /** @param classes names of plugin classes, from the settings */
  Bridge(MainActivity activity, JSONArray classes) {
    this.activity = activity;
    threads.allowCoreThreadTimeOut(true);
    folders = new AppFolders(activity.getApplicationContext(), activity.origin);
    for (int index = 0; index < classes.length(); index++) {
      String name = classes.optString(index);
      try {
        Plugin plugin = (Plugin) Class.forName("appbuild.shell." + name).getDeclaredConstructor().newInstance();
        plugin.activity = activity;
        plugin.bridge = this;
        plugins.add(plugin);
        for (String service : plugin.services()) {
          services.put(service, plugin);
        }
      } catch (ReflectiveOperationException error) {
        Log.e(MainActivity.TAG, name, error);
      }
    }
  }

  @Override
  OwnFiles files() {
    return folders;
  }

  /** Gives the page its end of a channel. @param origin origin of the app's own pages */
  @Override
  void connect(WebView web, String origin) {
    disconnect();
    WebMessagePort[] ports = web.createWebMessageChannel();
    final WebMessagePort own = ports[0];
    port = own;
    port.setWebMessageCallback(
        new WebMessagePort.WebMessageCallback() {
          @Override
          public void onMessage(WebMessagePort from, WebMessage message) {
            hear(own, message);
          }
        });
    web.postWebMessage(new WebMessage(CONNECT, new WebMessagePort[] {ports[1]}), Uri.parse(origin));
    if (restored != null) {
      port.postMessage(new WebMessage(restored));
      restored = null;
    }
  }

  /** Called for each page. Calls of the previous page don't get further answers. */
  @Override
  void disconnect() {
    if (port != null) {
      port.close();
      port = null;
      listeners.clear();
      for (Plugin plugin : plugins) {
        plugin.onReset();
      }
    }
  }

  private void hear(WebMessagePort from, WebMessage message) {
    if (from != port) {
      // The message is from a page that's gone.
      return;
    }
    String text = String.valueOf(message.getData());
    try {
      JSONArray parts = new JSONArray(text);
      run(new Call(this, from, parts.getString(0), parts.getString(1), parts.getString(2), parts.getJSONArray(3)));
    } catch (JSONException | VirtualMachineError error) {
      Log.e(MainActivity.TAG, "A call that can't be read", error);
      fail(new Call(this, from, idOf(text), "", "", new JSONArray()), error);
    }
  }

  /** Reads a call's ID, which is the first item, so it can be read even if the arguments are too large. */
  private static String idOf(String call) {
    try {
      JSONTokener parts = new JSONTokener(call);
      parts.nextClean();
      return String.valueOf(parts.nextValue());
    } catch (JSONException | VirtualMachineError error) {
      return "";
    }
  }

  private void run(final Call call) {
    final Plugin plugin = services.get(call.service);
    if (plugin == null) {
      call.fail("This package doesn't have the plugin " + call.service + ".");
    } else if (call.isCapacitor() && (listen(call) || answerPermissions(plugin, call))) {
      return;
    } else {
      run(
          call,
          new Granted() {
            @Override
            public void run() throws Exception {
              plugin.call(call);
            }
          });
    }
  }

  /** Continues a slow call on another thread. An exception fails the call. */
  void work(final Call call, final Granted next) {
    threads.execute(
        new Runnable() {
          @Override
          public void run() {
            Bridge.run(call, next);
          }
        });
  }

  /** Like {@link #work}, but on the main thread. */
  void post(final Call call, final Granted next) {
    activity.runOnUiThread(
        new Runnable() {
          @Override
          public void run() {
            Bridge.run(call, next);
          }
        });
  }

  /** Runs a part of a call. An exception fails only this call, even if its arguments exceed the memory or are nested too deeply. */
  private static void run(Call call, Granted next) {
    try {
      next.run();
    } catch (Exception | VirtualMachineError error) {
      fail(call, error);
    }
  }

  private static void fail(Call call, Throwable error) {
    Log.w(MainActivity.TAG, call.service + "." + call.action, error);
    String message = error.getMessage();
    call.fail(message == null ? error.getClass().getSimpleName() : message);
  }

  /** Handles listeners, which work alike for all of Capacitor's plugins. @return whether the call is about listeners */
  private boolean listen(Call call) {
    String key = call.service + "." + call.options().optString("eventName");
    if (call.action.equals("addListener")) {
      List<Call> known = listeners.get(key);
      if (known == null) {
        known = new ArrayList<>();
        listeners.put(key, known);
      }
      known.add(call);
      List<Object> events = waiting.remove(key);
      for (int index = 0; events != null && index < events.size(); index++) {
        call.keep(events.get(index));
      }
    } else if (call.action.equals("removeListener")) {
      List<Call> known = listeners.get(key);
      String id = call.options().optString("callbackId");
      for (int index = known == null ? -1 : known.size() - 1; index >= 0; index--) {
        if (known.get(index).id.equals(id)) {
          known.remove(index);
        }
      }
      call.succeed(null);
    } else if (call.action.equals("removeAllListeners")) {
      for (Map.Entry<String, List<Call>> entry : listeners.entrySet()) {
        if (entry.getKey().startsWith(call.service + ".")) {
          entry.getValue().clear();
        }
      }
      call.succeed(null);
    } else {
      return false;
    }
    return true;
  }

  /** Reports whether the page that made the call is gone. */
  boolean isGone(Call call) {
    return call.port != null && call.port != port;
  }

  /** The rest of a call, which runs after permissions are granted or on another thread. */
  interface Granted {
    void run() throws Exception;
  }

  /**
   * Asks the user for permissions unless they're granted, and then continues.
   *
   * @param enough number of permissions that the user must grant. With fewer, the call fails.
   */
  void ask(Call call, String[] permissions, int enough, Granted next) {
    ask(call, permissions, enough, "The user hasn't granted the permission.", next);
  }

  /** Like {@link #ask(Call, String[], int, Granted)}. @param refusal reason for the failure if the user denies the permissions */
  void ask(final Call call, final String[] permissions, int enough, final Object refusal, final Granted next) {
    ask(
        permissions,
        enough,
        new Questions.Listener() {
          @Override
          public void onAnswer(boolean isGranted) {
            if (isGone(call)) {
              // Doesn't continue. Otherwise, a recording could start that no page can stop.
              return;
            }
            if (isGranted) {
              Bridge.run(call, next);
            } else {
              call.fail(refusal);
            }
          }
        });
  }

  /** Like {@link #ask(Call, String[], int, Granted)}, but a denial doesn't end the call. */
  void ask(String[] permissions, int enough, Questions.Listener listener) {
    remember(permissions);
    activity.questions.ask(permissions, enough, listener);
  }

  /** Remembers the request, because Android doesn't distinguish a denied permission from one that wasn't requested yet. */
  private void remember(String[] permissions) {
    SharedPreferences.Editor editor = asked().edit();
    for (String permission : permissions) {
      editor.putBoolean(permission, true);
    }
    editor.apply();
  }

  private SharedPreferences asked() {
    return activity.getSharedPreferences("appbuild.asked", Context.MODE_PRIVATE);
  }

  /** Handles permissions, which work alike for all of Capacitor's plugins. @return whether the call is about permissions */
  private boolean answerPermissions(final Plugin plugin, final Call call) {
    boolean isQuestion = call.action.equals("requestPermissions");
    if (!isQuestion && !call.action.equals("checkPermissions") || plugin.permissions().isEmpty()) {
      return false;
    }
    final Runnable answer =
        new Runnable() {
          @Override
          public void run() {
            call.succeed(states(plugin));
          }
        };
    if (!isQuestion) {
      answer.run();
      return true;
    }
    JSONArray wanted = call.options().optJSONArray("permissions");
    List<String> permissions = new ArrayList<>();
    for (Map.Entry<String, String[]> entry : plugin.permissions().entrySet()) {
      if (wanted == null || wanted.toString().contains(JSONObject.quote(entry.getKey()))) {
        permissions.addAll(Arrays.asList(entry.getValue()));
      }
    }
    String[] all = permissions.toArray(new String[0]);
    ask(
        all,
        all.length,
        new Questions.Listener() {
          @Override
          public void onAnswer(boolean isGranted) {
            answer.run();
          }
        });
    return true;
  }

  private JSONObject states(Plugin plugin) {
    Map<String, String> states = new HashMap<>();
    for (Map.Entry<String, String[]> entry : plugin.permissions().entrySet()) {
      String state = "granted";
      for (String permission : entry.getValue()) {
        if (activity.checkSelfPermission(permission) != PackageManager.PERMISSION_GRANTED) {
          boolean isAsked = asked().getBoolean(permission, false);
          boolean mayAsk = activity.shouldShowRequestPermissionRationale(permission);
          state = mayAsk ? "prompt-with-rationale" : isAsked ? "denied" : "prompt";
        }
      }
      states.put(entry.getKey(), state);
    }
    return new JSONObject(states);
  }

  @Override
  void onIntent(Intent intent) {
    for (Plugin plugin : plugins) {
      plugin.onIntent(intent);
    }
  }

  @Override
  void onLink(String url) {
    for (Plugin plugin : plugins) {
      plugin.onLink(url);
    }
  }

  /** Sends an event to the listeners of a Capacitor plugin. @return whether there are any */
  boolean emit(String plugin, String event, Object data) {
    List<Call> known = listeners.get(CAPACITOR + plugin + "." + event);
    if (known == null || known.isEmpty()) {
      return false;
    }
    for (Call call : known) {
      call.keep(data);
    }
    return true;
  }

  /** Like {@link #emit}, but without a listener, the event waits for the first one. */
  void emitOrWait(String plugin, String event, Object data) {
    if (!emit(plugin, event, data)) {
      String key = CAPACITOR + plugin + "." + event;
      List<Object> events = waiting.get(key);
      if (events == null) {
        events = new ArrayList<>();
        waiting.put(key, events);
      }
      if (events.size() == MAX_WAITING) {
        events.remove(0);
      }
      events.add(data);
    }
  }

  /**
   * Calls a function of the page. Many of Cordova's plugins have one for events. Must be called on the main thread.
   *
   * @param path name of a global function, such as `cordova.fireWindowEvent`
   * @return whether a page is connected. The page ignores a function that it doesn't have.
   */
  boolean callPage(String path, Object... args) {
    if (port == null) {
      return false;
    }
    try {
      JSONObject event = new JSONObject().put("path", path).put("args", new JSONArray(Arrays.asList(args)));
      port.postMessage(new WebMessage(new JSONArray().put("call").put(Call.KEPT).put(event).toString()));
    } catch (JSONException error) {
      Log.e(MainActivity.TAG, path, error);
    }
    return true;
  }

  /**
   * Starts an activity for a call. {@link Plugin#onResult} receives its result, even if Android ended the app in the meantime.
   *
   * @param state passed to the plugin with the result
   * @return false if no activity was started, in which case the call has failed
   */
  boolean start(Call call, JSONObject state, Intent intent) {
    return start(call, state, intent, "No app on this phone can do that.");
  }

  /** Like {@link #start(Call, JSONObject, Intent)}. @param noApp reason for the failure if no app handles the intent */
  boolean start(Call call, JSONObject state, Intent intent, Object noApp) {
    int request = nextRequest++;
    started.put(request, new Started(call, state));
    try {
      activity.startActivityForResult(intent, request);
      return true;
    } catch (RuntimeException error) {
      started.remove(request);
      Log.w(MainActivity.TAG, "No app for " + intent.getAction(), error);
      call.fail(noApp);
      return false;
    }
  }

  /**
   * Like {@link #start}, but in an app that the user chooses. The result names that app in EXTRA_CHOSEN_COMPONENT. Without
   * that extra, the user didn't choose an app.
   */
  void startChooser(Call call, JSONObject state, Intent intent, String title) {
    // Mutable, because the chooser adds the app's name. That's safe, because the intent can only deliver a result to this activity.
    int flags = PendingIntent.FLAG_ONE_SHOT | (Build.VERSION.SDK_INT >= 31 ? PendingIntent.FLAG_MUTABLE : 0);
    Intent answer = new Intent().setPackage(activity.getPackageName());
    PendingIntent chosen = activity.createPendingResult(nextRequest, answer, flags);
    // Null if this activity is ending. It doesn't get a result then.
    start(call, state, Intent.createChooser(intent, title, chosen == null ? null : chosen.getIntentSender()));
  }

  /** Called by Activity.onActivityResult. */
  @Override
  void onActivityResult(int request, final int result, final Intent data) {
    final Started ended = started.get(request);
    started.remove(request);
    final Plugin plugin = ended == null ? null : services.get(ended.call.service);
    if (plugin != null) {
      run(
          ended.call,
          new Granted() {
            @Override
            public void run() throws Exception {
              plugin.onResult(ended.call, ended.state, result, data);
            }
          });
    }
  }

  /** Saves the calls that wait for an activity, because Android may end this app to free memory for a camera. */
  @Override
  void save(Bundle saved) {
    JSONArray calls = new JSONArray();
    int room = MAX_SAVED_CHARS;
    for (int index = 0; index < started.size(); index++) {
      Call call = started.valueAt(index).call;
      int size = call.args.toString().length();
      // Omits arguments this large, because no plugin needs them for its result.
      JSONArray args = size > room ? new JSONArray() : call.args;
      room -= size > room ? 0 : size;
      calls.put(
          new JSONArray()
              .put(started.keyAt(index))
              .put(call.service)
              .put(call.action)
              .put(args)
              .put(started.valueAt(index).state));
    }
    saved.putString(STATE, calls.toString());
  }

  /** @param saved state from {@link #save} */
  @Override
  void restore(Bundle saved) {
    try {
      JSONArray calls = new JSONArray(saved.getString(STATE, "[]"));
      for (int index = 0; index < calls.length(); index++) {
        JSONArray parts = calls.getJSONArray(index);
        Call call = new Call(this, null, "", parts.getString(1), parts.getString(2), parts.getJSONArray(3));
        started.put(parts.getInt(0), new Started(call, parts.optJSONObject(4)));
        nextRequest = Math.max(nextRequest, parts.getInt(0) + 1);
      }
    } catch (JSONException error) {
      Log.e(MainActivity.TAG, STATE, error);
    }
  }

  /** Stores an answer for the next page, which gets it with the event `resume` (Cordova) or `appRestoredResult` (Capacitor). */
  void restore(Call call, boolean isFailure, Object value) throws JSONException {
    final boolean isCapacitor = call.isCapacitor();
    final JSONObject answer = new JSONObject();
    if (isCapacitor) {
      answer
          .put("pluginId", call.service.substring(CAPACITOR.length()))
          .put("methodName", call.action)
          .put("success", !isFailure);
      if (isFailure) {
        answer.put("error", value instanceof JSONObject ? value : new JSONObject().put("message", value));
      } else {
        answer.put("data", value);
      }
    } else {
      answer.put("service", call.service).put("action", call.action).put("isFailure", isFailure).put("value", value);
    }
    final String text = new JSONArray().put("restored").put(Call.KEPT).put(answer).toString();
    new Handler(Looper.getMainLooper())
        .post(
            new Runnable() {
              @Override
              public void run() {
                if (isCapacitor) {
                  emitOrWait("App", "appRestoredResult", answer);
                } else if (port == null) {
                  restored = text;
                } else {
                  port.postMessage(new WebMessage(text));
                }
              }
            });
  }

  @Override
  void onPause() {
    for (Plugin plugin : plugins) {
      plugin.onPause();
    }
  }

  @Override
  void onResume() {
    for (Plugin plugin : plugins) {
      plugin.onResume();
    }
  }

  @Override
  void onStop() {
    for (Plugin plugin : plugins) {
      plugin.onStop();
    }
  }

  @Override
  void onDestroy() {
    disconnect();
    threads.shutdown();
    for (Plugin plugin : plugins) {
      plugin.onDestroy();
    }
  }
}
