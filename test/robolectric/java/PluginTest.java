package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.os.Looper;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.JsPromptResult;
import android.webkit.WebMessage;
import android.webkit.WebView;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.fakes.RoboWebMessagePort;
import org.robolectric.shadows.ShadowLooper;

/** Calls plugins as a page does, through the port that the shell provides. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 30, 34, 36}, shadows = {ShellOnAndroidTest.ServiceWorkers.class})
public abstract class PluginTest {
  static final String HOME = "https://localhost/";
  /** Timeout of a plugin's own thread, in ms. */
  private static final long PATIENCE_MS = 10000;

  ActivityController<MainActivity> controller;
  MainActivity activity;
  WebView web;
  private RoboWebMessagePort page;
  private int calls;

  @Before
  public void open() {
    open(null);
  }

  @After
  public void close() {
    controller.pause().stop().destroy();
  }

  /** Opens the app. @param state state of an app that Android ended; null for a first start */
  void open(Bundle state) {
    ActivityController<MainActivity> built = Robolectric.buildActivity(MainActivity.class, new Intent(Intent.ACTION_MAIN));
    start(state == null ? built.setup() : built.setup(state));
  }

  /** Continues with an app that another intent has started. */
  void start(ActivityController<MainActivity> started) {
    controller = started;
    activity = controller.get();
    ViewGroup content = activity.findViewById(android.R.id.content);
    View child = content.getChildAt(0);
    web = (WebView) (child instanceof WebView ? child : ((ViewGroup) child).getChildAt(0));
    connect();
  }

  AppFolders folders() {
    return ((Bridge) activity.plugins).folders;
  }

  /** Asks for a channel as a page's script does. */
  void connect() {
    assertTrue(connect(HOME));
  }

  /** Asks for a channel. @param url URL of the asking frame @return true if the shell creates a channel */
  boolean connect(String url) {
    if (!prompt(url)) {
      return false;
    }
    page = ports()[1];
    return true;
  }

  /** Returns the ends of the shell's latest channel: its own, and the page's. */
  RoboWebMessagePort[] ports() {
    List<RoboWebMessagePort[]> all = shadowOf(web).getCreatedPorts();
    return all.get(all.size() - 1);
  }

  /** Returns the page's end of the channel. */
  RoboWebMessagePort page() {
    return page;
  }

  /** Shows the bridge's prompt. @return true if the shell treats it as a request for the bridge */
  boolean prompt(String url) {
    JsPromptResult result = new JsPromptResult(ignored -> {});
    return shadowOf(web).getWebChromeClient().onJsPrompt(web, url, Bridge.CONNECT, "", result);
  }

  /** Sends a call. @return its ID */
  String send(String service, String action, Object... args) {
    String id = service + calls++;
    page.postMessage(new WebMessage(new JSONArray().put(id).put(service).put(action).put(new JSONArray(List.of(args))).toString()));
    return id;
  }

  /** Returns a call's answers so far: status and value. */
  JSONArray answers(String id) {
    finishWork();
    JSONArray found = new JSONArray();
    try {
      for (String text : page.getReceivedMessages()) {
        JSONArray answer = new JSONArray(text);
        if (answer.getString(0).equals(id)) {
          found.put(answer);
        }
      }
    } catch (JSONException error) {
      throw new AssertionError(error);
    }
    return found;
  }

  /** Waits for the next answer. */
  private JSONArray answer(String id) throws Exception {
    long end = System.nanoTime() + PATIENCE_MS * 1000000;
    while (answers(id).length() == 0) {
      assertTrue(id + " isn't answered", System.nanoTime() < end);
      Thread.yield();
    }
    JSONArray all = answers(id);
    return all.getJSONArray(all.length() - 1);
  }

  /** Makes a call that succeeds. @return its value */
  Object call(String service, String action, Object... args) throws Exception {
    JSONArray answer = answer(send(service, action, args));
    assertTrue(answer.toString(), answer.getInt(1) != 1);
    return answer.get(2);
  }

  JSONObject callForObject(String service, String action, Object... args) throws Exception {
    return (JSONObject) call(service, action, args);
  }

  /** @return the reason for the failure */
  Object fail(String service, String action, Object... args) throws Exception {
    JSONArray answer = answer(send(service, action, args));
    assertEquals(answer.toString(), 1, answer.getInt(1));
    return answer.get(2);
  }

  static void finishWork() {
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      shadowOf(looper).idle();
    }
  }
}
