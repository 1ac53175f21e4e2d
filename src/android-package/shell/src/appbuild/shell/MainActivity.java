package appbuild.shell;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.res.Configuration;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.Parcel;
import android.os.SystemClock;
import android.util.Log;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import android.view.WindowManager;
import android.webkit.CookieManager;
import android.webkit.DownloadListener;
import android.webkit.GeolocationPermissions;
import android.webkit.JsPromptResult;
import android.webkit.PermissionRequest;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.ServiceWorkerController;
import android.webkit.ValueCallback;
import android.webkit.WebBackForwardList;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Shows the web files of the package as an app. assets/shell.json contains its settings. */
public final class MainActivity extends Activity implements DownloadListener {
  static final String TAG = "AppShell";
  /** Time after a crash in which a second crash ends the app, in ms. Otherwise, the page could crash again and again. */
  private static final long LOST_AGAIN_MS = 10000;
  /** Limited because Android ends an app whose saved state is too large. */
  private static final int MAX_STATE_BYTES = 200000;
  private static final String STATE = "shell";
  private static final String STATE_PAGE = "page";
  /** Key of the page's URLs: its history, followed by the current URL. */
  private static final String STATE_URLS = "urls";
  static final int IMMERSIVE =
      View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY
          | View.SYSTEM_UI_FLAG_FULLSCREEN
          | View.SYSTEM_UI_FLAG_HIDE_NAVIGATION
          | View.SYSTEM_UI_FLAG_LAYOUT_STABLE
          | View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN
          | View.SYSTEM_UI_FLAG_LAYOUT_HIDE_NAVIGATION;
  /** Schemes of links that open in other apps. */
  private static final List<String> OUTER_SCHEMES =
      Arrays.asList("http", "https", "tel", "sms", "mailto", "geo", "market");
  /** Schemes that never open in other apps, because they reach data that only this app can read or make Android stop the app. */
  private static final List<String> INNER_SCHEMES =
      Arrays.asList("intent", "android-app", "file", "content", "javascript", "data", "blob");

  /** Time when the page last crashed, in milliseconds since the phone was started. Static, because the activity restarts. */
  private static long lostAt = -LOST_AGAIN_MS;

