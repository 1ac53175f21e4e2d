package appbuild.shell;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ClipData;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.SystemClock;
import android.util.Log;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import android.view.WindowManager;
import android.webkit.CookieManager;
import android.webkit.DownloadListener;
import android.webkit.GeolocationPermissions;
import android.webkit.MimeTypeMap;
import android.webkit.PermissionRequest;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.ServiceWorkerController;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Shows the web files of the package as an app. What it does is set in assets/shell.json. */
public final class MainActivity extends Activity implements DownloadListener {
  static final String TAG = "AppShell";
  private static final int CHOOSE_FILES = 1;
  private static final int ASK_PERMISSIONS = 2;
  /** A page that is lost twice within this time would be lost for ever. */
  private static final long LOST_AGAIN_MS = 10000;
  private static final String COARSE_LOCATION = "android.permission.ACCESS_COARSE_LOCATION";
  private static final String FINE_LOCATION = "android.permission.ACCESS_FINE_LOCATION";
  private static final int IMMERSIVE =
      View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY
          | View.SYSTEM_UI_FLAG_FULLSCREEN
          | View.SYSTEM_UI_FLAG_HIDE_NAVIGATION
          | View.SYSTEM_UI_FLAG_LAYOUT_STABLE
          | View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN
          | View.SYSTEM_UI_FLAG_LAYOUT_HIDE_NAVIGATION;
  /** Schemes that other apps show. */
  private static final List<String> OUTER_SCHEMES =
      Arrays.asList("http", "https", "tel", "sms", "mailto", "geo", "market");
  /** Schemes that no pattern opens: they reach what only this app may, or make Android end it. */
  private static final List<String> INNER_SCHEMES =
      Arrays.asList("intent", "android-app", "file", "content", "javascript", "data", "blob");

  /** When the page was lost last, in milliseconds since the phone was switched on. Outlives the activity, which begins anew. */
  private static long lostAt = -LOST_AGAIN_MS;

