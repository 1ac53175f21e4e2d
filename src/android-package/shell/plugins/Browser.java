package appbuild.shell;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.graphics.Color;
import android.net.Uri;
import android.os.Binder;
import android.os.Bundle;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.Parcel;
import android.os.RemoteException;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Shows pages in a custom tab of the phone's browser: @capacitor/browser, cordova-plugin-safariviewcontroller, cordova-plugin-browsertab.
 * Uses the protocol of androidx.browser: extras of an intent, and a service of the browser.
 */
final class Browser extends Plugin {
  private static final String CAPACITOR = "Browser";
  private static final String SERVICE = "android.support.customtabs.action.CustomTabsService";
  private static final String EXTRA_SESSION = "android.support.customtabs.extra.SESSION";
  private static final String EXTRA_COLOR = "android.support.customtabs.extra.TOOLBAR_COLOR";
  private static final String EXTRA_SHARE = "android.support.customtabs.extra.SHARE_MENU_ITEM";

  /** Connection to the browser's service. Null for none. */
  private Connection connection;
  /** Package name of the browser that the page chose. Null for the phone's default. */
  private String chosen;
  /** Whether a tab is open, and whether another activity has hidden this one since. */
  private boolean isOpen;
  private boolean isHidden;
  private boolean isLoaded;
  /** Receives events of the tab. Null for none. */
  private Call listener;