  final Questions questions = new Questions(this);
  final FileChooser chooser = new FileChooser(this, questions);
  private final PageDownloads downloads = new PageDownloads(this);
  Plugins plugins;
  JSONObject settings = new JSONObject();
  Server server;
  /** Origin of the package's files. */
  String origin;
  /**
   * Origin of the start page: the app's own origin, or the origin of the website that the app shows. Pages of this origin can request
   * permissions that other sites can't.
   */
  private String home;
  /** Shows the page. Null before its creation and after a crash. */
  WebView web;
  /** URL of the visible page. Null for none. WebView's getUrl may return the URL of a page that's still loading. */
  private String shown;
  /** The last window that the page opened, which is never visible. Null for none. */
  private WebView opened;
  private boolean isPageAskedBack;
  /** Keeps the page between the bars. Null on earlier versions of Android, which do that themselves. */
  Edges edges;
  /** Appearance of the system bars while no video fills the screen. */
  private int barFlags;
  private View fullscreenView;
  private WebChromeClient.CustomViewCallback fullscreenCallback;
  /** Contents of assets/shell.js. */
  private String script;
  /** The link that opened the app. Null for none, and after the page has received it. */
  private String link;
  /** Number of the link, by which a page recognizes a link that it has already handled. */
  private int linkNumber;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    AppFiles.removeOld(this);
    settings = readSettings();
    script = readAsset("shell.js");
    String scheme = settings.optString("scheme", "https").equalsIgnoreCase("http") ? "http" : "https";
    // WebView converts hosts to lower case.
    origin = scheme + "://" + settings.optString("hostname", "localhost").toLowerCase(Locale.ROOT);
    plugins = Plugins.load(this, settings.optJSONArray("plugins"));
    if (state != null) {
      plugins.restore(state);
    }
    server = new Server(getAssets(), origin, settings.optString("fallback", ""), plugins.files());
    String start = firstUrl(settings.optString("start", ""));
    home = Urls.originOf(start);
    // Must precede the creation of any WebView.
    ServiceWorkerController.getInstance().setServiceWorkerClient(server);
    web = new WebView(this);
    web.setBackgroundColor(settings.optInt("background", -1));
    edges = hasOwnEdges() ? new Edges(this, web, settings) : null;
    setContentView(edges == null ? web : edges);
    if (Build.VERSION.SDK_INT >= Back.FIRST_SDK) {
      Back.register(this);
    }
    prepareWindow();
    prepare(web.getSettings());
    // Pages need third-party cookies, because every server is third-party to the app's own origin.
    CookieManager.getInstance().setAcceptThirdPartyCookies(web, true);
    web.setWebViewClient(new Pages());
    web.setWebChromeClient(new Chrome());
    web.setDownloadListener(this);
    if (state == null) {
      plugins.onIntent(getIntent());
      link = linkFrom(getIntent());
      if (link != null) {
        plugins.onLink(link);
      }
    }
    if (!restore(state)) {
      web.loadUrl(start);
    }
  }

  boolean hasOwnEdges() {
    return Build.VERSION.SDK_INT >= Edges.FIRST_SDK && getApplicationInfo().targetSdkVersion >= Edges.FIRST_SDK;
  }

  /**
   * Restores the page after Android ended the process in the background, with its history or at least its URL. Doesn't restore pages that a
   * link couldn't open. A form may have led to such a page, or an update of the app may allow fewer pages.
   */
  private boolean restore(Bundle state) {
    Bundle saved = state == null ? null : state.getBundle(STATE);
    String[] urls = saved == null ? null : saved.getStringArray(STATE_URLS);
    if (urls == null || !staysInside(urls[urls.length - 1])) {
      return false;
    }
    Bundle page = saved.getBundle(STATE_PAGE);
    for (String url : urls) {
      page = staysInside(url) ? page : null;
    }
    if (page == null || web.restoreState(page) == null) {
      web.loadUrl(urls[urls.length - 1]);
    }
    return true;
  }

  @Override
  protected void onSaveInstanceState(Bundle state) {
    super.onSaveInstanceState(state);
    plugins.save(state);
    Bundle page = new Bundle();
    WebBackForwardList history = web == null ? null : web.saveState(page);
    if (history == null) {
      return;
    }
    String[] urls = new String[history.getSize() + 1];
    for (int index = 0; index < history.getSize(); index++) {
      urls[index] = history.getItemAtIndex(index).getUrl();
    }
    urls[history.getSize()] = web.getUrl();
    Bundle saved = new Bundle();
    saved.putStringArray(STATE_URLS, urls);
    saved.putBundle(STATE_PAGE, page);
    if (!isSmall(saved)) {
      saved = new Bundle();
      saved.putStringArray(STATE_URLS, new String[] {web.getUrl()});
    }
    if (isSmall(saved)) {
      state.putBundle(STATE, saved);
    }
  }

  private static boolean isSmall(Bundle saved) {
    Parcel parcel = Parcel.obtain();
    saved.writeToParcel(parcel, 0);
    int size = parcel.dataSize();
    parcel.recycle();
    return size <= MAX_STATE_BYTES;
  }

  /** Called when a link or a notification opens the app while it's running. */
  @Override
  protected void onNewIntent(Intent intent) {
    super.onNewIntent(intent);
    plugins.onIntent(intent);
    link = linkFrom(intent);
    linkNumber++;
    if (link != null) {
      plugins.onLink(link);
    }
    giveLink();
  }

  /** Returns an intent's link, or null if it has none, if other apps may not send it, or if it's from the list of recent apps. */
  static String linkFrom(Intent intent) {
    boolean isAgain = (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0;
    Uri url = !isAgain && Intent.ACTION_VIEW.equals(intent.getAction()) ? intent.getData() : null;
    String scheme = url == null ? null : url.getScheme();
    return scheme == null || INNER_SCHEMES.contains(scheme.toLowerCase(Locale.ROOT)) ? null : url.toString();
  }

  /** Sends a link to the page in the format of cordova-plugin-customurlscheme. If this page doesn't handle it, the next page gets it. */
  private void giveLink() {
    if (link == null || web == null || !isTrusted(shown)) {
      return;
    }
    final int given = linkNumber;
    web.evaluateJavascript(
        "!!window.appShell&&appShell.takeLink(" + given + "," + JSONObject.quote(link) + ")",
        new ValueCallback<String>() {
          @Override
          public void onReceiveValue(String isTaken) {
            if ("true".equals(isTaken) && given == linkNumber) {
              link = null;
            }
          }
        });
  }

  /** Returns the link for a plugin that passes it to the page. @return null for none, or if the page already has it */
  String takeLink() {
    String taken = link;
    link = null;
    return taken;
  }

  private JSONObject readSettings() {
    try {
      return new JSONObject(readAsset("shell.json"));
    } catch (JSONException error) {
      Log.e(TAG, "shell.json", error);
      return new JSONObject();
    }
  }

  /** Returns the text of an asset, or an empty string if it's missing. */
  private String readAsset(String name) {
    try (InputStream stream = getAssets().open(name)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      Files.copy(stream, bytes);
      return bytes.toString("UTF-8");
    } catch (IOException error) {
      Log.e(TAG, name, error);
      return "";
    }
  }

  /** Returns the URL of the start page. @param start an http(s) URL, or a path with an optional query and fragment */
  private String firstUrl(String start) {
    if (Urls.originOf(start) != null) {
      return start;
    }
    String path = start.startsWith("/") ? start : "/" + start;
    // Keeps characters with a meaning in URLs, including `%`, because the text may already be encoded.
    return origin + Uri.encode(path, "/?#[]@!$&'()*+,;=:%");
  }

  private void prepare(WebSettings web) {
    web.setJavaScriptEnabled(true);
    web.setDomStorageEnabled(true);
    web.setDatabaseEnabled(true);
    web.setGeolocationEnabled(true);
    web.setAllowFileAccess(false);
    web.setAllowContentAccess(true);
    web.setUseWideViewPort(true);
    web.setLoadWithOverviewMode(true);
    web.setSupportZoom(false);
    web.setSupportMultipleWindows(true);
    web.setMediaPlaybackRequiresUserGesture(settings.optBoolean("gestureForMedia", false));
    if (settings.optBoolean("mixedContent", false)) {
      web.setMixedContentMode(WebSettings.MIXED_CONTENT_ALWAYS_ALLOW);
    }
    String agent = settings.optString("userAgent", "");
    String added = settings.optString("appendUserAgent", "");
    if (!agent.isEmpty()) {
      web.setUserAgentString(agent);
    } else if (!added.isEmpty()) {
      web.setUserAgentString(web.getUserAgentString() + " " + added);
    }
    boolean isDebuggable = (getApplicationInfo().flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
    WebView.setWebContentsDebuggingEnabled(isDebuggable || settings.optBoolean("inspectable", false));
  }

  private void prepareWindow() {
    Window window = getWindow();
    barFlags = window.getDecorView().getSystemUiVisibility();
    if (edges != null) {
      barFlags |= Edges.darkIconFlags(settings);
    } else if (settings.has("statusBar")) {
      window.setStatusBarColor(settings.optInt("statusBar"));
      barFlags |= settings.optBoolean("darkStatusText", false) ? View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR : 0;
    }
    setBarFlags(settings.optBoolean("fullscreen", false) ? barFlags | IMMERSIVE : barFlags);
  }

  int barFlags() {
    return barFlags;
  }

  /** Sets the system bars. @param flags flags of View.setSystemUiVisibility. With all of IMMERSIVE, the page fills cutout areas. */
  void setBarFlags(int flags) {
    barFlags = flags;
    if (Build.VERSION.SDK_INT >= 28) {
      WindowManager.LayoutParams attributes = getWindow().getAttributes();
      attributes.layoutInDisplayCutoutMode =
          (flags & IMMERSIVE) == IMMERSIVE
              ? WindowManager.LayoutParams.LAYOUT_IN_DISPLAY_CUTOUT_MODE_SHORT_EDGES
              : WindowManager.LayoutParams.LAYOUT_IN_DISPLAY_CUTOUT_MODE_DEFAULT;
      getWindow().setAttributes(attributes);
    }
    if (edges != null) {
      edges.setFlags(flags);
    }
    showBars();
  }

  /** Applies the flags of the system bars again, because Android resets them for a dialog or the keyboard. */
  private void showBars() {
    getWindow().getDecorView().setSystemUiVisibility(fullscreenView == null ? barFlags : barFlags | IMMERSIVE);
  }

  @Override
  public void onWindowFocusChanged(boolean hasFocus) {
    super.onWindowFocusChanged(hasFocus);
    if (hasFocus) {
      showBars();
    }
  }

  /** Applies the theme again. Android doesn't update it, and WebView derives prefers-color-scheme from it. */
  @Override
  public void onConfigurationChanged(Configuration now) {
    super.onConfigurationChanged(now);
    getTheme().applyStyle(getApplicationInfo().theme, true);
  }

  /** Called up to Android 12, and on later versions if {@link Back} isn't in use. */
  @Override
  public void onBackPressed() {
    askToGoBack();
  }

  /** Asks the page (`backbutton`), and goes back if the page doesn't handle it. Goes back immediately if the page still owes an answer. */
  void askToGoBack() {
    if (fullscreenView != null) {
      leaveFullscreen();
    } else if (web == null || isPageAskedBack) {
      goBack();
    } else {
      isPageAskedBack = true;
      web.evaluateJavascript(
          "!!(window.cordova&&cordova.fireBackButton&&cordova.fireBackButton(" + web.canGoBack() + "))",
          new ValueCallback<String>() {
            @Override
            public void onReceiveValue(String handled) {
              if (isPageAskedBack && !"true".equals(handled)) {
                goBack();
              }
              isPageAskedBack = false;
            }
          });
    }
  }

  private void goBack() {
    isPageAskedBack = false;
    if (web != null && web.canGoBack()) {
      web.goBack();
    } else if (!moveTaskToBack(false)) {
      // Another app started this one in its own task, which can't be moved to the back.
      finish();
    }
  }

  /** Saves cookies. Otherwise, if the user ends the app after this point, a recent sign-in would be lost. */
  @Override
  protected void onStop() {
    super.onStop();
    plugins.onStop();
    if (web != null) {
      CookieManager.getInstance().flush();
    }
  }

  @Override
  protected void onPause() {
    super.onPause();
    plugins.onPause();
  }

  @Override
  protected void onResume() {
    super.onResume();
    plugins.onResume();
  }

  @Override
  protected void onDestroy() {
    plugins.onDestroy();
    discardPage();
    discardOpened();
    downloads.end();
    super.onDestroy();
  }

  private void discardPage() {
    if (web != null) {
      ((ViewGroup) web.getParent()).removeView(web);
      web.destroy();
      web = null;
    }
  }

  private void discardOpened() {
    if (opened != null) {
      opened.destroy();
      opened = null;
    }
  }

  boolean isOwn(String url) {
    return origin.equals(Urls.originOf(url));
  }

  /** Reports whether a page belongs to the app, unlike pages that it only links to or shows in a frame. */
  private boolean isTrusted(String url) {
    return isOwn(url) || home.equals(Urls.originOf(url));
  }

  private boolean isAllowed(String list, String url) {
    JSONArray patterns = settings.optJSONArray(list);
    for (int index = 0; patterns != null && index < patterns.length(); index++) {
      if (Urls.matches(patterns.optString(index), url)) {
        return true;
      }
    }
    return false;
  }

  /** Reports whether WebView opens a link. */
  boolean staysInside(String url) {
    return isTrusted(url) || Urls.originOf(url) != null && isAllowed("navigation", url);
  }

  /**
   * Returns an intent for a URL in another app. Matches only activities that accept links from web pages.
   *
   * @return null for a URL without a scheme, or with one of {@link #INNER_SCHEMES}
   */
  static Intent intentFor(Uri url) {
    String scheme = url.getScheme();
    return scheme == null || INNER_SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))
        ? null
        : new Intent(Intent.ACTION_VIEW, url)
            .addCategory(Intent.CATEGORY_BROWSABLE)
            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
  }

  /** Opens a page's link in another app, if the app allows it. @return whether an app opens it */
  boolean openOutside(Uri url) {
    boolean isOuter = OUTER_SCHEMES.contains(url.getScheme()) || isAllowed("intents", url.toString());
    if (!isOuter) {
      Log.w(TAG, "Not opened: " + url);
    }
    return isOuter && view(url);
  }

  /** Opens a URL in another app. @return whether an app opens it */
  boolean view(Uri url) {
    try {
      Intent intent = intentFor(url);
      if (intent == null) {
        return false;
      }
      startActivity(intent);
      return true;
    } catch (RuntimeException error) {
      // No app can open it, this app can't start that app, or the URL is too long for Android.
      Log.w(TAG, "No app opens " + url, error);
      return false;
    }
  }

  @Override
  public void onDownloadStart(String url, String agent, String disposition, String type, long length) {
    handOver(url);
  }

  /** Handles files that WebView doesn't show: passes the app's own files to a viewer, and files from the network to the browser. */
  void handOver(final String url) {
    boolean isOfApp = web != null && isTrusted(shown);
    if (isOwn(url)) {
      downloads.show(server, Uri.parse(url).getPath());
    } else if (url.startsWith("blob:") && isOfApp) {
      downloads.saveBlob(web, Urls.originOf(shown), url);
    } else if (url.startsWith("data:") && isOfApp) {
      // Only the page's script knows the file name that the link suggests.
      web.evaluateJavascript(
          "window.appShell?appShell.nameOf(" + JSONObject.quote(url) + "):''",
          new ValueCallback<String>() {
            @Override
            public void onReceiveValue(String name) {
              downloads.saveData(url, name);
            }
          });
    } else {
      openOutside(Uri.parse(url));
    }
  }

  private final class Pages extends WebViewClient {
    @Override
    public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
      return server.shouldInterceptRequest(request);
    }

    @Override
    public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
      String text = request.getUrl().toString();
      if (!request.isForMainFrame() || staysInside(text) || text.equals("about:blank")) {
        return false;
      }
      if (!text.equals("shell:exit")) {
        handOver(text);
      } else if (isTrusted(shown)) {
        finish();
      }
      return true;
    }

    /**
     * Disconnects the plugins from a page of another site. Called when the page is visible, not when it starts to load,
     * because the load may become a download that leaves the app's page in place.
     */
    @Override
    public void doUpdateVisitedHistory(WebView view, String url, boolean isReload) {
      shown = url;
      if (!isOwn(url)) {
        plugins.disconnect();
      }
    }

    @Override
    public void onPageFinished(WebView view, String url) {
      if (isTrusted(url)) {
        view.evaluateJavascript(script, null);
        giveLink();
      }
    }

    /** Restarts the page once. If it crashes again soon, Android ends the app. */
    @Override
    public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
      long now = SystemClock.elapsedRealtime();
      boolean isLostAgain = now - lostAt < LOST_AGAIN_MS;
      lostAt = now;
      Log.e(TAG, isLostAgain ? "The page is lost again." : "The page is lost, and begins anew.");
      if (isLostAgain) {
        return false;
      }
      discardPage();
      recreate();
      return true;
    }
  }

  private final class Chrome extends WebChromeClient {
    @Override
    public boolean onShowFileChooser(WebView view, ValueCallback<Uri[]> answer, FileChooserParams wanted) {
      return chooser.show(wanted, answer);
    }

    /** Connects a page whose script is ready and asks for its end of the channel. WebView shows a dialog for other prompts. */
    @Override
    public boolean onJsPrompt(WebView view, String url, String message, String text, JsPromptResult result) {
      if (!message.equals(Plugins.CONNECT) || !isOwn(url)) {
        return false;
      }
      plugins.connect(view, origin);
      result.confirm("");
      return true;
    }

    /** Creates a window that's never visible, because the URL of a new window is known only when it navigates. */
    @Override
    public boolean onCreateWindow(WebView view, boolean isDialog, boolean isUserGesture, Message result) {
      discardOpened();
      opened = new WebView(MainActivity.this);
      opened.setWebViewClient(new Opened());
      ((WebView.WebViewTransport) result.obj).setWebView(opened);
      result.sendToTarget();
      return true;
    }

    /**
     * Asks the user for the camera and the microphone. Denies other resources, such as protected media and MIDI, because Android
     * doesn't have a prompt for them.
     */
    @Override
    public void onPermissionRequest(final PermissionRequest request) {
      List<String> permissions = new ArrayList<>();
      final List<String> resources = new ArrayList<>();
      for (String resource : request.getResources()) {
        if (resource.equals(PermissionRequest.RESOURCE_VIDEO_CAPTURE)) {
          permissions.add(Questions.CAMERA);
          resources.add(resource);
        } else if (resource.equals(PermissionRequest.RESOURCE_AUDIO_CAPTURE)) {
          permissions.add(Questions.MICROPHONE);
          resources.add(resource);
        }
      }
      if (permissions.isEmpty() || !isTrusted(request.getOrigin().toString())) {
        request.deny();
        return;
      }
      questions.ask(
          permissions.toArray(new String[0]),
          permissions.size(),
          new Questions.Listener() {
            @Override
            public void onAnswer(boolean isGranted) {
              if (isGranted) {
                request.grant(resources.toArray(new String[0]));
              } else {
                request.deny();
              }
            }
          });
    }

    /** Asks the user for the location. The approximate location is enough. */
    @Override
    public void onGeolocationPermissionsShowPrompt(final String site, final GeolocationPermissions.Callback callback) {
      if (!isTrusted(site)) {
        callback.invoke(site, false, false);
        return;
      }
      questions.ask(
          Questions.LOCATION,
          1,
          new Questions.Listener() {
            @Override
            public void onAnswer(boolean isGranted) {
              callback.invoke(site, isGranted, false);
            }
          });
    }

    @Override
    public void onShowCustomView(View view, CustomViewCallback callback) {
      leaveFullscreen();
      fullscreenView = view;
      fullscreenCallback = callback;
      // Added above the web view, which must stay in the window, because it would count as hidden otherwise.
      int fill = ViewGroup.LayoutParams.MATCH_PARENT;
      addContentView(view, new ViewGroup.LayoutParams(fill, fill));
      showBars();
    }

    @Override
    public void onHideCustomView() {
      leaveFullscreen();
    }

    @Override
    public void onCloseWindow(WebView view) {
      if (isTrusted(shown)) {
        finish();
      }
    }
  }

  /** Handles a window that the page opened. Opens its URL in the main window or in another app, and discards the window. */
  private final class Opened extends WebViewClient {
    @Override
    public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
      return server.shouldInterceptRequest(request);
    }

    @Override
    public boolean shouldOverrideUrlLoading(final WebView view, WebResourceRequest request) {
      String text = request.getUrl().toString();
      if (text.equals("about:blank")) {
        return false;
      }
      if (web != null && staysInside(text)) {
        web.loadUrl(text);
      } else {
        handOver(text);
      }
      // Destroys the window, so that the page sees it as closed. Posted, because a WebView can't be destroyed during its own callback.
      new Handler(Looper.getMainLooper())
          .post(
              new Runnable() {
                @Override
                public void run() {
                  if (opened == view) {
                    discardOpened();
                  }
                }
              });
      return true;
    }

    /** Returns true, because Android ends the app unless every web view of the crashed process handles the crash. */
    @Override
    public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
      discardOpened();
      return true;
    }
  }

  /** Ends full screen, for the page or the back button, and notifies the page. */
  private void leaveFullscreen() {
    View view = fullscreenView;
    if (view != null) {
      fullscreenView = null;
      ((ViewGroup) view.getParent()).removeView(view);
      showBars();
      fullscreenCallback.onCustomViewHidden();
    }
  }

  @Override
  public void onRequestPermissionsResult(int request, String[] permissions, int[] results) {
    questions.onResult(request);
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    chooser.onResult(request, result, data);
    plugins.onActivityResult(request, result, data);
  }
}
