package appbuild.shell;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.NetworkCapabilities;
import android.net.NetworkInfo;
import android.telephony.TelephonyManager;
import android.util.Log;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.json.JSONObject;

/** Implements cordova-plugin-network-information and @capacitor/network. */
final class Network extends Plugin {
  /** Maximum number of calls that get changes: the plugin script's own call and the page's last one. */
  private static final int MAX_CALLS = 2;

  private final List<Call> calls = new ArrayList<>();
  /** Null before the app is visible and after it ends. */
  private Changes changes;
  private String type = "";

  @Override
  String[] services() {
    return new String[] {"NetworkStatus", "Capacitor.Network"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "getConnectionInfo":
        if (calls.size() == MAX_CALLS) {
          calls.remove(MAX_CALLS - 1);
        }
        change(type(current()));
        calls.add(call);
        call.keep(type);
        return;
      case "getStatus":
        change(type(current()));
        call.succeed(status(type));
        return;
      default:
        throw unknown(call);
    }
  }

  /** Converts a connection type to Capacitor's status, which has fewer types. */
  private static JSONObject status(String type) {
    boolean isKnown = type.equals("none") || type.equals("wifi");
    boolean isCellular = type.equals("cellular") || type.endsWith("g");
    Map<String, Object> status = new HashMap<>();
    status.put("connected", !type.equals("none"));
    status.put("connectionType", isKnown ? type : isCellular ? "cellular" : "unknown");
    return new JSONObject(status);
  }

  private ConnectivityManager manager() {
    return (ConnectivityManager) activity.getSystemService(Context.CONNECTIVITY_SERVICE);
  }

  private NetworkCapabilities current() {
    return manager().getNetworkCapabilities(manager().getActiveNetwork());
  }

  /** Returns Cordova's name of a connection type. @param network null for none */
  private String type(NetworkCapabilities network) {
    if (network == null || !network.hasCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)) {
      return "none";
    }
    if (network.hasTransport(NetworkCapabilities.TRANSPORT_WIFI)) {
      return "wifi";
    }
    if (network.hasTransport(NetworkCapabilities.TRANSPORT_ETHERNET)) {
      return "ethernet";
    }
    return network.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) ? generation() : "unknown";
  }

  /** Returns the generation, such as `4g`, or `cellular`. TelephonyManager would require the permission to manage calls. */
  private String generation() {
    NetworkInfo info = manager().getActiveNetworkInfo();
    switch (info == null ? TelephonyManager.NETWORK_TYPE_UNKNOWN : info.getSubtype()) {
      case TelephonyManager.NETWORK_TYPE_GPRS:
      case TelephonyManager.NETWORK_TYPE_EDGE:
      case TelephonyManager.NETWORK_TYPE_GSM:
      case TelephonyManager.NETWORK_TYPE_CDMA:
      case TelephonyManager.NETWORK_TYPE_1xRTT:
      case TelephonyManager.NETWORK_TYPE_IDEN:
        return "2g";
      case TelephonyManager.NETWORK_TYPE_UMTS:
      case TelephonyManager.NETWORK_TYPE_HSPA:
      case TelephonyManager.NETWORK_TYPE_HSDPA:
      case TelephonyManager.NETWORK_TYPE_HSUPA:
      case TelephonyManager.NETWORK_TYPE_HSPAP:
      case TelephonyManager.NETWORK_TYPE_EVDO_0:
      case TelephonyManager.NETWORK_TYPE_EVDO_A:
      case TelephonyManager.NETWORK_TYPE_EVDO_B:
      case TelephonyManager.NETWORK_TYPE_EHRPD:
      case TelephonyManager.NETWORK_TYPE_TD_SCDMA:
        return "3g";
      case TelephonyManager.NETWORK_TYPE_LTE:
        return "4g";
      case TelephonyManager.NETWORK_TYPE_NR:
        return "5g";
      default:
        return "cellular";
    }
  }

  @Override
  void onResume() {
    if (changes == null) {
      try {
        Changes registered = new Changes();
        manager().registerDefaultNetworkCallback(registered);
        changes = registered;
      } catch (SecurityException error) {
        // Some phones with Android 11 occasionally reject the request. The plugin retries when the app becomes active again.
        Log.w(MainActivity.TAG, "Network", error);
      }
    }
  }

  @Override
  void onReset() {
    calls.clear();
  }

  @Override
  void onDestroy() {
    if (changes != null) {
      manager().unregisterNetworkCallback(changes);
      changes = null;
    }
  }

  /** Reports network changes. Android calls it on a separate thread, where ConnectivityManager may still report the previous state. */
  private final class Changes extends ConnectivityManager.NetworkCallback {
    @Override
    public void onCapabilitiesChanged(android.net.Network network, NetworkCapabilities capabilities) {
      tell(capabilities);
    }

    @Override
    public void onLost(android.net.Network network) {
      tell(null);
    }

    private void tell(final NetworkCapabilities capabilities) {
      activity.runOnUiThread(
          new Runnable() {
            @Override
            public void run() {
              if (changes != null) {
                change(type(capabilities));
              }
            }
          });
    }
  }

  private void change(String now) {
    if (now.equals(type)) {
      return;
    }
    type = now;
    for (Call call : calls) {
      call.keep(now);
    }
    bridge.emit("Network", "networkStatusChange", status(now));
  }
}
