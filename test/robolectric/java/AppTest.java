package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.Robolectric;

public class AppTest extends PluginTest {
  private static final String CAPACITOR = "Capacitor.App";
  private static final String SCHEME = "LaunchMyApp";
  private static final String LINKS = "IonicDeeplinkPlugin";
  private static final String LINK = "plain://host/a%20b?x=1#y";

  private String listen(String event) throws Exception {
    return send(CAPACITOR, "addListener", new JSONObject().put("eventName", event));
  }

  private static Intent link() {
    return new Intent(Intent.ACTION_VIEW, Uri.parse(LINK));
  }

  @Test
  public void tellsTheApp() throws Exception {
    JSONObject info = callForObject(CAPACITOR, "getInfo");
    assertEquals("日本 Plain", info.getString("name"));
    assertEquals("com.example.plain", info.getString("id"));
    assertEquals("1.2.3", info.getString("version"));
    assertTrue(info.toString(), info.getString("build").matches("\\d+"));
    assertEquals(Locale.getDefault().getLanguage(), callForObject(CAPACITOR, "getAppLanguage").get("value"));
    assertEquals(true, callForObject(CAPACITOR, "getState").get("isActive"));
    assertEquals(JSONObject.NULL, call(CAPACITOR, "getLaunchUrl"));
    assertEquals("Capacitor.App doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
  }

  @Test
  public void leaves() throws Exception {
    call(CAPACITOR, "toggleBackButtonHandler", new JSONObject().put("enabled", false));
    call(CAPACITOR, "minimizeApp");
    assertFalse(activity.isFinishing());
    call(CAPACITOR, "exitApp");
    assertTrue(activity.isFinishing());
  }

  @Test
  public void tellsListenersOfPauseAndResume() throws Exception {
    String pause = listen("pause");
    String resume = listen("resume");
    String state = listen("appStateChange");
    assertEquals(0, answers(pause).length());
    controller.pause();
    assertEquals(1, answers(pause).length());
    assertEquals(0, answers(state).length());
    assertEquals(true, callForObject(CAPACITOR, "getState").get("isActive"));
    controller.stop();
    assertEquals("{\"isActive\":false}", answers(state).getJSONArray(0).get(2).toString());
    assertEquals(false, callForObject(CAPACITOR, "getState").get("isActive"));
    controller.start().resume();
    assertEquals(1, answers(resume).length());
    assertEquals("{\"isActive\":true}", answers(state).getJSONArray(1).get(2).toString());
    call(CAPACITOR, "removeAllListeners");
    controller.pause();
    assertEquals(1, answers(pause).length());
  }

  @Test
  public void listenersGetALinkThatCameBeforeThem() throws Exception {
    controller.newIntent(link());
    String first = listen("appUrlOpen");
    assertEquals(LINK, answers(first).getJSONArray(0).getJSONObject(2).getString("url"));
    assertEquals(2, answers(first).getJSONArray(0).getInt(1));
    String second = listen("appUrlOpen");
    assertEquals(0, answers(second).length());
    controller.newIntent(link());
    assertEquals(2, answers(first).length());
    assertEquals(1, answers(second).length());
  }

  @Test
  public void tellsTheLinkThatStartedIt() throws Exception {
    close();
    start(Robolectric.buildActivity(MainActivity.class, link()).setup());
    assertEquals(LINK, callForObject(CAPACITOR, "getLaunchUrl").get("url"));
    assertEquals(LINK, answers(listen("appUrlOpen")).getJSONArray(0).getJSONObject(2).getString("url"));
    assertEquals(LINK, ask("checkIntent").get(2));
    assertEquals(1, ask("checkIntent").getInt(1));
    assertEquals(LINK, call(SCHEME, "getLastIntent"));
  }

  /** Makes a call for which the shell first evaluates a script. Robolectric doesn't run scripts, so this method answers. */
  private JSONArray ask(String action) throws Exception {
    String id = send(SCHEME, action);
    finishWork();
    assertEquals("0", shadowOf(web).getLastEvaluatedJavascript());
    shadowOf(web).getLastEvaluatedJavascriptCallback().onReceiveValue("0");
    return answers(id).getJSONArray(0);
  }

  @Test
  public void givesALinkOnce() throws Exception {
    assertEquals(
        "App was not started via the launchmyapp URL scheme. Ignoring this errorcallback is the best approach.",
        ask("checkIntent").get(2));
    assertEquals("No intent received so far.", fail(SCHEME, "getLastIntent"));
    controller.newIntent(link());
    call(SCHEME, "clearIntent");
    assertEquals(1, ask("checkIntent").getInt(1));
    assertEquals(LINK, call(SCHEME, "getLastIntent"));
    assertEquals("LaunchMyApp doesn't have the action nothing.", fail(SCHEME, "nothing"));
  }

  @Test
  public void takesLinksApart() throws Exception {
    controller.newIntent(link());
    String id = send(LINKS, "onDeepLink");
    JSONObject link = answers(id).getJSONArray(0).getJSONObject(2);
    assertEquals(LINK, link.getString("url"));
    assertEquals("/a b", link.getString("path"));
    assertEquals("x=1", link.getString("queryString"));
    assertEquals("plain", link.getString("scheme"));
    assertEquals("host", link.getString("host"));
    assertEquals("y", link.getString("fragment"));
    controller.newIntent(new Intent(Intent.ACTION_VIEW, Uri.parse("plain:x")));
    assertEquals("plain:x", answers(id).getJSONArray(1).getJSONObject(2).getString("url"));
    assertEquals("", fail(LINKS, "canOpenApp", "com.example.absent"));
    assertEquals(true, call(LINKS, "canOpenApp", "com.example.plain"));
    JSONObject hardware = callForObject(LINKS, "getHardwareInfo");
    assertEquals("android", hardware.get("platform"));
    assertEquals(String.valueOf(Build.VERSION.SDK_INT), hardware.get("sdk_version"));
  }

  @Test
  public void otherAppsSendNoOtherIntents() throws Exception {
    controller.newIntent(new Intent(Intent.ACTION_VIEW, Uri.parse("file:///etc/hosts")));
    controller.newIntent(new Intent(Intent.ACTION_SEND, Uri.parse(LINK)));
    assertEquals("No intent received so far.", fail(SCHEME, "getLastIntent"));
  }

  @Test
  public void tellsAnswersToCallsOfAnAppThatAndroidEnded() throws Exception {
    send("Capacitor.Share", "share", new JSONObject().put("text", "x"));
    while (shadowOf(activity).getNextStartedActivityForResult() == null) {
      finishWork();
    }
    Bundle state = new Bundle();
    controller.saveInstanceState(state);
    close();
    open(state);
    activity.onActivityResult(100, 0, null);
    JSONObject event = answers(listen("appRestoredResult")).getJSONArray(0).getJSONObject(2);
    assertEquals("Share", event.get("pluginId"));
    assertEquals("share", event.get("methodName"));
    assertEquals(false, event.get("success"));
    assertEquals("Share canceled", event.getJSONObject("error").get("message"));
  }
}
