package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.Manifest;
import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.Uri;
import android.provider.Settings;
import android.telephony.TelephonyManager;
import java.io.File;
import java.io.FileWriter;
import java.io.InputStream;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowPackageManager;

public class LauncherTest extends PluginTest {
  private static final String LAUNCHER = "Capacitor.AppLauncher";
  private static final String OPENER = "FileOpener2";
  private static final String CAPACITOR_OPENER = "Capacitor.FileOpener";
  private static final String VIEWER = "Capacitor.FileViewer";
  private static final String SETTINGS = "NativeSettings";

  private void install(String name, IntentFilter filter) throws Exception {
    ShadowPackageManager packages = shadowOf(activity.getPackageManager());
    ComponentName page = new ComponentName(name, name + ".Page");
    packages.addActivityIfNotPresent(page);
    packages.addIntentFilterForActivity(page, filter);
  }

  private static JSONObject url(String url) throws Exception {
    return new JSONObject().put("url", url);
  }

  private Intent started() {
    return shadowOf(activity).getNextStartedActivity();
  }

  private boolean canOpen(String url) throws Exception {
    return callForObject(LAUNCHER, "canOpenUrl", url(url)).getBoolean("value");
  }

  private boolean open(String url) throws Exception {
    return callForObject(LAUNCHER, "openUrl", url(url)).getBoolean("completed");
  }

  private void everyAppIsKnown() {
    shadowOf(activity.getApplication()).checkActivities(true);
  }

  @Test
  public void opensOtherApps() throws Exception {
    IntentFilter main = new IntentFilter(Intent.ACTION_MAIN);
    main.addCategory(Intent.CATEGORY_LAUNCHER);
    main.addCategory(Intent.CATEGORY_DEFAULT);
    install("com.other", main);
    IntentFilter view = new IntentFilter(Intent.ACTION_VIEW);
    view.addCategory(Intent.CATEGORY_DEFAULT);
    view.addCategory(Intent.CATEGORY_BROWSABLE);
    view.addDataScheme("other");
    install("com.links", view);
    everyAppIsKnown();
    assertTrue(canOpen("com.other"));
    assertTrue(canOpen("other:x"));
    assertFalse(canOpen("com.absent"));
    assertFalse(canOpen("absent:x"));
    assertTrue(open("other:x"));
    Intent intent = started();
    assertEquals("other:x", intent.getDataString());
    assertTrue(intent.hasCategory(Intent.CATEGORY_BROWSABLE));
    assertTrue(open("com.other"));
    assertEquals("com.other", started().getPackage());
    assertFalse(open("com.absent"));
    assertFalse(open("absent:x"));
    assertEquals("Must supply a url", fail(LAUNCHER, "canOpenUrl", new JSONObject()));
    assertEquals("Must provide a url to open", fail(LAUNCHER, "openUrl", new JSONObject()));
    assertEquals(true, call("AppAvailability", "checkAvailability", "com.other"));
    assertEquals("", fail("AppAvailability", "checkAvailability", "com.absent"));
    assertEquals("Capacitor.AppLauncher doesn't have the action nothing.", fail(LAUNCHER, "nothing"));
  }

  @Test
  public void opensNothingThatOnlyThisAppMay() throws Exception {
    for (String url : new String[] {
      "file:///data/x", "content://com.example.plain.files/x", "intent:#Intent;component=com.example.plain/.X;end", "javascript:1",
      "FILE:///x", "data:text/html,x", "android-app://x", "a b",
    }) {
      assertFalse(url, canOpen(url));
      assertFalse(url, open(url));
      assertNull(url, started());
    }
  }

  @Test
  public void callsNumbers() throws Exception {
    shadowOf(activity.getSystemService(TelephonyManager.class)).setPhoneType(TelephonyManager.PHONE_TYPE_NONE);
    call("CallNumber", "callNumber", "*100#", false);
    Intent intent = started();
    assertEquals(Intent.ACTION_DIAL, intent.getAction());
    assertEquals("tel:*100%23", intent.getDataString());
    shadowOf(activity.getSystemService(TelephonyManager.class)).setPhoneType(TelephonyManager.PHONE_TYPE_GSM);
    String id = send("CallNumber", "callNumber", "tel:1", true);
    assertEquals(0, answers(id).length());
    activity.onRequestPermissionsResult(2, new String[] {Manifest.permission.CALL_PHONE}, new int[] {-1});
    assertEquals("[\"" + id + "\",1,20]", answers(id).getJSONArray(0).toString());
    assertNull(called());
    shadowOf(activity.getApplication()).grantPermissions(Manifest.permission.CALL_PHONE);
    call("CallNumber", "callNumber", "tel:1", true);
    intent = called();
    assertEquals(Intent.ACTION_CALL, intent.getAction());
    assertEquals("tel:1", intent.getDataString());
    assertEquals("com.android.server.telecom", intent.getPackage());
    call("CallNumber", "callNumber", "1", false);
    assertNull(called().getPackage());
    everyAppIsKnown();
    assertEquals("CouldNotCallPhoneNumber", fail("CallNumber", "callNumber", "1", true));
    assertEquals("CouldNotCallPhoneNumber", fail("CallNumber", "callNumber", "1", false));
    assertEquals("CallNumber doesn't have the action nothing.", fail("CallNumber", "nothing"));
  }

