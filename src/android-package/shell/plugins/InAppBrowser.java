package appbuild.shell;

import android.app.Dialog;
import android.content.Intent;
import android.content.res.Configuration;
import android.graphics.Bitmap;
import android.graphics.Color;
import android.net.Uri;
import android.net.http.SslError;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.text.TextUtils;
import android.util.Log;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import android.view.WindowManager;
import android.webkit.CookieManager;
import android.webkit.DownloadListener;
import android.webkit.GeolocationPermissions;
import android.webkit.JsPromptResult;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.SslErrorHandler;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebMessage;
import android.webkit.WebMessagePort;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Opens a browser in a separate window: cordova-plugin-inappbrowser, @capacitor/inappbrowser. Its pages are untrusted: they have no bridge, no
 * script of the shell, no files, no permissions, and no access to the app's origin. A browser that the app opens for its own files shows
 * only those files.
 */
final class InAppBrowser extends Plugin {
  private static final String NAME = "InAppBrowser";
  private static final String CAPACITOR = Bridge.CAPACITOR + NAME;
  private static final String NOT_OPEN = "The browser isn't open.";
  /** IDs of buttons. */
  private static final int CLOSE = 1;
  private static final int BACK = 2;
  private static final int FORWARD = 3;
  /** Maximum length of a page's message. */
  private static final int MAX_MESSAGE_CHARS = 1 << 20;
  private static final String CONNECT = "appbuild:message";
  /** Script that adds the plugin's documented message function to a page. The messages are only data and can't call the app. */
  private static final String MESSAGES =
      "(function(w){var m=(w.webkit=w.webkit||{}).messageHandlers=w.webkit.messageHandlers||{},port,waiting=[];"
          + "if(m.cordova_iab)return false;"
          + "function send(text){if(port)port.postMessage(text);else waiting.push(text)}"
          + "m.cordova_iab={postMessage:function(data){send('m'+data)},loaded:function(id){send('l'+id)}};"
          + "w.addEventListener('message',function(e){if(!port&&e.data==='" + CONNECT + "'&&e.origin===''&&e.ports[0]){"
          + "e.stopImmediatePropagation();port=e.ports[0];waiting.splice(0).forEach(send)}},true);return true})(window)";

  /** Null for none. */
  private Browser browser;
  /** Receives events of the browser's downloads. Null for none. */
  private Call downloads;
  /** Whether a tab of the phone's browser covers the app. */
  private boolean isTabOpen;

