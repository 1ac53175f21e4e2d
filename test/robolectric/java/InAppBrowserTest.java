package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.Application;
import android.app.Dialog;
import android.content.Intent;
import android.net.http.SslCertificate;
import android.net.http.SslError;
import android.os.Build;
import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.webkit.JsPromptResult;
import android.webkit.SslErrorHandler;
import android.webkit.WebChromeClient;
import android.webkit.WebMessage;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.fakes.RoboWebMessagePort;
import org.robolectric.shadows.ShadowDialog;

public class InAppBrowserTest extends PluginTest {
  private static final String SERVICE = "InAppBrowser";
  private static final String CAPACITOR = "Capacitor.InAppBrowser";
  private static final String SITE = "https://example.com/";

  private String opened;
  private Dialog dialog;
  private WebView browser;

  private void openBrowser(String url, String options) {
    opened = send(SERVICE, "open", url, "_blank", options);
    find();
  }

  private void find() {
    finishWork();
    dialog = ShadowDialog.getLatestDialog();
    browser = dialog == null ? null : findIn(dialog.getWindow().getDecorView());
  }

  private static WebView findIn(View view) {
    if (view instanceof WebView) {
      return (WebView) view;
    }
    for (int index = 0; view instanceof ViewGroup && index < ((ViewGroup) view).getChildCount(); index++) {
      WebView found = findIn(((ViewGroup) view).getChildAt(index));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private WebViewClient client() {
    return shadowOf(browser).getWebViewClient();
  }

  private WebChromeClient chrome() {
    return shadowOf(browser).getWebChromeClient();
  }

  /** Follows a link. @return true if the browser doesn't open it */
  private boolean follow(String url) {
    return client().shouldOverrideUrlLoading(browser, ShellOnAndroidTest.get(url, true));
  }

  private WebResourceResponse ask(String url, boolean isMain) {
    return client().shouldInterceptRequest(browser, ShellOnAndroidTest.get(url, isMain));
  }

  /** Returns the types of the events so far. */
  private List<String> events() throws Exception {
    JSONArray all = answers(opened);
    List<String> types = new ArrayList<>();
    for (int index = 0; index < all.length(); index++) {
      if (all.getJSONArray(index).opt(2) instanceof JSONObject) {
        types.add(all.getJSONArray(index).getJSONObject(2).getString("type"));
      }
    }
    return types;
  }

  private JSONObject lastEvent() throws Exception {
    JSONArray all = answers(opened);
    return all.getJSONArray(all.length() - 1).getJSONObject(2);
  }

  private Intent started() {
    return shadowOf((Application) activity.getApplicationContext()).getNextStartedActivity();
  }

  @Test
  public void opensAndCloses() throws Exception {
    openBrowser(SITE, "location=yes,closebuttoncaption=Done,toolbarcolor=#ff0000,fullscreen=no");
    assertTrue(dialog.isShowing());
    assertEquals(SITE, shadowOf(browser).getLastLoadedUrl());
    assertNotSame(web, browser);
    assertEquals(0, dialog.getWindow().getAttributes().flags & WindowManager.LayoutParams.FLAG_FULLSCREEN);
    client().onPageStarted(browser, SITE, null);
    assertEquals(SITE, lastEvent().getString("url"));
    client().onPageFinished(browser, SITE);
    ArrayList<View> found = new ArrayList<>();
    dialog.getWindow().getDecorView().findViewsWithText(found, "Done", View.FIND_VIEWS_WITH_TEXT);
    assertEquals(1, found.size());
    found.clear();
    client().onPageStarted(browser, "https://trusted.example@example.com/" + "a".repeat(2000), null);
    dialog.getWindow().getDecorView().findViewsWithText(found, "https://example.com", View.FIND_VIEWS_WITH_TEXT);
    assertEquals(1, found.size());
    call(SERVICE, "hide");
    assertFalse(dialog.getWindow().getDecorView().getVisibility() == View.VISIBLE);
    call(SERVICE, "show");
    call(SERVICE, "close");
    assertEquals(List.of("loadstart", "loadstop", "loadstart", "exit"), events());
    finishWork();
    assertTrue(shadowOf(browser).wasDestroyCalled());
    assertEquals("The browser isn't open.", fail(SERVICE, "close"));
    assertEquals("The browser isn't open.", fail(SERVICE, "show"));
    openBrowser(SITE, "");
    assertEquals("InAppBrowser doesn't have the action nothing.", fail(SERVICE, "nothing"));
    assertTrue((dialog.getWindow().getAttributes().flags & WindowManager.LayoutParams.FLAG_FULLSCREEN) != 0);
  }

  @Test
  public void hiddenUntilShown() throws Exception {
    openBrowser(SITE, "hidden=yes,location=no,footer=yes");
    assertNull(dialog);
    call(SERVICE, "show");
    find();
    assertTrue(dialog.isShowing());
    assertEquals(SITE, shadowOf(browser).getLastLoadedUrl());
  }

  @Test
  public void aSecondOneReplacesTheFirst() throws Exception {
    openBrowser(SITE, "");
    String first = opened;
    openBrowser("https://example.org/", "");
    assertEquals("exit", answers(first).getJSONArray(1).getJSONObject(2).getString("type"));
    assertEquals("https://example.org/", shadowOf(browser).getLastLoadedUrl());
  }

  @Test
  public void backGoesBackAndThenCloses() throws Exception {
    openBrowser(SITE, "");
    shadowOf(browser).setCanGoBack(true);
    dialog.onBackPressed();
    assertEquals(1, shadowOf(browser).getGoBackInvocations());
    shadowOf(browser).setCanGoBack(false);
    dialog.onBackPressed();
    assertEquals(List.of("exit"), events());
    openBrowser(SITE, "hardwareback=no");
    shadowOf(browser).setCanGoBack(true);
    dialog.onBackPressed();
    assertEquals(List.of("exit"), events());
  }

  @Test
  public void reachesNothingOfTheApp() throws Exception {
    openBrowser(SITE, "");
    assertFalse(browser.getSettings().getAllowFileAccess());
    assertFalse(browser.getSettings().getAllowContentAccess());
    for (String url :
        new String[] {HOME, HOME + "a.js", "https://a@localhost/a.js", "https://a:b@LOCALHOST/", "https://localhost", HOME + "?a=/@b"}) {
      assertEquals(url, 403, ask(url, true).getStatusCode());
      assertEquals(url, 403, ask(url, false).getStatusCode());
      assertTrue(url, follow(url));
    }
    assertEquals("loaderror", lastEvent().getString("type"));
    assertNull(ask(SITE, true));
    assertNull(ask("https://example.com/@localhost/", false));
    // A page that asks for the bridge doesn't get a channel.
    int ports = shadowOf(web).getCreatedPorts().size();
    JsPromptResult result = new JsPromptResult(ignored -> {});
    assertTrue(chrome().onJsPrompt(browser, HOME, Bridge.CONNECT, "", result));
    assertEquals(ports, shadowOf(web).getCreatedPorts().size());
    assertTrue(shadowOf(browser).getCreatedPorts().isEmpty());
    boolean[] isAllowed = {true};
    chrome().onGeolocationPermissionsShowPrompt(SITE, (origin, allow, retain) -> isAllowed[0] = allow);
    assertFalse(isAllowed[0]);
    assertFalse(chrome().onCreateWindow(browser, false, true, null));
    for (String url : new String[] {
          "file:///data/a", "content://com.example.plain.files/a",
          "intent:#Intent;end", "javascript:1", "data:text/html,a"
        }) {
      assertTrue(url, follow(url));
      assertNull(url, started());
    }
  }

  @Test
  public void theAppsOwnPagesStayAmongThemselves() throws Exception {
    openBrowser(HOME + "index.html", "");
    assertEquals(200, ask(HOME + "index.html", true).getStatusCode());
    assertFalse(follow(HOME + "sub/"));
    assertTrue(follow(SITE));
    assertEquals(SITE, started().getDataString());
    assertEquals(403, ask(SITE, true).getStatusCode());
    assertNull(ask(SITE + "picture.png", false));
    assertEquals(403, ask("https://a@localhost/", true).getStatusCode());
    fail(SERVICE, "loadAfterBeforeload", SITE);
  }

  @Test
  public void linksOfOtherApps() throws Exception {
    openBrowser(SITE, "");
    assertTrue(follow("tel:123"));
    assertEquals("tel:123", started().getDataString());
    assertTrue(follow("mailto:a@example.com"));
    assertEquals(Intent.ACTION_VIEW, started().getAction());
    assertTrue(follow("other:a"));
    assertNull(started());
    assertFalse(follow("https://example.org/"));
    assertFalse(follow("about:blank"));
    activity.settings.put("customSchemes", "app,other");
    assertTrue(follow("other:a"));
    assertEquals("customscheme", lastEvent().getString("type"));
    assertEquals("other:a", lastEvent().getString("url"));
    ((android.webkit.DownloadListener) dialog).onDownloadStart(SITE + "a.zip", "agent", "attachment", "application/zip", 5);
    assertEquals(SITE + "a.zip", started().getDataString());
    assertEquals("download", lastEvent().getString("type"));
    assertEquals(5, lastEvent().getInt("contentLength"));
    String listener = send(SERVICE, "downloadListener");
    ((android.webkit.DownloadListener) dialog).onDownloadStart("blob:" + SITE + "1", "agent", "", "application/zip", 5);
    assertNull(started());
    assertEquals("download", answers(listener).getJSONArray(0).getJSONObject(2).getString("type"));
  }

  @Test
  public void theAppIsAskedFirst() throws Exception {
    openBrowser(SITE, "beforeload=yes");
    assertTrue(follow("https://example.org/"));
    assertEquals("beforeload", lastEvent().getString("type"));
    call(SERVICE, "loadAfterBeforeload", "https://example.org/");
    assertEquals("https://example.org/", shadowOf(browser).getLastLoadedUrl());
    assertFalse(follow("https://example.net/redirected"));
    client().onPageFinished(browser, "https://example.net/redirected");
    assertTrue(follow("https://example.org/2"));
    fail(SERVICE, "loadAfterBeforeload", HOME);
    fail(SERVICE, "loadAfterBeforeload", "file:///data/a");
  }

  @Test
  public void errors() throws Exception {
    openBrowser(SITE, "");
    SslErrorHandler handler = handler();
    client().onReceivedSslError(browser, handler, new SslError(SslError.SSL_EXPIRED, (SslCertificate) null, SITE));
    assertEquals("loaderror", lastEvent().getString("type"));
    assertEquals(SslError.SSL_EXPIRED, lastEvent().getInt("sslerror"));
    assertTrue(shadowOf(handler).wasCancelCalled());
    assertFalse(shadowOf(handler).wasProceedCalled());
    if (Build.VERSION.SDK_INT >= 26) {
      assertTrue(client().onRenderProcessGone(browser, null));
      assertEquals("exit", lastEvent().getString("type"));
      finishWork();
      assertTrue(shadowOf(browser).wasDestroyCalled());
    }
  }

  private static SslErrorHandler handler() {
    return org.robolectric.shadow.api.Shadow.newInstanceOf(SslErrorHandler.class);
  }

  @Test
  public void scriptsAndStyles() throws Exception {
    openBrowser(SITE, "");
    load();
    String code = send(SERVICE, "injectScriptCode", "1 + 1", true);
    assertEquals("1 + 1", shadowOf(browser).getLastEvaluatedJavascript());
    shadowOf(browser).getLastEvaluatedJavascriptCallback().onReceiveValue("{\"a\":2}");
    assertEquals("[{\"a\":2}]", answers(code).getJSONArray(0).getJSONArray(2).toString());
    send(SERVICE, "injectScriptFile", "inject.js", true);
    assertEquals("window.injected = 1", shadowOf(browser).getLastEvaluatedJavascript());
    send(SERVICE, "injectStyleCode", "a{b:\"c\"}", false);
    assertTrue(shadowOf(browser).getLastEvaluatedJavascript().contains("e.textContent=\"a{b:\\\"c\\\"}\""));
    String file = send(SERVICE, "injectStyleFile", SITE + "a.css", true);
    assertTrue(shadowOf(browser).getLastEvaluatedJavascript().contains("createElement('link')"));
    assertEquals(0, answers(file).length());
    post("l" + file);
    assertEquals("[]", answers(file).getJSONArray(0).getJSONArray(2).toString());
    String lost = send(SERVICE, "injectScriptFile", SITE + "a.js", true);
    call(SERVICE, "close");
    assertEquals(1, answers(lost).getJSONArray(0).getInt(1));
  }

  private void load() {
    client().onPageFinished(browser, SITE);
    shadowOf(browser).getLastEvaluatedJavascriptCallback().onReceiveValue("true");
  }

  /** Posts a message as the page's own script does. */
  private void post(String text) {
    List<RoboWebMessagePort[]> ports = shadowOf(browser).getCreatedPorts();
    ports.get(ports.size() - 1)[1].postMessage(new WebMessage(text));
    finishWork();
  }

  @Test
  public void pagesPostData() throws Exception {
    openBrowser(SITE, "");
    load();
    post("m{\"my_message\":\"[1,\\\"Device\\\"]\"}");
    assertEquals("message", lastEvent().getString("type"));
    assertEquals("[1,\"Device\"]", lastEvent().getJSONObject("data").getString("my_message"));
    int count = events().size();
    for (String text : new String[] {
          "mno JSON", "m[1]", "x", "", "l1", "[\"1\",\"Device\",\"getDeviceInfo\",[]]",
          "m{\"a\":\"" + "x".repeat(1 << 20) + "\"}", "m{\"a\":" + "[".repeat(500000)
        }) {
      post(text);
    }
    assertFalse(events().subList(count, events().size()).contains("message"));
  }

  @Test
  public void targets() throws Exception {
    call(SERVICE, "open", SITE, "_system", "");
    assertEquals(SITE, started().getDataString());
    call(SERVICE, "open", "whatsapp:send", "_system", "");
    assertEquals("whatsapp:send", started().getDataString());
    fail(SERVICE, "open", "file:///data/a", "_system", "");
    fail(SERVICE, "open", "intent:#Intent;component=a/b;end", "_system", "");
    fail(SERVICE, "open", "javascript:1", "_blank", "");
    call(SERVICE, "open", HOME + "sub/", "_self", "");
    assertEquals(HOME + "sub/", shadowOf(web).getLastLoadedUrl());
    opened = send(SERVICE, "open", SITE);
    find();
    assertEquals(SITE, shadowOf(browser).getLastLoadedUrl());
    // Another page of the app doesn't get the last page's browser.
    connect();
    assertFalse(dialog.isShowing());
  }

  @Test
  public void capacitor() throws Exception {
    JSONObject wrong = (JSONObject) fail(CAPACITOR, "openInWebView", new JSONObject().put("url", "file:///a"));
    assertEquals("OS-PLUG-IABP-0003", wrong.getString("code"));
    assertEquals("OS-PLUG-IABP-0012", ((JSONObject) fail(CAPACITOR, "close", new JSONObject())).getString("code"));
    String closed = send(CAPACITOR, "addListener", new JSONObject().put("eventName", "browserClosed"));
    String loaded = send(CAPACITOR, "addListener", new JSONObject().put("eventName", "browserPageLoaded"));
    String navigated = send(CAPACITOR, "addListener", new JSONObject().put("eventName", "browserPageNavigationCompleted"));
    JSONObject options = new JSONObject().put("showToolbar", true).put("toolbarPosition", 1).put("closeButtonText", "Done");
    JSONObject model = new JSONObject().put("url", SITE).put("options", options).put("customHeaders", new JSONObject().put("X-A", "b"));
    call(CAPACITOR, "openInWebView", model);
    find();
    assertEquals("b", shadowOf(browser).getLastAdditionalHttpHeaders().get("X-A"));
    client().onPageFinished(browser, SITE);
    client().onPageFinished(browser, SITE + "2");
    assertEquals(1, answers(loaded).length());
    assertEquals(SITE + "2", answers(navigated).getJSONArray(1).getJSONObject(2).getString("url"));
    call(CAPACITOR, "close", new JSONObject());
    assertEquals(1, answers(closed).length());
    call(CAPACITOR, "openInExternalBrowser", new JSONObject().put("url", SITE));
    assertEquals(SITE, started().getDataString());
    call(CAPACITOR, "openInSystemBrowser", new JSONObject().put("url", SITE).put("options", new JSONObject()));
    Intent tab = started();
    assertEquals(SITE, tab.getDataString());
    assertTrue(tab.hasExtra("android.support.customtabs.extra.SESSION"));
    call(CAPACITOR, "close", new JSONObject());
    assertTrue((started().getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0);
    shadowOf(activity).receiveResult(tab, Activity.RESULT_CANCELED, null);
    assertEquals(2, answers(closed).length());
    // Android may end the app while the tab is open.
    call(CAPACITOR, "openInSystemBrowser", new JSONObject().put("url", SITE).put("options", new JSONObject()));
    Bundle state = new Bundle();
    controller.saveInstanceState(state);
    close();
    open(state);
    String listener = send(CAPACITOR, "addListener", new JSONObject().put("eventName", "browserClosed"));
    activity.onActivityResult(101, Activity.RESULT_CANCELED, null);
    assertEquals(1, answers(listener).length());
  }
}