  /** Returns the intent of a phone call. Skips Android's permission request, which is also an activity. */
  private Intent called() {
    Intent intent = started();
    while (intent != null && !Intent.ACTION_CALL.equals(intent.getAction())) {
      intent = started();
    }
    return intent;
  }

  @Test
  public void opensTheStore() throws Exception {
    call("Market", "open", "com.other&x");
    assertEquals("market://details?id=com.other%26x", started().getDataString());
    call("Market", "search", "a b");
    assertEquals("market://search?q=a%20b", started().getDataString());
    IntentFilter web = new IntentFilter(Intent.ACTION_VIEW);
    web.addCategory(Intent.CATEGORY_DEFAULT);
    web.addDataScheme("https");
    install("com.browser", web);
    everyAppIsKnown();
    call("Market", "open", "com.other");
    assertEquals("https://play.google.com/store/apps/details?id=com.other", started().getDataString());
    call("Market", "search", "a");
    assertEquals("https://play.google.com/store/search?q=a&c=apps", started().getDataString());
  }

  @Test
  public void opensSettings() throws Exception {
    for (String name : (
        "about accessibility account airplane_mode apn application application_details application_development battery_optimization biometric "
            + "bluetooth captioning cast data_roaming date display dream home keyboard keyboard_subtype locale location "
            + "manage_all_applications manage_applications memory_card network nfc_payment nfc_settings nfcsharing notification_id print "
            + "privacy quick_launch search security settings show_regulatory_info sound storage store sync usage user_dictionary voice_input "
            + "wifi wifi_ip wireless").split(" ")) {
      call(SETTINGS, "open", name);
      assertTrue(name, started().getAction() != null);
    }
    call(SETTINGS, "open", "wifi", true);
    Intent intent = started();
    assertEquals(Settings.ACTION_WIFI_SETTINGS, intent.getAction());
    assertTrue((intent.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK) != 0);
    call(SETTINGS, "open", "application_details");
    assertEquals("package:com.example.plain", started().getDataString());
    assertEquals("The phone's settings have no page “none”.", fail(SETTINGS, "open", "none"));
    everyAppIsKnown();
    assertEquals("No app on this phone can do that.", fail(SETTINGS, "open", "wifi"));
  }

  private String write() throws Exception {
    File file = new File(activity.getFilesDir(), "ü b.pdf");
    try (FileWriter writer = new FileWriter(file)) {
      writer.write("own");
    }
    return file.getPath();
  }

  /** Returns the intent with the content that the other app should show. */
  private Intent shown() throws Exception {
    Intent intent = started();
    intent = Intent.ACTION_CHOOSER.equals(intent.getAction()) ? intent.getParcelableExtra(Intent.EXTRA_INTENT) : intent;
    assertEquals(Intent.ACTION_VIEW, intent.getAction());
    assertTrue(intent.getDataString().startsWith("content://com.example.plain.files/"));
    assertTrue((intent.getFlags() & Intent.FLAG_GRANT_READ_URI_PERMISSION) != 0);
    return intent;
  }

  private String textOf(Intent intent) throws Exception {
    try (InputStream stream = activity.getContentResolver().openInputStream(intent.getData())) {
      return new String(stream.readAllBytes(), "UTF-8");
    }
  }

