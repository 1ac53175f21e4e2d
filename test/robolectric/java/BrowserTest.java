package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.Uri;
import android.os.Binder;
import android.os.IBinder;
import android.os.Parcel;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowPackageManager;

public class BrowserTest extends PluginTest {
  private static final String CAPACITOR = "Capacitor.Browser";
  private static final String SAFARI = "SafariViewController";
  private static final String TAB = "BrowserTab";
  private static final String PAGE = "https://example.com/a?b#c";
  private static final ComponentName SERVICE = new ComponentName("com.browser", "com.browser.Service");

  /** Codes of the calls to the browser's service. */
  private final JSONArray asked = new JSONArray();
  private IBinder session;

  private void installBrowser() throws Exception {
    ShadowPackageManager packages = shadowOf(activity.getPackageManager());
    ComponentName page = new ComponentName("com.browser", "com.browser.Page");
    packages.addActivityIfNotPresent(page);
    packages.addServiceIfNotPresent(SERVICE);
    packages.addIntentFilterForService(SERVICE, new IntentFilter("android.support.customtabs.action.CustomTabsService"));
    IntentFilter web = new IntentFilter(Intent.ACTION_VIEW);
    web.addCategory(Intent.CATEGORY_DEFAULT);
    web.addDataScheme("https");
    packages.addIntentFilterForActivity(page, web);
    shadowOf(activity.getApplication()).setComponentNameAndServiceForBindService(SERVICE, new Service());
  }

  /** The browser's end of the protocol, like Chromium's. */
  private final class Service extends Binder {
    @Override
    protected boolean onTransact(int code, Parcel data, Parcel reply, int flags) {
      data.enforceInterface("android.support.customtabs.ICustomTabsService");
      asked.put(code - IBinder.FIRST_CALL_TRANSACTION);
      if (code == IBinder.FIRST_CALL_TRANSACTION + 1) {
        assertEquals(0, data.readLong());
      } else {
        session = data.readStrongBinder();
      }
      if (code == IBinder.FIRST_CALL_TRANSACTION + 3) {
        assertEquals(1, data.readInt());
        assertEquals(PAGE, Uri.CREATOR.createFromParcel(data).toString());
        assertEquals(0, data.readInt());
        assertEquals(-1, data.readInt());
      }
      reply.writeNoException();
      reply.writeInt(1);
      return true;
    }
  }

  private void tell(int event) throws Exception {
    Parcel data = Parcel.obtain();
    data.writeInterfaceToken("android.support.customtabs.ICustomTabsCallback");
    data.writeInt(event);
    data.writeInt(0);
    session.transact(IBinder.FIRST_CALL_TRANSACTION + 1, data, null, IBinder.FLAG_ONEWAY);
  }

  private Intent started() {
    return shadowOf(activity).getNextStartedActivity();
  }

  private String listen(String event) throws Exception {
    return send(CAPACITOR, "addListener", new JSONObject().put("eventName", event));
  }

