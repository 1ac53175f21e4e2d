package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.NetworkCapabilities;
import android.net.NetworkInfo;
import android.telephony.TelephonyManager;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowNetworkCapabilities;
import org.robolectric.shadows.ShadowNetworkInfo;

public class NetworkTest extends PluginTest {
  private final ConnectivityManager manager =
      (ConnectivityManager) RuntimeEnvironment.getApplication().getSystemService(Context.CONNECTIVITY_SERVICE);

  @Before
  public void connectToWifi() {
    setNetwork(NetworkCapabilities.TRANSPORT_WIFI, ConnectivityManager.TYPE_WIFI, 0);
  }

  /** Changes the network without calling the callbacks. @return the network */
  private NetworkCapabilities setNetwork(int transport, int type, int subtype) {
    NetworkCapabilities capabilities = ShadowNetworkCapabilities.newInstance();
    shadowOf(capabilities).addTransportType(transport);
    shadowOf(capabilities).addCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET);
    shadowOf(manager)
        .setActiveNetworkInfo(ShadowNetworkInfo.newInstance(NetworkInfo.DetailedState.CONNECTED, type, subtype, true, true));
    shadowOf(manager).setNetworkCapabilities(manager.getActiveNetwork(), capabilities);
    return capabilities;
  }

  private void change(NetworkCapabilities capabilities) {
    for (ConnectivityManager.NetworkCallback callback : shadowOf(manager).getNetworkCallbacks()) {
      if (capabilities == null) {
        callback.onLost(null);
      } else {
        callback.onCapabilitiesChanged(null, capabilities);
      }
    }
  }

  private String status() throws Exception {
    JSONObject status = callForObject("Capacitor.Network", "getStatus", new JSONObject());
    return status.getBoolean("connected") + " " + status.getString("connectionType");
  }

  @Test
  public void tellsTheType() throws Exception {
    assertEquals("wifi", call("NetworkStatus", "getConnectionInfo"));
    assertEquals("true wifi", status());
    Map<Integer, String> generations =
        Map.of(
            TelephonyManager.NETWORK_TYPE_EDGE, "2g",
            TelephonyManager.NETWORK_TYPE_HSPAP, "3g",
            TelephonyManager.NETWORK_TYPE_LTE, "4g",
            TelephonyManager.NETWORK_TYPE_NR, "5g",
            TelephonyManager.NETWORK_TYPE_UNKNOWN, "cellular");
    for (Map.Entry<Integer, String> each : generations.entrySet()) {
      setNetwork(NetworkCapabilities.TRANSPORT_CELLULAR, ConnectivityManager.TYPE_MOBILE, each.getKey());
      assertEquals(each.getValue(), call("NetworkStatus", "getConnectionInfo"));
      assertEquals("true cellular", status());
    }
    setNetwork(NetworkCapabilities.TRANSPORT_ETHERNET, ConnectivityManager.TYPE_ETHERNET, 0);
    assertEquals("ethernet", call("NetworkStatus", "getConnectionInfo"));
    assertEquals("true unknown", status());
    setNetwork(NetworkCapabilities.TRANSPORT_BLUETOOTH, ConnectivityManager.TYPE_BLUETOOTH, 0);
    assertEquals("unknown", call("NetworkStatus", "getConnectionInfo"));
    shadowOf(manager).setActiveNetworkInfo(null);
    assertEquals("none", call("NetworkStatus", "getConnectionInfo"));
    assertEquals("false none", status());
    assertEquals("NetworkStatus doesn't have the action stop.", fail("NetworkStatus", "stop"));
  }

  @Test
  public void tellsOfChanges() throws Exception {
    String first = send("NetworkStatus", "getConnectionInfo");
    String second = send("NetworkStatus", "getConnectionInfo");
    String third = send("NetworkStatus", "getConnectionInfo");
    String listener = send("Capacitor.Network", "addListener", new JSONObject().put("eventName", "networkStatusChange"));
    answers(listener);
    change(null);
    change(null);
    change(setNetwork(NetworkCapabilities.TRANSPORT_WIFI, ConnectivityManager.TYPE_WIFI, 0));
    JSONArray types = answers(first);
    assertEquals("wifi", types.getJSONArray(0).getString(2));
    assertEquals("none", types.getJSONArray(1).getString(2));
    assertEquals("wifi", types.getJSONArray(2).getString(2));
    assertEquals(3, types.length());
    // If a page asks repeatedly, only its last call gets changes.
    assertEquals(1, answers(second).length());
    assertEquals(3, answers(third).length());
    JSONArray events = answers(listener);
    assertEquals(2, events.length());
    assertEquals("{\"connected\":false,\"connectionType\":\"none\"}", events.getJSONArray(0).getJSONObject(2).toString());
    assertEquals("wifi", events.getJSONArray(1).getJSONObject(2).getString("connectionType"));
  }

  @Test
  public void endsWithTheApp() {
    assertEquals(1, shadowOf(manager).getNetworkCallbacks().size());
    controller.pause().stop().destroy();
    assertTrue(shadowOf(manager).getNetworkCallbacks().isEmpty());
    open(null);
  }
}