  @Test
  public void opensFiles() throws Exception {
    String path = write();
    assertEquals("OK", call(OPENER, "open", path, ""));
    Intent intent = shown();
    assertEquals("application/pdf", intent.getType());
    assertEquals("own", textOf(intent));
    call(OPENER, "open", Uri.fromFile(new File(path)).toString(), "text/x");
    assertEquals("text/x", shown().getType());
    call(OPENER, "open", path, "", false, new JSONArray());
    assertEquals(Intent.ACTION_CHOOSER, shadowOf(activity).getNextStartedActivity().getAction());
    call(OPENER, "open", "https://localhost/manual.pdf", "");
    assertEquals("%PDF-1.4", textOf(shown()));
    assertEquals(JSONObject.NULL, call(CAPACITOR_OPENER, "open", new JSONObject().put("filePath", path)));
    assertEquals("own", textOf(shown()));
    call(CAPACITOR_OPENER, "open", new JSONObject().put("filePath", path).put("contentType", "a/b").put("openWithDefault", false));
    assertEquals("a/b", shown().getType());
    assertEquals("{\"status\":9,\"message\":\"File not found\"}", fail(OPENER, "open", "/etc/hosts", "").toString());
    assertEquals("{\"status\":9,\"message\":\"File not found\"}", fail(OPENER, "open", path + "x", "").toString());
    assertEquals(
        "{\"code\":\"9\",\"message\":\"File not found\"}",
        fail(CAPACITOR_OPENER, "open", new JSONObject().put("filePath", "file:///etc/hosts")).toString());
    everyAppIsKnown();
    JSONObject reason = (JSONObject) fail(OPENER, "open", path, "");
    assertEquals(9, reason.get("status"));
    assertEquals("Activity not found: application/pdf", reason.get("message"));
    reason = (JSONObject) fail(CAPACITOR_OPENER, "open", new JSONObject().put("filePath", path));
    assertEquals("8", reason.get("code"));
    assertEquals("Activity not found: application/pdf", reason.get("message"));
    assertEquals("FileOpener2 doesn't have the action nothing.", fail(OPENER, "nothing"));
  }

  @Test
  public void viewsFiles() throws Exception {
    String path = write();
    for (String method : new String[] {"openDocumentFromLocalPath", "previewMediaContentFromLocalPath"}) {
      call(VIEWER, method, new JSONObject().put("path", path));
      assertEquals("own", textOf(shown()));
    }
    for (String method : new String[] {"openDocumentFromResources", "previewMediaContentFromResources"}) {
      call(VIEWER, method, new JSONObject().put("path", "public/dir/ü b.txt"));
      assertEquals("b", textOf(shown()));
    }
    for (String method : new String[] {"openDocumentFromUrl", "previewMediaContentFromUrl"}) {
      call(VIEWER, method, url("https://x.example/a.pdf"));
      assertEquals("https://x.example/a.pdf", started().getDataString());
    }
    assertEquals("OS-PLUG-FLVW-0004", code("openDocumentFromLocalPath", new JSONObject().put("path", "/etc/hosts")));
    assertEquals("OS-PLUG-FLVW-0004", code("openDocumentFromResources", new JSONObject().put("path", "../shell.json")));
    assertEquals("OS-PLUG-FLVW-0005", code("openDocumentFromUrl", url("file:///etc/hosts")));
    assertEquals("OS-PLUG-FLVW-0006", code("openDocumentFromLocalPath", new JSONObject().put("path", " ")));
    assertEquals("OS-PLUG-FLVW-0007", code("openDocumentFromUrl", url("")));
    everyAppIsKnown();
    assertEquals("OS-PLUG-FLVW-0010", code("openDocumentFromLocalPath", new JSONObject().put("path", path)));
    assertEquals("OS-PLUG-FLVW-0010", code("openDocumentFromUrl", url("https://x.example/")));
  }

  private Object code(String method, JSONObject options) throws Exception {
    return ((JSONObject) fail(VIEWER, method, options)).get("code");
  }

  @Test
  public void asksToUninstall() throws Exception {
    assertEquals("{\"status\":1,\"message\":\"Installed\"}", call(OPENER, "appIsInstalled", "com.example.plain").toString());
    assertEquals("{\"status\":0,\"message\":\"Not installed\"}", call(OPENER, "appIsInstalled", "com.absent").toString());
    assertEquals(
        "The manifest doesn't declare android.permission.REQUEST_DELETE_PACKAGES.",
        ((JSONObject) fail(OPENER, "uninstall", "com.other")).get("message"));
    shadowOf(activity.getApplication()).grantPermissions("android.permission.REQUEST_DELETE_PACKAGES");
    call(OPENER, "uninstall", "com.other");
    Intent intent = started();
    assertEquals(Intent.ACTION_DELETE, intent.getAction());
    assertEquals("package:com.other", intent.getDataString());
    everyAppIsKnown();
    assertEquals("This package is not installed", ((JSONObject) fail(OPENER, "uninstall", "com.other")).get("message"));
  }
}