  @Test
  public void opensATabAndTellsOfIt() throws Exception {
    String finished = listen("browserFinished");
    call(CAPACITOR, "open", new JSONObject().put("url", PAGE).put("toolbarColor", "#123456"));
    Intent tab = started();
    assertEquals(Intent.ACTION_VIEW, tab.getAction());
    assertEquals(PAGE, tab.getDataString());
    assertNull(tab.getComponent());
    assertTrue(tab.hasExtra("android.support.customtabs.extra.SESSION"));
    assertEquals(0xff123456, tab.getIntExtra("android.support.customtabs.extra.TOOLBAR_COLOR", 0));
    controller.pause();
    assertEquals(0, answers(finished).length());
    controller.resume();
    assertEquals(1, answers(finished).length());
    controller.pause().resume();
    assertEquals(1, answers(finished).length());
    assertEquals("Capacitor.Browser doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
  }

  @Test
  public void opensPagesOfTheWebAlone() throws Exception {
    for (String url : new String[] {"file:///data/x", "intent:#Intent;end", "content://a/b", "javascript:1", "", "tel:1"}) {
      String reason = "The browser opens http and https URLs only, not “" + url + "”.";
      assertEquals(reason, fail(CAPACITOR, "open", new JSONObject().put("url", url)));
      assertEquals(reason, fail(TAB, "openUrl", url));
      assertEquals(reason, ((JSONObject) fail(SAFARI, "show", new JSONObject().put("url", url))).get("error"));
    }
    assertNull(started());
    call(CAPACITOR, "open", new JSONObject().put("url", PAGE).put("toolbarColor", "no"));
    assertFalse(started().hasExtra("android.support.customtabs.extra.TOOLBAR_COLOR"));
  }

  @Test
  public void closesTheTab() throws Exception {
    call(CAPACITOR, "close");
    assertNull(started());
    call(TAB, "openUrl", PAGE);
    assertEquals(PAGE, started().getDataString());
    call(TAB, "close");
    Intent self = started();
    assertEquals(MainActivity.class.getName(), self.getComponent().getClassName());
    assertTrue((self.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0);
  }

  @Test
  public void knowsThatThereIsNoBrowser() throws Exception {
    assertEquals(false, call(TAB, "isAvailable"));
    assertEquals(false, call(SAFARI, "isAvailable"));
    assertEquals("[]", callForObject(SAFARI, "getViewHandlerPackages").get("customTabsImplementations").toString());
    assertEquals("Failed to connect to service", fail(SAFARI, "connectToService"));
    assertEquals("Failed to warm up service", fail(SAFARI, "warmUp"));
    assertEquals("Failed prepare to launch url: " + PAGE, fail(SAFARI, "mayLaunchUrl", PAGE));
    assertEquals("Invalid package: com.browser", fail(SAFARI, "useCustomTabsImplementation", "com.browser"));
    String id = send(SAFARI, "show", new JSONObject().put("url", PAGE));
    assertEquals("{\"event\":\"opened\"}", answers(id).getJSONArray(0).get(2).toString());
    assertEquals("{\"event\":\"loaded\"}", answers(id).getJSONArray(1).get(2).toString());
    controller.pause().resume();
    assertEquals("{\"event\":\"closed\"}", answers(id).getJSONArray(2).get(2).toString());
    call(SAFARI, "hide");
  }

  @Test
  public void talksToTheBrowser() throws Exception {
    installBrowser();
    assertEquals(true, call(SAFARI, "isAvailable"));
    JSONObject handlers = callForObject(SAFARI, "getViewHandlerPackages");
    assertEquals("[\"com.browser\"]", handlers.get("customTabsImplementations").toString());
    assertEquals("com.browser", handlers.get("defaultHandler"));
    assertEquals(true, call(SAFARI, "useCustomTabsImplementation", "com.browser"));
    assertEquals(true, call(SAFARI, "connectToService"));
    assertEquals(true, call(SAFARI, "warmUp"));
    assertEquals(true, call(SAFARI, "mayLaunchUrl", PAGE));
    assertEquals("[2,1,3]", asked.toString());
    String loaded = listen("browserPageLoaded");
    String id = send(SAFARI, "show", new JSONObject().put("url", PAGE));
    assertEquals(1, answers(id).length());
    Intent tab = started();
    assertEquals("com.browser", tab.getPackage());
    assertEquals(session, tab.getExtras().getBinder("android.support.customtabs.extra.SESSION"));
    tell(1);
    assertEquals(0, answers(loaded).length());
    tell(2);
    assertEquals(1, answers(loaded).length());
    assertEquals("{\"event\":\"loaded\"}", answers(id).getJSONArray(1).get(2).toString());
    tell(2);
    assertEquals(1, answers(loaded).length());
    assertNotNull(session);
    close();
    assertFalse(shadowOf(activity.getApplication()).getUnboundServiceConnections().isEmpty());
    open(null);
  }
}