  @Override
  String[] services() {
    return new String[] {NAME, CAPACITOR};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "open":
        open(call, call.args.getString(0), call.args.optString(1), optionsOf(call.args.optString(2)));
        return;
      case "openInWebView":
        if (requireWeb(call)) {
          openBrowser(call, call.options().getString("url"), capacitorOptions(call.options()));
          call.succeed(null);
        }
        return;
      case "openInSystemBrowser":
        if (requireWeb(call)) {
          openTab(call);
        }
        return;
      case "openInExternalBrowser":
        if (requireWeb(call)) {
          if (activity.view(Uri.parse(call.options().getString("url")))) {
            call.succeed(null);
          } else {
            fail(call, 8, "External browser couldn't open the following URL: " + call.options().getString("url"));
          }
        }
        return;
      case "close":
        close(call);
        return;
      case "downloadListener":
        downloads = call;
        return;
      default:
        if (browser == null) {
          call.fail(NOT_OPEN);
        } else {
          browser.answer(call);
        }
    }
  }

  private void open(Call call, String url, String target, Map<String, String> options) throws JSONException {
    boolean isWeb = Urls.originOf(url) != null || url.startsWith("about:blank") || url.startsWith("data:");
    if (target.equals("_system")) {
      openInSystem(call, url);
    } else if (!target.equals("_blank") && activity.staysInside(url)) {
      activity.web.loadUrl(url);
      call.succeed("");
    } else if (isWeb) {
      openBrowser(call, url, options);
      call.keep("");
    } else if (activity.openOutside(Uri.parse(url))) {
      call.succeed("");
    } else {
      call.fail("Nothing opens " + url);
    }
  }

  private void openInSystem(Call call, String url) {
    if (activity.isOwn(url)) {
      activity.handOver(url);
      call.succeed("");
    } else if (activity.view(Uri.parse(url))) {
      call.succeed("");
    } else {
      call.fail("No app on this phone opens " + url);
    }
  }

  private void openBrowser(Call call, String url, Map<String, String> options) {
    closeBrowser();
    if (is(options, "clearcache", false)) {
      CookieManager.getInstance().removeAllCookies(null);
    } else if (is(options, "clearsessioncache", false)) {
      CookieManager.getInstance().removeSessionCookies(null);
    }
    browser = new Browser(call, url, options);
    if (!is(options, "hidden", false)) {
      browser.show();
    }
    Map<String, String> headers = new HashMap<>();
    JSONObject given = call.options().optJSONObject("customHeaders");
    for (Iterator<String> names = (given == null ? new JSONObject() : given).keys(); names.hasNext(); ) {
      String name = names.next();
      headers.put(name, given.optString(name));
    }
    browser.web.loadUrl(url, headers);
  }

  private void closeBrowser() {
    if (browser != null) {
      browser.dismiss();
    }
  }

  private void close(Call call) throws JSONException {
    if (browser != null) {
      closeBrowser();
      call.succeed(null);
    } else if (isTabOpen) {
      // The tab is above this activity in its task.
      activity.startActivity(
          new Intent(activity, MainActivity.class)
              .addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP | Intent.FLAG_ACTIVITY_SINGLE_TOP));
      call.succeed(null);
    } else if (call.isCapacitor()) {
      fail(call, 12, "No browser view is open.");
    } else {
      call.fail(NOT_OPEN);
    }
  }

  /** Opens a tab in the phone's browser, as part of the app. Chromium's extra makes it a custom tab. */
  private void openTab(Call call) throws JSONException {
    JSONObject android = android(call.options());
    Bundle extras = new Bundle();
    extras.putBinder("android.support.customtabs.extra.SESSION", null);
    extras.putInt("android.support.customtabs.extra.TITLE_VISIBILITY", android.optBoolean("showTitle") ? 1 : 0);
    extras.putBoolean("android.support.customtabs.extra.ENABLE_URLBAR_HIDING", android.optBoolean("hideToolbarOnScroll"));
    Intent intent = new Intent(Intent.ACTION_VIEW, Uri.parse(call.options().getString("url")));
    intent.addCategory(Intent.CATEGORY_BROWSABLE).putExtras(extras);
    if (bridge.start(call, new JSONObject(), intent, failure(10, "No browser on this phone can show it."))) {
      isTabOpen = true;
      call.succeed(null);
    }
  }

  @Override
  void onResult(Call call, JSONObject state, int result, Intent data) {
    isTabOpen = false;
    bridge.emit(NAME, "browserClosed", null);
  }

  /** Fails a call of Capacitor's page unless its URL is a web address. @return whether it's one */
  private static boolean requireWeb(Call call) throws JSONException {
    boolean isWeb = Urls.originOf(call.options().optString("url")) != null;
    if (!isWeb) {
      fail(call, 3, "The URL provided must begin with either http:// or https://.");
    }
    return isWeb;
  }

  private static void fail(Call call, int code, String message) throws JSONException {
    call.fail(failure(code, message));
  }

  private static JSONObject failure(int code, String message) throws JSONException {
    return new JSONObject().put("code", String.format(Locale.ROOT, "OS-PLUG-IABP-%04d", code)).put("message", message);
  }

  /** Parses options of Cordova's plugin. @param text `name=value,name=value`. Names are case-insensitive. */
  private static Map<String, String> optionsOf(String text) {
    Map<String, String> options = new HashMap<>();
    for (String each : text.split(",")) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        options.put(each.substring(0, equals).trim().toLowerCase(Locale.ROOT), each.substring(equals + 1));
      }
    }
    return options;
  }

  private static JSONObject event(String type, String url, Object... more) {
    Map<String, Object> event = new HashMap<>();
    event.put("type", type);
    if (url != null) {
      event.put("url", url);
    }
    for (int index = 0; index < more.length; index += 2) {
      event.put((String) more[index], more[index + 1]);
    }
    return new JSONObject(event);
  }

  private static JSONObject android(JSONObject model) {
    JSONObject options = model.optJSONObject("options");
    JSONObject android = options == null ? null : options.optJSONObject("android");
    return android == null ? new JSONObject() : android;
  }

  /** Converts Capacitor's options to Cordova's names. */
  private static Map<String, String> capacitorOptions(JSONObject model) {
    JSONObject given = model.optJSONObject("options") == null ? new JSONObject() : model.optJSONObject("options");
    JSONObject android = android(model);
    Map<String, String> options = new HashMap<>();
    options.put("fullscreen", "no");
    put(options, "location", given.optBoolean("showToolbar", true));
    put(options, "hideurlbar", !given.optBoolean("showURL", true));
    put(options, "hidenavigationbuttons", !given.optBoolean("showNavigationButtons", true));
    put(options, "clearcache", given.optBoolean("clearCache"));
    put(options, "clearsessioncache", given.optBoolean("clearSessionCache"));
    put(options, "mediaplaybackrequiresuseraction", given.optBoolean("mediaPlaybackRequiresUserAction"));
    put(options, "lefttoright", given.optBoolean("leftToRight"));
    put(options, "bottom", given.optInt("toolbarPosition") == 1);
    put(options, "zoom", android.optBoolean("allowZoom"));
    put(options, "hardwareback", android.optBoolean("hardwareBack", true));
    put(options, "shouldpauseonsuspend", android.optBoolean("pauseMedia", true));
    options.put("closebuttoncaption", given.optString("closeButtonText"));
    options.put("useragent", given.isNull("customWebViewUserAgent") ? "" : given.optString("customWebViewUserAgent"));
    return options;
  }

  private static void put(Map<String, String> options, String name, boolean isOn) {
    options.put(name, isOn ? "yes" : "no");
  }

  private static boolean is(Map<String, String> options, String name, boolean standard) {
    String value = options.get(name);
    return value == null ? standard : value.equalsIgnoreCase("yes");
  }

  private static int color(Map<String, String> options, String name, int standard) {
    try {
      return options.containsKey(name) ? Color.parseColor(options.get(name)) : standard;
    } catch (IllegalArgumentException error) {
      return standard;
    }
  }

  @Override
  void onReset() {
    closeBrowser();
    downloads = null;
  }

  @Override
  void onPause() {
    if (browser != null && is(browser.options, "shouldpauseonsuspend", false)) {
      browser.web.onPause();
    }
  }

  @Override
  void onResume() {
    if (browser != null) {
      browser.web.onResume();
    }
  }

  @Override
  void onDestroy() {
    closeBrowser();
  }

  /** Returns a URL's origin without a user name, or null if the URL isn't a web address. */
  private static String originOf(String url) {
    return Urls.originOf(url.replaceFirst("^([^/]*//)[^/?#\\\\]*@", "$1"));
  }

  private boolean isForApp(String url) {
    return activity.origin.equals(originOf(url));
  }

  /** The window of the in-app browser. */
  private final class Browser extends Dialog implements DownloadListener, View.OnClickListener, Runnable {
    final WebView web;
    final Map<String, String> options;
    private final Call opened;
    /** Whether the window shows only the app's own files. Otherwise, it shows none of them. */
    private final boolean isOwn;
    private final TextView address;
    /** Whether the app decides about each link. */
    private boolean asksFirst;
    private boolean hasLoaded;
    /** Null if the page doesn't have a port. */
    private WebMessagePort port;
    /** Calls that wait until a script or style has loaded, keyed by number. */
    private final Map<String, Call> waiting = new HashMap<>();

    Browser(Call opened, String url, Map<String, String> options) {
      super(activity, activity.getApplicationInfo().theme);
      this.opened = opened;
      this.options = options;
      isOwn = isForApp(url);
      asksFirst = asks();
      // Uses the activity as the context. Its theme determines whether pages are dark, and only an activity can show a page's dialogs.
      web = new WebView(activity);
      prepare(web.getSettings());
      CookieManager.getInstance().setAcceptThirdPartyCookies(web, true);
      web.setWebViewClient(new Pages());
      web.setWebChromeClient(new Chrome());
      web.setDownloadListener(this);
      address = new TextView(activity);
      lay(url);
    }

    private void prepare(WebSettings settings) {
      settings.setJavaScriptEnabled(true);
      settings.setDomStorageEnabled(true);
      settings.setAllowFileAccess(false);
      settings.setAllowContentAccess(false);
      settings.setGeolocationEnabled(false);
      settings.setUseWideViewPort(is(options, "usewideviewport", true));
      settings.setLoadWithOverviewMode(true);
      settings.setSupportZoom(is(options, "zoom", true));
      settings.setBuiltInZoomControls(is(options, "zoom", true));
      settings.setDisplayZoomControls(is(options, "zoomcontrols", false));
      settings.setMediaPlaybackRequiresUserGesture(is(options, "mediaplaybackrequiresuseraction", false));
      String agent = activity.settings.optString("userAgent", "");
      String added = activity.settings.optString("appendUserAgent", "");
      String given = options.containsKey("useragent") ? options.get("useragent") : "";
      if (!given.isEmpty() || !agent.isEmpty()) {
        settings.setUserAgentString(given.isEmpty() ? agent : given);
      } else if (!added.isEmpty()) {
        settings.setUserAgentString(settings.getUserAgentString() + " " + added);
      }
    }

    private void lay(String url) {
      boolean isNight =
          (activity.getResources().getConfiguration().uiMode & Configuration.UI_MODE_NIGHT_MASK)
              == Configuration.UI_MODE_NIGHT_YES;
      int background = color(options, "toolbarcolor", isNight ? 0xff202124 : 0xfff1f3f4);
      int fill = ViewGroup.LayoutParams.MATCH_PARENT;
      LinearLayout page = new LinearLayout(activity);
      page.setOrientation(LinearLayout.VERTICAL);
      page.setBackgroundColor(background);
      page.addView(web, new LinearLayout.LayoutParams(fill, 0, 1));
      if (is(options, "location", true)) {
        page.addView(bar(url, background), is(options, "bottom", false) ? 1 : 0);
      }
      if (is(options, "footer", false)) {
        LinearLayout footer = new LinearLayout(activity);
        footer.setGravity(Gravity.END);
        int color = color(options, "footercolor", background);
        footer.setBackgroundColor(color);
        footer.addView(closeButton(color));
        page.addView(footer, new LinearLayout.LayoutParams(fill, ViewGroup.LayoutParams.WRAP_CONTENT));
      }
      requestWindowFeature(Window.FEATURE_NO_TITLE);
      setContentView(activity.hasOwnEdges() ? edges(page, background) : page);
      Window window = getWindow();
      window.setLayout(fill, fill);
      window.setSoftInputMode(WindowManager.LayoutParams.SOFT_INPUT_ADJUST_RESIZE);
      if (is(options, "fullscreen", true)) {
        window.addFlags(WindowManager.LayoutParams.FLAG_FULLSCREEN);
      }
    }

    /** Keeps the page between the system bars on Android 15 and later, where the window extends under them. */
    private View edges(View page, int background) {
      Map<String, Object> colors = new HashMap<>();
      colors.put("background", background);
      JSONObject settings = new JSONObject(colors);
      getWindow().getDecorView().setSystemUiVisibility(Edges.darkIconFlags(settings));
      return new Edges(activity, page, settings);
    }

    private View bar(String url, int background) {
      LinearLayout bar = new LinearLayout(activity);
      bar.setGravity(Gravity.CENTER_VERTICAL);
      bar.setBackgroundColor(background);
      int text = Edges.isLight(background) ? Color.BLACK : Color.WHITE;
      View close = closeButton(background);
      boolean isCloseFirst = is(options, "lefttoright", false);
      if (isCloseFirst) {
        bar.addView(close);
      }
      if (!is(options, "hidenavigationbuttons", false) && !isCloseFirst) {
        addNavigation(bar, color(options, "navigationbuttoncolor", text));
      }
      // Cuts off the start of a long address, because the end of a host name shows who owns the page.
      address.setSingleLine();
      address.setEllipsize(TextUtils.TruncateAt.START);
      address.setTextColor(text);
      showAddress(url);
      address.setVisibility(is(options, "hideurlbar", false) ? View.INVISIBLE : View.VISIBLE);
      bar.addView(address, new LinearLayout.LayoutParams(0, ViewGroup.LayoutParams.WRAP_CONTENT, 1));
      if (!isCloseFirst) {
        bar.addView(close);
      } else if (!is(options, "hidenavigationbuttons", false)) {
        addNavigation(bar, color(options, "navigationbuttoncolor", text));
      }
      return bar;
    }

    private void showAddress(String url) {
      String origin = originOf(url);
      address.setText(origin == null ? "" : origin);
    }

    private void addNavigation(LinearLayout bar, int color) {
      bar.addView(button(BACK, "‹", "Back", color));
      bar.addView(button(FORWARD, "›", "Forward", color));
    }

    private View closeButton(int background) {
      String caption = options.get("closebuttoncaption");
      boolean isGiven = caption != null && !caption.isEmpty();
      int color = color(options, "closebuttoncolor", Edges.isLight(background) ? Color.BLACK : Color.WHITE);
      return button(CLOSE, isGiven ? caption : "✕", isGiven ? caption : "Close", color);
    }

    @Override
    public void onClick(View button) {
      if (button.getId() == CLOSE) {
        dismiss();
      } else {
        web.goBackOrForward(button.getId() == BACK ? -1 : 1);
      }
    }

    private Button button(int id, String text, String description, int color) {
      Button button = new Button(activity, null, android.R.attr.borderlessButtonStyle);
      button.setText(text);
      button.setContentDescription(description);
      button.setTextColor(color);
      button.setAllCaps(false);
      button.setMinimumWidth(0);
      button.setMinWidth((int) (48 * activity.getResources().getDisplayMetrics().density));
      button.setId(id);
      button.setOnClickListener(this);
      return button;
    }

    @Override
    public void onBackPressed() {
      if (is(options, "hardwareback", true) && web.canGoBack()) {
        web.goBack();
      } else {
        dismiss();
      }
    }

    /** Closes the window, even if it was never visible. */
    @Override
    public void dismiss() {
      if (browser != this) {
        return;
      }
      browser = null;
      super.dismiss();
      closePort();
      // Posted, because a WebView can't be destroyed while it calls its client.
      new Handler(Looper.getMainLooper()).post(this);
      if (opened.isCapacitor()) {
        bridge.emit(NAME, "browserClosed", null);
      } else {
        opened.succeed(event("exit", null));
      }
    }

    /** Destroys the web view after the window has closed. */
    @Override
    public void run() {
      ((ViewGroup) web.getParent()).removeView(web);
      web.destroy();
    }

    /** Sends an event to Cordova's page. @param url null for none @param more names and values, in turn */
    private void tell(String type, String url, Object... more) {
      if (!opened.isCapacitor() && browser == this) {
        opened.keep(event(type, url, more));
      }
    }

    private boolean asks() {
      return is(options, "beforeload", false) || "get".equalsIgnoreCase(options.get("beforeload"));
    }

    void answer(Call call) throws Exception {
      switch (call.action) {
        case "show":
          show();
          call.succeed(null);
          return;
        case "hide":
          hide();
          call.succeed(null);
          return;
        case "loadAfterBeforeload":
          String url = call.args.getString(0);
          if (Urls.originOf(url) == null || isForApp(url) != isOwn) {
            call.fail("This browser doesn't open " + url);
            return;
          }
          asksFirst = false;
          web.loadUrl(url);
          call.succeed(null);
          return;
        case "injectScriptCode":
          inject(call, call.args.getString(0));
          return;
        case "injectScriptFile":
          injectFile(call, "script", "src");
          return;
        case "injectStyleCode":
          inject(call, addElement("style", "textContent", call.args.getString(0), "0"));
          return;
        case "injectStyleFile":
          injectFile(call, "link", "href");
          return;
        default:
          throw unknown(call);
      }
    }

    private String addElement(String name, String property, String value, String onload) {
      return "(function(d){var e=d.createElement('" + name + "');e.rel='stylesheet';e.onload=e.onerror=function(){" + onload + "};e."
          + property + "=" + JSONObject.quote(value) + ";(d.head||d.body||d.documentElement).appendChild(e)})(document)";
    }

    private void inject(final Call call, String script) {
      web.evaluateJavascript(
          script,
          new ValueCallback<String>() {
            @Override
            public void onReceiveValue(String json) {
              try {
                call.succeed(new JSONArray("[" + json + "]"));
              } catch (JSONException | VirtualMachineError error) {
                call.succeed(new JSONArray());
              }
            }
          });
    }

    /** Injects a file into the page: by content if it's one of the app's own files, which the page can't load, and otherwise by URL. */
    private void injectFile(Call call, String element, String property) throws JSONException {
      String file = call.args.getString(0);
      String own = readOwn(file);
      if (own != null) {
        inject(call, element.equals("script") ? own : addElement("style", "textContent", own, "0"));
        return;
      }
      waiting.put(call.id, call);
      web.evaluateJavascript(
          addElement(element, property, file, "webkit.messageHandlers.cordova_iab.loaded(" + JSONObject.quote(call.id) + ")"), null);
    }

    /** Returns the text of one of the app's own files. @return null if the app doesn't have this file */
    private String readOwn(String file) {
      if (Urls.originOf(file) != null && !activity.isOwn(file)) {
        return null;
      }
      String path = Urls.originOf(file) == null ? file : Uri.parse(file).getPath();
      try (InputStream stream = activity.server.open(path.startsWith("/") ? path : "/" + path)) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Files.copy(stream, bytes);
        return bytes.toString("UTF-8");
      } catch (IOException absent) {
        return null;
      }
    }

    @Override
    public void onDownloadStart(String url, String agent, String disposition, String type, long length) {
      Object[] more = {
        "userAgent", agent, "contentDisposition", disposition, "mimetype", type, "contentLength", length,
      };
      tell("download", url, more);
      if (downloads != null) {
        downloads.keep(event("download", url, more));
      } else if (isOwn) {
        activity.handOver(url);
      } else {
        activity.openOutside(Uri.parse(url));
      }
    }

    /** Gives the page's main frame a port, if the page defines the function that uses it. */
    private void connect(final String url) {
      final String origin = Urls.originOf(url);
      if (origin == null || opened.isCapacitor()) {
        return;
      }
      web.evaluateJavascript(
          MESSAGES,
          new ValueCallback<String>() {
            @Override
            public void onReceiveValue(String isAdded) {
              if (browser != Browser.this || !"true".equals(isAdded) || !origin.equals(Urls.originOf(web.getUrl()))) {
                return;
              }
              closePort();
              WebMessagePort[] ports = web.createWebMessageChannel();
              port = ports[0];
              port.setWebMessageCallback(new Messages());
              web.postWebMessage(new WebMessage(CONNECT, new WebMessagePort[] {ports[1]}), Uri.parse(origin));
            }
          });
    }

    private void closePort() {
      if (port != null) {
        port.close();
        port = null;
      }
      for (Call call : waiting.values()) {
        call.fail("The page has gone.");
      }
      waiting.clear();
    }

    private final class Messages extends WebMessagePort.WebMessageCallback {
      @Override
      public void onMessage(WebMessagePort from, WebMessage message) {
        String text = String.valueOf(message.getData());
        if (text.startsWith("l")) {
          Call loaded = waiting.remove(text.substring(1));
          if (loaded != null) {
            loaded.succeed(new JSONArray());
          }
        } else if (text.startsWith("m") && text.length() <= MAX_MESSAGE_CHARS) {
          try {
            tell("message", null, "data", new JSONObject(text.substring(1)));
          } catch (JSONException | StackOverflowError error) {
            Log.w(MainActivity.TAG, "A page of the in-app browser has posted no JSON object.");
          }
        } else {
          Log.w(MainActivity.TAG, "A page of the in-app browser has posted too much.");
        }
      }
    }

    private final class Pages extends WebViewClient {
      /** Refuses requests for the app's own origin. WebView calls it on other threads. */
      @Override
      public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
        String url = request.getUrl().toString();
        boolean isForApp = isForApp(url);
        if (isOwn && activity.isOwn(url)) {
          return activity.server.shouldInterceptRequest(request);
        }
        // If this returned null, WebView would send the request to the app's host name, where another server on the phone may listen.
        boolean isRefused = isForApp || isOwn && request.isForMainFrame();
        return isRefused
            ? new WebResourceResponse("text/plain", "utf-8", 403, "Forbidden", null, new ByteArrayInputStream(new byte[0]))
            : null;
      }

      @Override
      public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
        String url = request.getUrl().toString();
        String scheme = request.getUrl().getScheme();
        if (!request.isForMainFrame() || url.equals("about:blank")) {
          return false;
        }
        if (schemes().contains(scheme)) {
          tell("customscheme", url);
        } else if (Urls.originOf(url) == null) {
          activity.openOutside(request.getUrl());
        } else if (isForApp(url) && !isOwn) {
          // A sign-in can end with an address of the app. Reports the address to the page but doesn't open it.
          tell("loadstart", url);
          tell("loaderror", url, "code", ERROR_UNSUPPORTED_SCHEME, "message", "The in-app browser shows nothing of the app.");
        } else if (isOwn && !activity.isOwn(url)) {
          activity.openOutside(request.getUrl());
        } else if (asksFirst && request.getMethod().equals("GET")) {
          tell("beforeload", url);
        } else {
          return false;
        }
        return true;
      }

      /** Returns the schemes in the preference AllowedSchemes. */
      private List<String> schemes() {
        return Arrays.asList(activity.settings.optString("customSchemes", "").split(","));
      }

      @Override
      public void onPageStarted(WebView view, String url, Bitmap icon) {
        showAddress(url);
        tell("loadstart", url);
        connect(url);
      }

      @Override
      public void onPageCommitVisible(WebView view, String url) {
        connect(url);
      }

      @Override
      public void onPageFinished(WebView view, String url) {
        asksFirst = asks();
        connect(url);
        tell("loadstop", url);
        if (browser == Browser.this && opened.isCapacitor()) {
          if (!hasLoaded) {
            bridge.emit(NAME, "browserPageLoaded", null);
          }
          bridge.emit(NAME, "browserPageNavigationCompleted", event("browserPageNavigationCompleted", url));
        }
        hasLoaded = true;
      }

      @Override
      public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
        if (request.isForMainFrame()) {
          String message = String.valueOf(error.getDescription());
          tell("loaderror", request.getUrl().toString(), "code", error.getErrorCode(), "message", message);
        }
      }

      @Override
      public void onReceivedSslError(WebView view, SslErrorHandler handler, SslError error) {
        handler.cancel();
        String message = "The certificate isn't valid.";
        tell("loaderror", error.getUrl(), "code", 0, "sslerror", error.getPrimaryError(), "message", message);
      }

      /** Closes only this window when its page crashes. */
      @Override
      public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
        Log.e(MainActivity.TAG, "The page of the in-app browser is lost.");
        dismiss();
        return true;
      }
    }

    /** Handles the page's requests. WebView denies those that this class doesn't implement: camera, microphone, and new windows. */
    private final class Chrome extends WebChromeClient {
      @Override
      public void onGeolocationPermissionsShowPrompt(String origin, GeolocationPermissions.Callback callback) {
        callback.invoke(origin, false, false);
      }

      /** Lets the user choose files for the page. */
      @Override
      public boolean onShowFileChooser(WebView view, ValueCallback<Uri[]> answer, FileChooserParams wanted) {
        return activity.chooser.show(wanted, answer);
      }

      /** Cancels the prompt with which a page of the app asks for its bridge, because it has none here. */
      @Override
      public boolean onJsPrompt(WebView view, String url, String message, String text, JsPromptResult result) {
        if (message.equals(Bridge.CONNECT)) {
          result.cancel();
          return true;
        }
        return false;
      }

      @Override
      public void onCloseWindow(WebView view) {
        dismiss();
      }
    }
  }
}