  @Override
  String[] services() {
    return new String[] {Bridge.CAPACITOR + CAPACITOR, "SafariViewController", "BrowserTab"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "open":
        open(call.options().optString("url"), call.options());
        call.succeed(null);
        return;
      case "openUrl":
        open(call.args.optString(0), new JSONObject());
        call.succeed(null);
        return;
      case "show":
        show(call);
        return;
      case "close":
      case "hide":
        if (isOpen) {
          // Ends the activities above this one in its task.
          activity.startActivity(
              new Intent(activity, MainActivity.class)
                  .addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP | Intent.FLAG_ACTIVITY_SINGLE_TOP));
        }
        call.succeed(null);
        return;
      case "isAvailable":
        call.succeed(!browsers().isEmpty());
        return;
      case "getViewHandlerPackages":
        call.succeed(
            new JSONObject().put("defaultHandler", defaultBrowser()).put("customTabsImplementations", new JSONArray(browsers())));
        return;
      case "useCustomTabsImplementation":
        String wanted = call.args.optString(0);
        if (!browsers().contains(wanted)) {
          throw new IllegalArgumentException("Invalid package: " + wanted);
        }
        chosen = wanted;
        call.succeed(true);
        return;
      case "connectToService":
        connect(call);
        return;
      case "warmUp":
        answer(call, isConnected() && connection.warmUp(), "Failed to warm up service");
        return;
      case "mayLaunchUrl":
        Uri url = webUrl(call.args.optString(0));
        answer(call, isConnected() && connection.mayLaunch(url), "Failed prepare to launch url: " + url);
        return;
      default:
        throw unknown(call);
    }
  }

  private static void answer(Call call, boolean isDone, String reason) {
    if (isDone) {
      call.succeed(true);
    } else {
      call.fail(reason);
    }
  }

  private void show(Call call) throws JSONException {
    try {
      open(call.options().optString("url"), call.options());
    } catch (RuntimeException error) {
      call.fail(new JSONObject().put("error", error.getMessage()));
      return;
    }
    listener = call;
    call.keep(new JSONObject().put("event", "opened"));
    if (!isConnected()) {
      // Without a connection, the browser never reports this event.
      call.keep(new JSONObject().put("event", "loaded"));
    }
  }

  private static Uri webUrl(String text) {
    if (Urls.originOf(text) == null) {
      throw new IllegalArgumentException("The browser opens http and https URLs only, not “" + text + "”.");
    }
    return Uri.parse(text);
  }

  private void open(final String text, final JSONObject options) {
    Uri url = webUrl(text);
    Bundle extras = new Bundle();
    extras.putBinder(EXTRA_SESSION, isConnected() ? connection.session : null);
    extras.putBoolean(EXTRA_SHARE, options.optBoolean("showDefaultShareMenuItem", false));
    try {
      extras.putInt(EXTRA_COLOR, Color.parseColor(options.optString("toolbarColor")));
    } catch (RuntimeException none) {
      // Not a color that Android can parse. The browser uses its own color.
    }
    activity.startActivity(new Intent(Intent.ACTION_VIEW, url).setPackage(chosen).putExtras(extras));
    isOpen = true;
    isHidden = false;
    isLoaded = false;
  }

  private String defaultBrowser() {
    Intent any = new Intent(Intent.ACTION_VIEW, Uri.parse("https://example.com/"));
    ResolveInfo info = activity.getPackageManager().resolveActivity(any, PackageManager.MATCH_DEFAULT_ONLY);
    return info == null ? null : info.activityInfo.packageName;
  }

  /** Returns the browsers that support custom tabs, the phone's default first. */
  private List<String> browsers() {
    List<String> names = new ArrayList<>();
    for (ResolveInfo info : activity.getPackageManager().queryIntentServices(new Intent(SERVICE), 0)) {
      names.add(info.serviceInfo.packageName);
    }
    String first = defaultBrowser();
    if (names.remove(first)) {
      names.add(0, first);
    }
    return names;
  }

  private boolean isConnected() {
    return connection != null && connection.service != null;
  }

  /** Connects to the browser's service. @param call call to answer when the service is connected, or null */
  private void connect(Call call) {
    disconnect();
    List<String> names = browsers();
    if (!names.isEmpty()) {
      connection = new Connection(call);
      Intent service = new Intent(SERVICE).setPackage(chosen == null ? names.get(0) : chosen);
      if (activity.bindService(service, connection, Context.BIND_AUTO_CREATE)) {
        return;
      }
      disconnect();
    }
    if (call != null) {
      call.fail("Failed to connect to service");
    }
  }

  private void disconnect() {
    if (connection != null) {
      activity.unbindService(connection);
      connection = null;
    }
  }

  /** A connection to the browser's service, which reports the tab's events to a session. */
  private final class Connection implements ServiceConnection {
    private static final String SERVICE_INTERFACE = "android.support.customtabs.ICustomTabsService";
    private static final String CALLBACK_INTERFACE = "android.support.customtabs.ICustomTabsCallback";
    private static final int WARM_UP = IBinder.FIRST_CALL_TRANSACTION + 1;
    private static final int NEW_SESSION = IBinder.FIRST_CALL_TRANSACTION + 2;
    private static final int MAY_LAUNCH = IBinder.FIRST_CALL_TRANSACTION + 3;
    private static final int ON_NAVIGATION = IBinder.FIRST_CALL_TRANSACTION + 1;
    private static final int NAVIGATION_FINISHED = 2;

    private Call call;
    /** Null until the service is connected. */
    private IBinder service;

    /** The browser calls this on its own threads. */
    final IBinder session =
        new Binder() {
          @Override
          protected boolean onTransact(int code, Parcel data, Parcel reply, int flags) throws RemoteException {
            if (code == INTERFACE_TRANSACTION) {
              reply.writeString(CALLBACK_INTERFACE);
              return true;
            } else if (code != ON_NAVIGATION) {
              return super.onTransact(code, data, reply, flags);
            }
            data.enforceInterface(CALLBACK_INTERFACE);
            if (data.readInt() == NAVIGATION_FINISHED) {
              new Handler(Looper.getMainLooper())
                  .post(
                      new Runnable() {
                        @Override
                        public void run() {
                          onLoaded();
                        }
                      });
            }
            return true;
          }
        };

    Connection(Call call) {
      this.call = call;
    }

    @Override
    public void onServiceConnected(ComponentName name, IBinder binder) {
      service = binder;
      boolean isDone = ask(NEW_SESSION, null);
      if (call != null) {
        answer(call, isDone, "Failed to connect to service");
        call = null;
      }
    }

    @Override
    public void onServiceDisconnected(ComponentName name) {
      service = null;
    }

    boolean warmUp() {
      return ask(WARM_UP, null);
    }

    boolean mayLaunch(Uri url) {
      return ask(MAY_LAUNCH, url);
    }

    /** Sends a request to the browser's service. @return whether the browser accepts it */
    private boolean ask(int code, Uri url) {
      Parcel data = Parcel.obtain();
      Parcel reply = Parcel.obtain();
      try {
        data.writeInterfaceToken(SERVICE_INTERFACE);
        if (code == WARM_UP) {
          data.writeLong(0);
        } else {
          data.writeStrongBinder(session);
        }
        if (code == MAY_LAUNCH) {
          data.writeInt(1);
          url.writeToParcel(data, 0);
          // Neither a bundle nor a list of other URLs.
          data.writeInt(0);
          data.writeInt(-1);
        }
        return service.transact(code, data, reply, 0) && isTrue(reply);
      } catch (RemoteException | RuntimeException gone) {
        return false;
      } finally {
        data.recycle();
        reply.recycle();
      }
    }

    private boolean isTrue(Parcel reply) {
      reply.readException();
      return reply.readInt() != 0;
    }
  }

  /** Reports the tab's first page. Ignores later ones. */
  private void onLoaded() {
    if (isOpen && !isLoaded) {
      isLoaded = true;
      tell("loaded", "browserPageLoaded");
    }
  }

  private void tell(String event, String capacitorEvent) {
    bridge.emit(CAPACITOR, capacitorEvent, null);
    if (listener != null) {
      try {
        listener.keep(new JSONObject().put("event", event));
      } catch (JSONException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  @Override
  void onReset() {
    listener = null;
  }

  @Override
  void onPause() {
    isHidden = isOpen;
  }

  /** Treats the tab as closed. It was above this activity in the same task. */
  @Override
  void onResume() {
    if (connection == null) {
      // Connects early, because a tab that opens before the connection is ready doesn't send events.
      connect(null);
    }
    if (isHidden) {
      isOpen = false;
      isHidden = false;
      tell("closed", "browserFinished");
      listener = null;
    }
  }

  @Override
  void onDestroy() {
    disconnect();
  }
}