  private final ArrayDeque<Question> questions = new ArrayDeque<>();
  private JSONObject settings = new JSONObject();
  private Server server;
  /** Where the files of the package are. */
  private String origin;
  /** Where the app begins: the origin, or that of the website which is the app. Its pages may ask for what foreign ones may not. */
  private String home;
  /** Null before there is one, and where it is lost. */
  private WebView web;
  private boolean isPageAskedBack;
  /** How the bars of the system look where they show. */
  private int barFlags;
  private View fullscreenView;
  private WebChromeClient.CustomViewCallback fullscreenCallback;
  private ValueCallback<Uri[]> chosenFiles;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    settings = readSettings();
    String scheme = settings.optString("scheme", "https").equalsIgnoreCase("http") ? "http" : "https";
    // WebView writes hosts in lower case.
    origin = scheme + "://" + settings.optString("hostname", "localhost").toLowerCase(Locale.ROOT);
    server = new Server(getAssets(), origin, settings.optString("fallback", ""));
    String start = firstUrl(settings.optString("start", ""));
    home = Urls.originOf(start);
    // It must be there before any WebView is.
    ServiceWorkerController.getInstance().setServiceWorkerClient(server);
    web = new WebView(this);
    web.setBackgroundColor(settings.optInt("background", -1));
    setContentView(web);
    prepareWindow();
    prepare(web.getSettings());
    // To a server, every request of a page of this origin is one of a third party.
    CookieManager.getInstance().setAcceptThirdPartyCookies(web, true);
    web.setWebViewClient(new Pages());
    web.setWebChromeClient(new Chrome());
    web.setDownloadListener(this);
    web.loadUrl(start);
  }

  private JSONObject readSettings() {
    try (InputStream stream = getAssets().open("shell.json")) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[8192];
      for (int count = stream.read(buffer); count > 0; count = stream.read(buffer)) {
        bytes.write(buffer, 0, count);
      }
      return new JSONObject(bytes.toString("UTF-8"));
    } catch (IOException | JSONException error) {
      Log.e(TAG, "shell.json", error);
      return new JSONObject();
    }
  }

  /** @param start a full http(s) URL, or what follows the origin: path, query and fragment */
  private String firstUrl(String start) {
    if (Urls.originOf(start) != null) {
      return start;
    }
    String path = start.startsWith("/") ? start : "/" + start;
    // What a URL has a meaning for stays as it is, `%` too: the text may be encoded already.
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
    if (settings.has("statusBar")) {
      window.setStatusBarColor(settings.optInt("statusBar"));
      barFlags |= settings.optBoolean("darkStatusText", false) ? View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR : 0;
    }
    if (settings.optBoolean("fullscreen", false) && Build.VERSION.SDK_INT >= 28) {
      WindowManager.LayoutParams attributes = window.getAttributes();
      attributes.layoutInDisplayCutoutMode = WindowManager.LayoutParams.LAYOUT_IN_DISPLAY_CUTOUT_MODE_SHORT_EDGES;
      window.setAttributes(attributes);
    }
    showBars();
  }

  /** Shows or hides the bars of the system. Android forgets it with a dialog or the keyboard, so it is done again. */
  private void showBars() {
    boolean isFullscreen = fullscreenView != null || settings.optBoolean("fullscreen", false);
    getWindow().getDecorView().setSystemUiVisibility(isFullscreen ? barFlags | IMMERSIVE : barFlags);
  }

  @Override
  public void onWindowFocusChanged(boolean hasFocus) {
    super.onWindowFocusChanged(hasFocus);
    if (hasFocus) {
      showBars();
    }
  }

  /** The page decides first (`backbutton`), then its history. A page that does not answer is not waited for again. */
  @Override
  public void onBackPressed() {
    if (fullscreenView != null) {
      leaveFullscreen();
    } else if (web == null || isPageAskedBack) {
      goBack();
    } else {
      isPageAskedBack = true;
      web.evaluateJavascript(
          "!!(window.cordova&&cordova.fireBackButton&&cordova.fireBackButton())",
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
    } else {
      finish();
    }
  }

  /** A person may end the app from here on, and a sign-in of the last seconds would be forgotten. */
  @Override
  protected void onStop() {
    super.onStop();
    if (web != null) {
      CookieManager.getInstance().flush();
    }
  }

  @Override
  protected void onDestroy() {
    discardPage();
    super.onDestroy();
  }

  private void discardPage() {
    if (web != null) {
      ((ViewGroup) web.getParent()).removeView(web);
      web.destroy();
      web = null;
    }
  }

  private boolean isOwn(String url) {
    return origin.equals(Urls.originOf(url));
  }

  /** True for the pages that are the app, not those that it only links to or shows in a frame. */
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

  /** Only activities that are meant for links of web pages get them. */
  private void openOutside(Uri url) {
    String text = url.toString();
    String scheme = url.getScheme();
    boolean isOuter =
        OUTER_SCHEMES.contains(scheme)
            || scheme != null && !INNER_SCHEMES.contains(scheme.toLowerCase(Locale.ROOT)) && isAllowed("intents", text);
    if (!isOuter || isOwn(text)) {
      Log.w(TAG, "Not opened: " + text);
      return;
    }
    try {
      startActivity(
          new Intent(Intent.ACTION_VIEW, url)
              .addCategory(Intent.CATEGORY_BROWSABLE)
              .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
    } catch (RuntimeException error) {
      // No app opens it, or none that this one may start, or the URL is too long for Android.
      Log.w(TAG, "No app opens " + text, error);
    }
  }

  /** The browser saves what is in the network. What is in the package or in the memory of the page cannot be saved. */
  @Override
  public void onDownloadStart(String url, String agent, String disposition, String type, long length) {
    openOutside(Uri.parse(url));
  }

  private final class Pages extends WebViewClient {
    @Override
    public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
      return server.shouldInterceptRequest(request);
    }

    @Override
    public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
      Uri url = request.getUrl();
      String text = url.toString();
      if (!request.isForMainFrame() || isTrusted(text) || text.equals("about:blank")) {
        return false;
      }
      if (Urls.originOf(text) != null && isAllowed("navigation", text)) {
        return false;
      }
      if (!text.equals("shell:exit")) {
        openOutside(url);
      } else if (isTrusted(view.getUrl())) {
        finish();
      }
      return true;
    }

    /** The page begins anew, once: Android ends the app where it is lost again at once. */
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
      if (chosenFiles != null) {
        chosenFiles.onReceiveValue(null);
      }
      chosenFiles = answer;
      Intent intent = wanted.createIntent();
      boolean isMultiple = wanted.getMode() == FileChooserParams.MODE_OPEN_MULTIPLE;
      // A folder, or a file to write, has an intent of its own.
      if (isMultiple || wanted.getMode() == FileChooserParams.MODE_OPEN) {
        String[] types = typesOf(wanted.getAcceptTypes());
        intent.setType(types.length == 1 ? types[0] : "*/*").putExtra(Intent.EXTRA_ALLOW_MULTIPLE, isMultiple);
        if (types.length > 1) {
          intent.putExtra(Intent.EXTRA_MIME_TYPES, types);
        }
      }
      try {
        startActivityForResult(intent, CHOOSE_FILES);
        return true;
      } catch (ActivityNotFoundException | SecurityException error) {
        Log.w(TAG, "No app chooses files", error);
        chosenFiles = null;
        return false;
      }
    }

    /** What a file input accepts, as MIME types; none where it accepts anything, or what Android does not know. */
    private String[] typesOf(String[] accepted) {
      List<String> types = new ArrayList<>();
      for (String text : accepted) {
        String type = text.trim().toLowerCase(Locale.ROOT);
        if (type.startsWith(".")) {
          type = MimeTypeMap.getSingleton().getMimeTypeFromExtension(type.substring(1));
        }
        if (type == null || type.indexOf('/') < 0) {
          return new String[0];
        }
        types.add(type);
      }
      return types.toArray(new String[0]);
    }

    /** Camera and microphone. What else a page may ask for (protected media, MIDI) nobody can be asked about. */
    @Override
    public void onPermissionRequest(final PermissionRequest request) {
      List<String> permissions = new ArrayList<>();
      final List<String> resources = new ArrayList<>();
      for (String resource : request.getResources()) {
        if (resource.equals(PermissionRequest.RESOURCE_VIDEO_CAPTURE)) {
          permissions.add("android.permission.CAMERA");
          resources.add(resource);
        } else if (resource.equals(PermissionRequest.RESOURCE_AUDIO_CAPTURE)) {
          permissions.add("android.permission.RECORD_AUDIO");
          resources.add(resource);
        }
      }
      if (permissions.isEmpty() || !isTrusted(request.getOrigin().toString())) {
        request.deny();
        return;
      }
      ask(
          new Question(permissions.toArray(new String[0]), permissions.size()) {
            @Override
            void answer(boolean isGranted) {
              if (isGranted) {
                request.grant(resources.toArray(new String[0]));
              } else {
                request.deny();
              }
            }
          });
    }

    /** A person may allow the rough position only. */
    @Override
    public void onGeolocationPermissionsShowPrompt(final String site, final GeolocationPermissions.Callback callback) {
      if (!isTrusted(site)) {
        callback.invoke(site, false, false);
        return;
      }
      ask(
          new Question(new String[] {COARSE_LOCATION, FINE_LOCATION}, 1) {
            @Override
            void answer(boolean isGranted) {
              callback.invoke(site, isGranted, false);
            }
          });
    }

    @Override
    public void onShowCustomView(View view, CustomViewCallback callback) {
      leaveFullscreen();
      fullscreenView = view;
      fullscreenCallback = callback;
      // On top of the web view: without a window, it would count as hidden.
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
      if (isTrusted(view.getUrl())) {
        finish();
      }
    }
  }

  /** Both the page and the back button end it; each hears of the other. */
  private void leaveFullscreen() {
    View view = fullscreenView;
    if (view != null) {
      fullscreenView = null;
      ((ViewGroup) view.getParent()).removeView(view);
      showBars();
      fullscreenCallback.onCustomViewHidden();
    }
  }

  /** What a page wants to know of a person. */
  private abstract static class Question {
    final String[] permissions;
    /** How many of the permissions must be granted. */
    final int enough;

    Question(String[] permissions, int enough) {
      this.permissions = permissions;
      this.enough = enough;
    }

    abstract void answer(boolean isGranted);
  }

  private boolean isGranted(Question question) {
    int granted = 0;
    for (String permission : question.permissions) {
      granted += checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED ? 1 : 0;
    }
    return granted >= question.enough;
  }

  /** Android asks one question at a time: the others wait. */
  private void ask(Question question) {
    questions.add(question);
    if (questions.size() == 1) {
      askNext();
    }
  }

  /** What is granted already needs no question. What the manifest does not name Android denies at once. */
  private void askNext() {
    while (!questions.isEmpty() && isGranted(questions.peek())) {
      questions.remove().answer(true);
    }
    if (!questions.isEmpty()) {
      requestPermissions(questions.peek().permissions, ASK_PERMISSIONS);
    }
  }

  @Override
  public void onRequestPermissionsResult(int request, String[] permissions, int[] results) {
    if (request == ASK_PERMISSIONS && !questions.isEmpty()) {
      Question question = questions.remove();
      question.answer(isGranted(question));
      askNext();
    }
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    if (request != CHOOSE_FILES || chosenFiles == null) {
      return;
    }
    ValueCallback<Uri[]> answer = chosenFiles;
    chosenFiles = null;
    answer.onReceiveValue(result == RESULT_OK && data != null ? filesOf(data) : null);
  }

  /** What was chosen of other apps. A `file:` of theirs could name what only this app may read. @return null for nothing */
  private static Uri[] filesOf(Intent data) {
    List<Uri> files = new ArrayList<>();
    ClipData several = data.getClipData();
    for (int index = 0; index < (several == null ? 1 : several.getItemCount()); index++) {
      Uri file = several == null ? data.getData() : several.getItemAt(index).getUri();
      if (file != null && "content".equals(file.getScheme())) {
        files.add(file);
      }
    }
    return files.isEmpty() ? null : files.toArray(new Uri[0]);
  }
}
