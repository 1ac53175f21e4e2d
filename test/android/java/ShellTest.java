package appbuild.shell;

import android.content.ActivityNotFoundException;
import android.content.ClipData;
import android.content.ContentResolver;
import android.content.ContextWrapper;
import android.content.Intent;
import android.content.res.AssetManager;
import android.graphics.Insets;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Looper;
import android.os.Message;
import android.os.Parcel;
import android.os.SystemClock;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowInsets;
import android.webkit.CookieManager;
import android.webkit.GeolocationPermissions;
import android.webkit.PermissionRequest;
import android.webkit.ServiceWorkerController;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebMessage;
import android.webkit.WebMessagePort;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.widget.Toast;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Runs the activity like Android, with the fakes of fakes.txt. */
public final class ShellTest {
  private static final int IMMERSIVE = 0x1706;
  private static final int DARK_TEXT = 0x2000;

  private static MainActivity activity;
  private static WebView web;

  public static void main(String[] args) throws Exception {
    AssetManager.load(args[0]);
    ContextWrapper.cache = java.nio.file.Files.createTempDirectory("cache").toFile();
    settings();
    firstUrls();
    files();
    paths();
    fallback();
    requests();
    parts();
    links();
    foreignPages();
    otherApps();
    windows();
    downloads();
    blobs();
    oldPhones();
    provider();
    state();
    linksToTheApp();
    back();
    bars();
    edges();
    fullscreen();
    cameraAndMicrophone();
    position();
    severalQuestions();
    fileChooser();
    capture();
    lostPage();
    end();
    Check.end();
  }

  private static void setSettings(String settings) throws Exception {
    AssetManager.files.put("shell.json", settings.replace('\'', '"').getBytes("UTF-8"));
  }

  /** Starts the app with settings in JSON, where single quotes are allowed. */
  private static void start(String settings) throws Exception {
    start(settings, null);
  }

  private static void start(String settings, Bundle state) throws Exception {
    setSettings(settings);
    create(new MainActivity(), state);
  }

  private static void create(MainActivity next, Bundle state) {
    WebView.count = 0;
    ContextWrapper.started.clear();
    ContextWrapper.granted.clear();
    ContentResolver.ONLY.rows.clear();
    Toast.shown.clear();
    activity = next;
    activity.onCreate(state);
    web = (WebView) (activity.content instanceof WebView ? activity.content : ((ViewGroup) activity.content).children.get(0));
    show(web.url);
  }

  /**
   * Shows a page. Before that, the web view already has the page's URL while the previous page is still visible.
   */
  private static void show(String url) {
    web.url = url;
    web.client.doUpdateVisitedHistory(web, url, false);
  }

  /** Starts the app on a version of Android, with a package for that version. */
  private static void startOn(int sdk, String settings) throws Exception {
    Build.VERSION.SDK_INT = sdk;
    ContextWrapper.target = 36;
    start(settings);
  }

  private static WebResourceRequest request(
      final String url, final String method, final boolean isMainFrame, String... headers) {
    final Map<String, String> map = new HashMap<>();
    for (int index = 0; index < headers.length; index += 2) {
      map.put(headers[index], headers[index + 1]);
    }
    return new WebResourceRequest() {
      public Uri getUrl() {
        return Uri.parse(url);
      }

      public boolean isForMainFrame() {
        return isMainFrame;
      }

      public String getMethod() {
        return method;
      }

      public Map<String, String> getRequestHeaders() {
        return map;
      }
    };
  }

  private static WebResourceResponse get(String url, String... headers) {
    return web.client.shouldInterceptRequest(web, request(url, "GET", false, headers));
  }

  private static WebResourceResponse navigate(String url) {
    return web.client.shouldInterceptRequest(web, request(url, "GET", true));
  }

  /** Follows a link. @return true if it stays in the app */
  private static boolean stays(String url) {
    return !web.client.shouldOverrideUrlLoading(web, request(url, "GET", true));
  }

  /** Follows a link. @return the intent that it started, or null */
  private static String opened(String url) {
    ContextWrapper.started.clear();
    Check.is(stays(url), false);
    return ContextWrapper.started.isEmpty() ? null : ContextWrapper.started.get(0).data.toString();
  }

  private static void settings() throws Exception {
    ContextWrapper.flags = 2;
    start("{'background':-16777216,'statusBar':-65536,'appendUserAgent':'App/1'}");
    Check.is(ServiceWorkerController.beforeWebView, true);
    Check.is(
        web.settings.set.toString(),
        "{agent=UA App/1, content=true, cookies=true, database=true, file=false, gesture=false, javascript=true,"
            + " overview=true, position=true, storage=true, wide=true, windows=true, zoom=false}");
    Check.is(WebView.debugging, true);
    Check.is(activity.window.bar, -65536);
    Check.is(web.color, -16777216);
    ContextWrapper.flags = 0;
    start("{'mixedContent':true,'userAgent':'Mine','appendUserAgent':'App/1','gestureForMedia':true}");
    Check.is(WebView.debugging, false);
    Check.is(web.settings.set.get("mixed"), 0);
    Check.is(web.settings.set.get("agent"), "Mine");
    Check.is(web.settings.set.get("gesture"), true);
    Check.is(web.color, -1);
    Check.is(activity.window.bar, null);
    start("{'inspectable':true}");
    Check.is(WebView.debugging, true);
    start("not json");
    Check.is(web.url, "https://localhost/");
  }

  private static String firstUrl(String settings) throws Exception {
    start(settings);
    return web.url;
  }

  private static void firstUrls() throws Exception {
    Check.is(firstUrl("{}"), "https://localhost/");
    Check.is(firstUrl("{'start':'sub/índex.html?a=1#x'}"), "https://localhost/sub/%C3%ADndex.html?a=1#x");
    Check.is(firstUrl("{'start':'/index.html'}"), "https://localhost/index.html");
    Check.is(firstUrl("{'start':'a b.html?c=d+e&f=%20#/tab:1;2'}"), "https://localhost/a%20b.html?c=d+e&f=%20#/tab:1;2");
    Check.is(firstUrl("{'start':'#/home'}"), "https://localhost/#/home");
    Check.is(firstUrl("{'start':'https://Example.com/a?b=https://c'}"), "https://Example.com/a?b=https://c");
    Check.is(firstUrl("{'start':'http://example.com'}"), "http://example.com");
    Check.is(firstUrl("{'start':'HTTPS://example.com/'}"), "HTTPS://example.com/");
    Check.is(firstUrl("{'start':'javascript:alert(1)'}"), "https://localhost/javascript:alert(1)");
    Check.is(firstUrl("{'scheme':'HTTP','hostname':'App.Local'}"), "http://app.local/");
    Check.is(get("http://app.local/index.html").status, 200);
    Check.is(firstUrl("{'scheme':'ionic'}"), "https://localhost/");
  }

  private static void files() throws Exception {
    start("{}");
    WebResourceResponse page = navigate("https://localhost/");
    Check.is(page.status, 200);
    Check.is(page.type, "text/html");
    // A page declares its own encoding.
    Check.is(page.encoding, null);
    Check.is(page.headers.get("Accept-Ranges"), "bytes");
    Check.is(get("https://localhost/a%20b/%C3%BC.js?v=1").type, "text/javascript");
    Check.is(get("https://localhost/b.epub").type, "application/epub+zip");
    Check.is(get("https://localhost/b.xyz").type, "application/octet-stream");
    Check.is(navigate("https://localhost/LICENSE").type, "text/plain");
    Check.is(get("https://localhost/m.wasm").type, "application/wasm");
    Check.is(get("https://localhost/none.js").status, 404);
    Check.is(get("https://localhost/sub").status, 404);
    Check.is(navigate("https://localhost/nowhere").status, 404);
    Check.is(navigate("https://localhost/nowhere").data.read(), (int) 'N');
    Check.is(web.client.shouldInterceptRequest(web, request("https://localhost/", "POST", true)).status, 405);
    Check.is(web.client.shouldInterceptRequest(web, request("https://localhost/", "HEAD", false, "Range", "bytes=0-1")).status, 200);
    // This address isn't part of the app.
    Check.is(get("https://example.com/x"), null);
    Check.is(get("http://localhost/"), null);
    Check.is(get("https://localhost:8080/"), null);
    Check.is(get("https://localhost.evil.org/x"), null);
    Check.is(get("https://localhost@evil.org/x"), null);
    Check.is(get("data:text/plain,x"), null);
    Check.is(ServiceWorkerController.client.shouldInterceptRequest(request("https://localhost/sub/", "GET", false)).status, 200);
    Check.is(ServiceWorkerController.client.shouldInterceptRequest(request("https://e.com/", "GET", false)), null);
  }

  private static void paths() throws Exception {
    start("{'fallback':'index.html'}");
    Check.is(get("https://localhost/100%25+1.js").status, 200);
    Check.is(get("https://localhost/100%25%2B1.js").status, 200);
    Check.is(get("https://localhost/a+b/%C3%BC.js").status, 404);
    Check.is(get("https://localhost/sub%2Findex.html").status, 200);
    Check.is(get("https://localhost/../shell.json").status, 404);
    Check.is(get("https://localhost/%2e%2e/shell.json").status, 404);
    Check.is(get("https://localhost/..%2Fshell.json").status, 404);
    Check.is(get("https://localhost/sub%2f..%2f..%2fshell.json").status, 404);
    Check.is(navigate("https://localhost/..%2Fshell.json").status, 404);
    Check.is(get("https://localhost/index.html%00.js").status, 404);
    Check.is(get("https://localhost/%ff.js").status, 404);
    Check.is(get("https://localhost?a").status, 200);
  }

  private static void fallback() throws Exception {
    start("{'fallback':'index.html'}");
    WebResourceResponse page = navigate("https://localhost/users/7");
    Check.is(page.status, 200);
    Check.is(page.type, "text/html");
    Check.is(get("https://localhost/users/7", "Accept", "text/html,*/*").status, 200);
    Check.is(get("https://localhost/api/users", "Accept", "*/*").status, 404);
    Check.is(get("https://localhost/none.js").status, 404);
    // A path with a file extension isn't a route. A dot alone isn't an extension.
    Check.is(navigate("https://localhost/missing.js").status, 404);
    Check.is(navigate("https://localhost/users/john.doe").status, 200);
    Check.is(navigate("https://localhost/old/page.html").status, 200);
  }

  /**
   * Requests get the same answers from the package as from a web server, by the rules of {@link Loader}, except for Chromium's own
   * decisions.
   */
  private static void requests() throws Exception {
    start("{'fallback':'index.html'}");
    AssetManager.open = 0;
    String whole = "200, 1000";
    String hundred = "206, 100, bytes 500-599/1000";
    String[][] wanted = {
      {"movie.mp4", "", whole},
      {"movie.mp4", "Range: bytes=0-", "206, 1000, bytes 0-999/1000"},
      {"movie.mp4", "Range: bytes=900-", "206, 100, bytes 900-999/1000"},
      {"movie.mp4", "Range: bytes=0-99", "206, 100, bytes 0-99/1000"},
      {"movie.mp4", "Range: bytes=500-599", hundred},
      {"movie.mp4", "Range: bytes=-100", "206, 100, bytes 900-999/1000"},
      {"movie.mp4", "range: bytes=500-599", hundred},
      {"movie.mp4", "RANGE: Bytes = 500 - 599", hundred},
      {"movie.mp4", "range: bytes=500-", "206, 500, bytes 500-999/1000"},
      {"movie.mp4", "Range: bytes=0-1,5-6", whole},
      {"text.txt", "Range: bytes=10-19", "206, 10, bytes 10-19/5000"},
      {"empty.json", "", "200, 0"},
      {"/a.js", "", "200, 1"},
      {"dir//b.js", "", "200, 1"},
      {"dir///b.js", "", "200, 1"},
      {"A.js", "", "404"},
      {"%zz.js", "", "404"},
      {"%c3%28.js", "", "404"},
      {"a.js?x=../../y#z", "", "200, 1"},
      {"..%2fshell.json", "", "404"},
      {"%5c..%5cshell.json", "", "404"},
      {"./a.js", "", "404"},
      {"dir", "", "404"},
      {"dir", "Accept: text/html", "200, 3"},
      {"%F0%9F%98%80.json", "", "200, 2"},
      {"%C3%A9-nfd.txt", "", "404"},
      {"a;b=c.txt", "", "200, 1"},
      {"p+q.txt", "", "200, 1"},
      {"LICENSE", "", "200, 4"},
      {"users/7", "Accept: text/html", "200, 6"},
      {"api/7", "Accept: application/json", "404"},
      // A web server would answer 416. Chromium decides on its own, and reports an error.
      {"movie.mp4", "Range: bytes=1000-", "ERR_FAILED"},
      {"empty.json", "Range: bytes=0-", "ERR_FAILED"},
    };
    for (String[] each : wanted) {
      String[] headers = each[1].isEmpty() ? new String[0] : each[1].split(": ");
      String got = Loader.load(ServiceWorkerController.client, request("https://localhost/" + each[0], "GET", false, headers));
      String expected = each[2].equals("404") ? "404, 9" : each[2];
      Check.is(each[0] + " " + each[1] + ": " + got, each[0] + " " + each[1] + ": " + expected);
    }
    Check.is(AssetManager.open, 0);
  }

  /** A range ends at its last byte, whatever the buffer size is. */
  private static void parts() throws Exception {
    Part part = new Part(new AssetManager().open("www/movie.mp4"), 600);
    Check.is(part.available(), 600);
    Check.is(part.skip(500), 500L);
    Check.is(part.available(), 100);
    Check.is(part.read(), 500 % 251);
    Check.is(part.read(new byte[4096], 0, 4096), 99);
    Check.is(part.read(new byte[4096], 0, 4096), -1);
    Check.is(part.read(), -1);
    Check.is(part.skip(5), 0L);
    Check.is(part.markSupported(), false);
    part.close();
  }

  private static void links() throws Exception {
    start("{'navigation':['https://ok.example/*','file:*','content:*'],'intents':['myapp:*','*:*','file:*','intent:*']}");
    Check.is(stays("https://localhost/x"), true);
    Check.is(stays("https://ok.example/x"), true);
    Check.is(stays("about:blank"), true);
    Check.is(ContextWrapper.started.size(), 0);
    Check.is(opened("https://other.example/x"), "https://other.example/x");
    Check.is(ContextWrapper.started.get(0).action, Intent.ACTION_VIEW);
    Check.is(ContextWrapper.started.get(0).categories.toString(), "[android.intent.category.BROWSABLE]");
    Check.is(opened("tel:123"), "tel:123");
    Check.is(opened("myapp:x"), "myapp:x");
    Check.is(opened("intent:x"), null);
    Check.is(opened("Intent:x"), null);
    Check.is(opened("file:///etc/hosts"), null);
    Check.is(opened("content://other/1"), null);
    Check.is(opened("data:text/html,x"), null);
    Check.is(opened("blob:https://localhost/1"), null);
    Check.is(opened("unknown:x"), null);
    // Frames may load any page.
    Check.is(web.client.shouldOverrideUrlLoading(web, request("https://other.example/x", "GET", false)), false);
    Check.is(activity.finished, false);
    Check.is(opened("shell:exit"), null);
    Check.is(activity.finished, true);
  }

  private static void foreignPages() throws Exception {
    start("{'navigation':['https://ok.example/*']}");
    show("https://ok.example/x");
    Check.is(opened("shell:exit"), null);
    Check.is(activity.finished, false);
    web.chrome.onCloseWindow(web);
    Check.is(activity.finished, false);
    // A page of the app still loads.
    web.url = "https://localhost/";
    Check.is(opened("shell:exit"), null);
    web.chrome.onCloseWindow(web);
    Check.is(activity.finished, false);
    show("https://localhost/");
    web.chrome.onCloseWindow(web);
    Check.is(activity.finished, true);
    // The app is a website.
    start("{'start':'https://Home.example/app/'}");
    Check.is(stays("https://home.example/other"), true);
    Check.is(stays("https://localhost/"), true);
    Check.is(opened("https://elsewhere.example/"), "https://elsewhere.example/");
    Check.is(opened("shell:exit"), null);
    Check.is(activity.finished, true);
  }

  private static void otherApps() throws Exception {
    start("{}");
    for (RuntimeException error :
        Arrays.asList(new ActivityNotFoundException(), new SecurityException(), new RuntimeException("too long"))) {
      ContextWrapper.noApp = error;
      Check.is(opened("geo:1,2"), null);
    }
    ContextWrapper.noApp = null;
  }

  /** Opens a window from a page. @return the window, which is never visible */
  private static WebView openWindow() {
    Message result = new Message();
    WebView.WebViewTransport transport = web.new WebViewTransport();
    result.obj = transport;
    Check.is(web.chrome.onCreateWindow(web, false, true, result), true);
    Check.is(result.isSent, true);
    return transport.view;
  }

  private static boolean stays(WebView window, String url) {
    return !window.client.shouldOverrideUrlLoading(window, request(url, "GET", true));
  }

  private static void windows() throws Exception {
    start("{'navigation':['https://ok.example/*']}");
    WebView window = openWindow();
    Check.is(window.parent, null);
    Check.is(window.settings.set.isEmpty(), true);
    // A page writes to an empty window, and navigates it later.
    Check.is(stays(window, "about:blank"), true);
    Looper.idle();
    Check.is(window.destroyed, false);
    Check.is(web.url, "https://localhost/");
    WebResourceResponse answer = window.client.shouldInterceptRequest(window, request("https://localhost/a.js", "GET", false));
    Check.is(answer.status, 200);
    answer.data.close();
    Check.is(stays(window, "https://localhost/two.html"), false);
    Check.is(web.url, "https://localhost/two.html");
    // A window isn't destroyed while WebView is calling.
    Check.is(window.destroyed, false);
    Looper.idle();
    Check.is(window.destroyed, true);
    Check.is(stays(openWindow(), "https://ok.example/"), false);
    Check.is(web.url, "https://ok.example/");
    Check.is(ContextWrapper.started.size(), 0);
    Check.is(stays(openWindow(), "https://other.example/x"), false);
    Check.is(ContextWrapper.started.get(0).data.toString(), "https://other.example/x");
    for (String url : new String[] {"intent:x", "file:///etc/hosts", "shell:exit"}) {
      window = openWindow();
      Check.is(stays(window, url), false);
    }
    Check.is(ContextWrapper.started.size(), 1);
    Check.is(web.url, "https://ok.example/");
    Check.is(activity.finished, false);
    // The next window replaces this one immediately, even while its destruction is pending.
    WebView next = openWindow();
    Check.is(window.destroyed, true);
    Looper.idle();
    Check.is(next.destroyed, false);
    // The window's renderer crashes, perhaps with the page's. Android ends the app if either crash isn't handled.
    Check.is(next.client.onRenderProcessGone(next, null), true);
    Check.is(next.destroyed, true);
    // The activity destroys the last window.
    next = openWindow();
    activity.onDestroy();
    Check.is(next.destroyed, true);
    Check.is(stays(next, "https://localhost/"), false);
    Check.is(stays(next, "data:,x"), false);
    Looper.idle();
  }

  private static void download(String url) {
    web.downloads.onDownloadStart(url, "", "", "", 1);
    Looper.idle();
  }

  private static String sent() {
    Intent intent = ContextWrapper.started.remove(ContextWrapper.started.size() - 1);
    return intent.action + " " + intent.data + " " + intent.type + " " + Integer.toHexString(intent.flags);
  }

  private static void downloads() throws Exception {
    start("{}");
    download("https://e.com/a.zip");
    Check.is(sent(), "android.intent.action.VIEW https://e.com/a.zip null 10000000");
    // WebView can't display a PDF. A viewer gets only this file.
    download("https://localhost/doc.pdf?page=2");
    Check.is(sent(), "android.intent.action.VIEW content://com.example.app.files/doc.pdf application/pdf 10000001");
    Check.is(new java.io.File(AppFiles.folder(activity), "doc.pdf").length(), 3L);
    Check.is(ContentResolver.ONLY.toString(), "[]");
    // A missing file, a folder, and a path that leads out of the app.
    for (String path : new String[] {"none.pdf", "dir", "..%2fshell.json"}) {
      download("https://localhost/" + path);
    }
    Check.is(ContextWrapper.started.size(), 0);
    // No app can display it, so it's saved.
    ContextWrapper.noApp = new ActivityNotFoundException();
    download("https://localhost/b.epub");
    Check.is(ContentResolver.ONLY.toString(), "[b.epub application/epub+zip e]");
    Check.is(Toast.shown.toString(), "[Download/b.epub]");
    ContextWrapper.noApp = null;
    Check.is(AssetManager.open, 0);
    // The page's script knows the file name that a link suggests. The URL is passed as a string and can't run code.
    start("{}");
    web.results.put("window.appShell?appShell.nameOf(\"data:text\\/plain,%22);alert(1)\"", "\"..\\/a:b\\\".txt\"");
    download("data:text/plain,%22);alert(1)");
    Check.is(ContentResolver.ONLY.toString(), "[a_b_.txt text/plain \");alert(1)]");
    ContentResolver.ONLY.rows.clear();
    web.results.put("window.appShell?appShell.nameOf(", "\"\"");
    download("data:application/json;charset=utf-8;base64,eyJ9%0A");
    download("data:,");
    download("data:image/png;base64");
    Check.is(ContentResolver.ONLY.toString(), "[download.json application/json {\"}, download.txt text/plain ]");
    // Android knows more types than the shell, and chooses its own names.
    download("data:application/zip,z");
    download("data:,2");
    Check.is(Toast.shown.subList(3, 5).toString(), "[Download/download.zip, Download/download (1).txt]");
    // A failed download leaves no file.
    ContextWrapper.noApp = new ActivityNotFoundException();
    for (String step : new String[] {"insert", "open", "write"}) {
      ContentResolver.failing = step;
      download("data:,x");
      download("https://localhost/b.epub");
    }
    ContentResolver.failing = null;
    ContextWrapper.noApp = null;
    download("data:;base64,A");
    Check.is(ContentResolver.ONLY.rows.size(), 4);
    Check.is(Toast.shown.size(), 5);
    // Only pages of the app can save files.
    show("https://foreign.example/");
    web.url = "https://localhost/";
    download("data:,x");
    download("blob:https://foreign.example/1");
    Check.is(web.posted, null);
    Check.is(Toast.shown.size(), 5);
    Check.is(ContextWrapper.started.size(), 0);
  }

  /** The shell's end of the channel to the page. */
  private static WebMessagePort shellPort;

  private static WebMessagePort saveBlob() {
    download("blob:https://localhost/1");
    return web.ports[0];
  }

  private static void tell(String message) {
    shellPort.receive(new WebMessage(message));
  }

  /** Tests the messages that assets/shell.js sends. */
  private static void blobs() throws Exception {
    start("{}");
    shellPort = saveBlob();
    Check.is(web.posted, "https://localhost: appbuild:save blob:https://localhost/1");
    tell("{\"name\":\"a.bin\",\"type\":\"\"}");
    tell("AAEC");
    tell("AwQ=");
    Check.is(ContentResolver.ONLY.toString().startsWith("[pending a.bin application/octet-stream"), true);
    tell("");
    Check.is(ContentResolver.ONLY.toString(), "[a.bin application/octet-stream \0\1\2\3\4]");
    Check.is(shellPort.posted.toString(), "[next, next, next]");
    Check.is(shellPort.isClosed, true);
    Check.is(Toast.shown.toString(), "[Download/a.bin]");
    // An incomplete download leaves no file.
    for (String broken : new String[] {"!", "*"}) {
      shellPort = saveBlob();
      tell("{\"name\":\"b.bin\",\"type\":\"\"}");
      tell(broken.equals("*") ? null : broken);
      Check.is(shellPort.isClosed, true);
    }
    shellPort = saveBlob();
    tell("!");
    Check.is(shellPort.isClosed, true);
    Check.is(ContentResolver.ONLY.rows.size(), 1);
    Check.is(Toast.shown.size(), 1);
    // The thread and incomplete downloads end with the activity.
    shellPort = saveBlob();
    tell("{\"name\":\"c.bin\",\"type\":\"\"}");
    Check.is(ContentResolver.ONLY.rows.size(), 2);
    activity.onDestroy();
    Check.is(ContentResolver.ONLY.rows.size(), 1);
    Check.is(shellPort.isClosed, true);
    download("https://localhost/doc.pdf");
    Check.is(ContextWrapper.started.size(), 0);
  }

  /** Before Android 10, saving a file requires a permission, so the app displays the file instead. */
  private static void oldPhones() throws Exception {
    startOn(28, "{}");
    web.results.put("window.appShell?", "\"a.csv\"");
    download("data:text/csv,1");
    Check.is(sent(), "android.intent.action.VIEW content://com.example.app.files/a.csv text/csv 10000001");
    web.results.put("window.appShell?", "\"a\"");
    download("data:application/zip,1");
    Check.is(sent(), "android.intent.action.VIEW content://com.example.app.files/a application/zip 10000001");
    Check.is(ContentResolver.ONLY.toString(), "[]");
    ContextWrapper.noApp = new ActivityNotFoundException();
    download("https://localhost/b.epub");
    ContextWrapper.noApp = null;
    Check.is(new java.io.File(AppFiles.folder(activity), "b.epub").length(), 1L);
    shellPort = saveBlob();
    tell("{\"name\":\"c.bin\"}");
    tell("!");
    Check.is(new java.io.File(AppFiles.folder(activity), "c.bin").exists(), false);
    Build.VERSION.SDK_INT = 34;
    ContextWrapper.target = 0;
  }

  private static String opens(AppFiles files, String uri, String mode) {
    try {
      android.os.ParcelFileDescriptor opened = files.openFile(Uri.parse(uri), mode);
      return opened.file.getName() + " " + Integer.toHexString(opened.mode);
    } catch (java.io.FileNotFoundException refused) {
      return "refused";
    } catch (IllegalArgumentException error) {
      return error.getMessage();
    }
  }

  /** Other apps get single files from one folder. */
  private static void provider() throws Exception {
    start("{}");
    AppFiles files = new AppFiles();
    files.context = activity;
    Check.is(files.onCreate(), true);
    java.io.File shared = AppFiles.folder(activity);
    java.nio.file.Files.write(shared.toPath().resolve("a #ü.pdf"), new byte[3]);
    java.nio.file.Files.write(ContextWrapper.cache.toPath().resolve("secret"), new byte[3]);
    Check.is(AppFiles.uri(activity, new java.io.File(shared, "a #ü.pdf")).toString(), "content://com.example.app.files/a%20%23%C3%BC.pdf");
    Check.is(opens(files, "content://com.example.app.files/a%20%23%C3%BC.pdf", "r"), "a #ü.pdf 10000000");
    Check.is(opens(files, "content://com.example.app.files/1.jpg", "w"), "1.jpg 2c000000");
    Check.is(opens(files, "content://com.example.app.files/1.jpg", "x"), "Bad mode 'x'");
    for (String path :
        new String[] {
          "", "/", "/.", "/..", "/none", "/..%2fsecret", "/%2e%2e%2fsecret", "/../secret", "/x/../../secret", "/x/doc.pdf", "//doc.pdf",
          "/doc.pdf/", "/x%2fdoc.pdf", "/doc%2epdf", "/doc.pdf?x", "/doc.pdf%00", "/doc.pdf%00.jpg", "/.hidden",
        }) {
      Check.is(path + " " + opens(files, "content://com.example.app.files" + path, "rw"), path + " " + (path.equals("/none") ? "none 38000000" : "refused"));
    }
    Check.is(opens(files, "content://com.example.app.files/none2", "r"), "refused");
    Check.is(opens(files, "content://other.files/doc.pdf", "r"), "refused");
    Check.is(opens(files, "file:" + shared + "/doc.pdf", "r"), "refused");
    Check.is(files.getType(Uri.parse("content://com.example.app.files/a.pdf")), "application/pdf");
    Check.is(files.getType(Uri.parse("content://com.example.app.files/")), null);
    Uri doc = Uri.parse("content://com.example.app.files/doc.pdf");
    Check.is(files.query(doc, null, null, null, null).toString(), "[_display_name, _size] [doc.pdf, 3]");
    Check.is(files.query(doc, new String[] {"_size", "_data"}, null, null, null).toString(), "[_size, _data] [3, null]");
    Check.is(files.query(Uri.parse("content://com.example.app.files/.."), null, null, null, null).toString(), "[_display_name, _size]");
    // The file is deleted after a day.
    new java.io.File(shared, "doc.pdf").setLastModified(System.currentTimeMillis() - 86500000);
    start("{}");
    Check.is(new java.io.File(shared, "doc.pdf").exists(), false);
    Check.is(new java.io.File(shared, "a #ü.pdf").exists(), true);
  }

  /** Saves the state and ends the process. */
  private static Bundle save(String url, int size, String... history) {
    Bundle state = new Bundle();
    web.url = url;
    web.stateSize = size;
    web.history = history;
    activity.onSaveInstanceState(state);
    Check.is(Parcel.obtained, 0);
    return state;
  }

  /** @return the result for the page's state: restored, or the URL that is loaded */
  private static String restored(String settings, Bundle state) throws Exception {
    start(settings, state);
    return web.isRestored ? "restored" : web.url;
  }

  private static void state() throws Exception {
    String settings = "{'start':'app.html','navigation':['https://ok.example/*']}";
    String start = "https://localhost/app.html";
    String page = "https://localhost/page?q=1#here";
    start(settings);
    Check.is(restored(settings, save(page, 100, start, page)), "restored");
    Check.is(restored(settings, save("https://ok.example/", 100, start, "https://ok.example/")), "restored");
    // The state is too large for Android, so the app loads the last page.
    Check.is(restored(settings, save(page, 200001, start, page)), page);
    Check.is(restored(settings, save("https://localhost/#" + new String(new char[100000]), 1, start)), start);
    // Links can't reach these pages. A form led to one, and an update removed the rule for the other.
    Check.is(restored(settings, save(page, 100, "https://evil.org/", page)), page);
    Check.is(restored(settings, save(page, 100, page, "about:blank", page)), page);
    for (String url : new String[] {"https://evil.org/", "javascript:alert(1)", "file:///data/x", "data:text/html,x", "about:blank"}) {
      Check.is(restored(settings, save(url, 100, start)), start);
    }
    Check.is(restored("{}", save("https://ok.example/", 100, start)), "https://localhost/");
    Check.is(restored("{}", save(page, 100, start, "https://ok.example/", page)), page);
    // WebView can't read its own state, for example after an update of WebView.
    WebView.isStateBroken = true;
    Check.is(restored(settings, save(page, 100, start, page)), page);
    WebView.isStateBroken = false;
    Check.is(restored(settings, new Bundle()), start);
    start(settings);
    Check.is(save(null, 100).values.isEmpty(), true);
    // The page crashes, and its state is lost.
    web.url = page;
    SystemClock.now += 60000;
    web.client.onRenderProcessGone(web, null);
    Bundle state = new Bundle();
    activity.onSaveInstanceState(state);
    Check.is(state.values.isEmpty(), true);
  }

  private static Intent link(String action, String url) {
    return new Intent(action, url == null ? null : Uri.parse(url));
  }

  private static String lastScript() {
    return web.scripts.isEmpty() ? null : web.scripts.get(web.scripts.size() - 1);
  }

  private static String script(int number, String link) {
    return "!!window.appShell&&appShell.takeLink(" + number + ",\"" + link + "\")";
  }

  /** A link to the app is text that the page receives. It doesn't navigate or run anything. */
  private static void linksToTheApp() throws Exception {
    String view = Intent.ACTION_VIEW;
    setSettings("{'navigation':['https://ok.example/*']}");
    MainActivity opened = new MainActivity();
    opened.intent = link(view, "myapp://open?a=1");
    create(opened, null);
    Check.is(web.url, "https://localhost/");
    Check.is(lastScript(), null);
    web.results.put("!!window.appShell", "false");
    web.client.onPageFinished(web, "https://localhost/");
    Looper.idle();
    Check.is(web.scripts.get(0).contains("appbuild:save"), true);
    Check.is(lastScript(), script(0, "myapp:\\/\\/open?a=1"));
    // The page hasn't accepted the link yet, so the next page gets it.
    web.results.put("!!window.appShell", "true");
    web.client.onPageFinished(web, "https://localhost/two");
    Check.is(lastScript(), script(0, "myapp:\\/\\/open?a=1"));
    // If the page hasn't answered, the shell sends the link again with the same number.
    web.client.onPageFinished(web, "https://localhost/two#x");
    Check.is(lastScript(), script(0, "myapp:\\/\\/open?a=1"));
    Looper.idle();
    int count = web.scripts.size();
    web.client.onPageFinished(web, "https://localhost/three");
    Check.is(web.scripts.size(), count + 1);
    // The app is already running.
    activity.onNewIntent(link(view, "https://links.example/x\");alert(\"1"));
    Check.is(lastScript(), script(1, "https:\\/\\/links.example\\/x\\\");alert(\\\"1"));
    // The same link counts as a new link when it's sent again. The answer to the first doesn't apply to the second.
    Looper.idle();
    activity.onNewIntent(link(view, "https://localhost/page"));
    web.results.clear();
    activity.onNewIntent(link(view, "https://localhost/page"));
    Check.is(lastScript(), script(3, "https:\\/\\/localhost\\/page"));
    Looper.idle();
    web.client.onPageFinished(web, "https://localhost/page");
    Check.is(lastScript(), script(3, "https:\\/\\/localhost\\/page"));
    web.results.put("!!window.appShell", "true");
    // Schemes that other apps may not use, text that isn't a URL, and an intent without a URL.
    web.scripts.clear();
    for (String url : new String[] {"javascript:alert(1)", "JavaScript:x", "file:///data/x", "content://a/1", "data:,x", "blob:x", "intent:x", "android-app:x", "text", null}) {
      activity.onNewIntent(link(view, url));
    }
    activity.onNewIntent(link("android.intent.action.SEND", "https://links.example/"));
    // When the app is opened from the recent apps, Android sends the first intent again.
    activity.onNewIntent(link(view, "myapp://old").addFlags(0x00100000));
    Check.is(web.scripts.toString(), "[]");
    // Third-party pages get neither links nor the shell's script.
    show("https://ok.example/");
    web.url = "https://localhost/";
    activity.onNewIntent(link(view, "myapp://secret"));
    web.client.onPageFinished(web, "https://ok.example/");
    Check.is(web.scripts.toString(), "[]");
    show("https://localhost/");
    web.client.onPageFinished(web, "https://localhost/");
    Check.is(lastScript().endsWith("\"myapp:\\/\\/secret\")"), true);
    Check.is(ContextWrapper.started.size(), 0);
    // The app restarts with its state. The link has already been delivered.
    MainActivity again = new MainActivity();
    again.intent = link(view, "myapp://open");
    create(again, new Bundle());
    web.client.onPageFinished(web, "https://localhost/");
    Check.is(web.scripts.size(), 1);
    activity.onDestroy();
    activity.onNewIntent(link(view, "myapp://late"));
  }

  private static void back() throws Exception {
    // Up to Android 12, the button calls the activity. Later versions call Android's callback, for
    // any target.
    for (final int sdk : new int[] {24, 32, 33, 36, 37}) {
      startOn(sdk, "{}");
      Check.is(activity.dispatcher.callbacks.size(), sdk < 33 ? 0 : 1);
      Runnable back =
          new Runnable() {
            public void run() {
              if (sdk < 33) {
                activity.onBackPressed();
              } else {
                activity.dispatcher.callbacks.get(0).onBackInvoked();
              }
            }
          };
      web.handled = "true";
      back.run();
      Check.is(activity.isBehind, false);
      web.handled = "false";
      web.back = true;
      back.run();
      Check.is(web.wentBack, 1);
      // The page hangs. The second press goes back without it, and its late answer is ignored.
      web.handled = null;
      back.run();
      Check.is(web.wentBack, 1);
      back.run();
      Check.is(web.wentBack, 2);
      web.unanswered.onReceiveValue("false");
      Check.is(web.wentBack, 2);
      // If the app was started from the launcher, it stays in the background with its page. In another app's task, it
      // ends.
      web.handled = "null";
      web.back = false;
      back.run();
      Check.is(activity.isBehind, true);
      Check.is(activity.finished, false);
      activity.isRoot = false;
      back.run();
      Check.is(activity.finished, true);
    }
    Build.VERSION.SDK_INT = 34;
    ContextWrapper.target = 0;
  }

  private static void bars() throws Exception {
    start("{'statusBar':-1,'darkStatusText':true}");
    Check.is(activity.window.getDecorView().flags, DARK_TEXT);
    start("{'statusBar':-1}");
    Check.is(activity.window.getDecorView().flags, 0);
    start("{'darkStatusText':true}");
    Check.is(activity.window.getDecorView().flags, 0);
    start("{'fullscreen':true}");
    Check.is(activity.window.getDecorView().flags, IMMERSIVE);
    Check.is(activity.window.getAttributes().layoutInDisplayCutoutMode, 1);
    activity.window.getDecorView().flags = 0;
    activity.onWindowFocusChanged(false);
    Check.is(activity.window.getDecorView().flags, 0);
    activity.onWindowFocusChanged(true);
    Check.is(activity.window.getDecorView().flags, IMMERSIVE);
  }

  private static String margins(boolean hasBars, int keyboard) {
    WindowInsets insets = new WindowInsets();
    if (hasBars) {
      insets.edges.put(1, Insets.of(0, 80, 0, 0));
      insets.edges.put(2, Insets.of(0, 0, 0, 48));
    }
    insets.edges.put(128, Insets.of(0, 90, 0, 0));
    if (keyboard > 0) {
      insets.edges.put(8, Insets.of(0, 0, 0, keyboard));
    }
    Check.is(((ViewGroup) activity.content).onApplyWindowInsets(insets), WindowInsets.CONSUMED);
    return ((ViewGroup.MarginLayoutParams) web.getLayoutParams()).margins;
  }

  /**
   * The window extends under the bars on Android 15 and later, with a package for such a version.
   */
  private static void edges() throws Exception {
    startOn(34, "{'statusBar':-65536}");
    Check.is(activity.content, web);
    Check.is(activity.window.bar, -65536);
    Build.VERSION.SDK_INT = 36;
    ContextWrapper.target = 34;
    start("{'statusBar':-65536}");
    Check.is(activity.content, web);
    for (int sdk : new int[] {35, 36, 37}) {
      startOn(sdk, "{'background':-1,'statusBar':-16777216}");
      View strip = ((ViewGroup) activity.content).children.get(1);
      Check.is(activity.window.bar, null);
      Check.is(margins(true, 0), "0 90 0 48");
      Check.is(strip.getLayoutParams().height, 90);
      Check.is(strip.color, -16777216);
      // Light text on black at the top, dark symbols on white at the bottom.
      Check.is(activity.window.getDecorView().flags, 0x10);
      Check.is(margins(true, 700), "0 90 0 700");
      Check.is(margins(true, 0), "0 90 0 48");
      startOn(sdk, "{'fullscreen':true}");
      Check.is(margins(false, 0), "0 0 0 0");
      Check.is(margins(false, 700), "0 0 0 700");
      startOn(sdk, "{'background':-16777216}");
      Check.is(activity.window.getDecorView().flags, 0);
      startOn(sdk, "{}");
      Check.is(activity.window.getDecorView().flags, 0x2010);
      startOn(sdk, "{'darkStatusText':false}");
      Check.is(activity.window.getDecorView().flags, 0x10);
      // The page crashes, and the window shows no part of it.
      SystemClock.now += 60000;
      Check.is(web.client.onRenderProcessGone(web, null), true);
      Check.is(web.destroyedInView, false);
      Check.is(((ViewGroup) activity.content).children.contains(web), false);
    }
    Build.VERSION.SDK_INT = 34;
    ContextWrapper.target = 0;
  }

  private static void fullscreen() throws Exception {
    start("{'statusBar':-1,'darkStatusText':true}");
    final int[] hidden = new int[1];
    WebChromeClient.CustomViewCallback callback =
        new WebChromeClient.CustomViewCallback() {
          public void onCustomViewHidden() {
            hidden[0]++;
            web.chrome.onHideCustomView();
          }
        };
    web.chrome.onShowCustomView(new View(null), callback);
    Check.is(activity.added(), 1);
    Check.is(activity.window.getDecorView().flags, IMMERSIVE | DARK_TEXT);
    activity.onBackPressed();
    Check.is(activity.added(), 0);
    Check.is(hidden[0], 1);
    Check.is(activity.finished, false);
    Check.is(activity.window.getDecorView().flags, DARK_TEXT);
    web.chrome.onHideCustomView();
    Check.is(hidden[0], 1);
    // A second view replaces the first.
    web.chrome.onShowCustomView(new View(null), callback);
    web.chrome.onShowCustomView(new View(null), callback);
    Check.is(activity.added(), 1);
    Check.is(hidden[0], 2);
    start("{'fullscreen':true}");
    web.chrome.onShowCustomView(new View(null), callback);
    web.chrome.onHideCustomView();
    Check.is(activity.window.getDecorView().flags, IMMERSIVE);
  }

  /** A permission request that records its answer. */
  private static final class Asked extends PermissionRequest {
    final String site;
    final String[] resources;
    String answer;

    Asked(String site, String... resources) {
      this.site = site;
      this.resources = resources;
    }

    public Uri getOrigin() {
      return Uri.parse(site);
    }

    public String[] getResources() {
      return resources;
    }

    public void grant(String[] granted) {
      answer = "granted " + Arrays.toString(granted).replace("android.webkit.resource.", "");
    }

    public void deny() {
      answer = "denied";
    }

    Asked ask() {
      web.chrome.onPermissionRequest(this);
      return this;
    }
  }

  private static void answerQuestion(String... granted) {
    ContextWrapper.granted.addAll(Arrays.asList(granted));
    activity.onRequestPermissionsResult(2, new String[0], new int[0]);
  }

  private static void cameraAndMicrophone() throws Exception {
    String camera = PermissionRequest.RESOURCE_VIDEO_CAPTURE;
    String microphone = PermissionRequest.RESOURCE_AUDIO_CAPTURE;
    String media = "android.webkit.resource.PROTECTED_MEDIA_ID";
    String midi = "android.webkit.resource.MIDI_SYSEX";
    start("{}");
    Asked both = new Asked("https://localhost/", camera, microphone).ask();
    Check.is(both.answer, null);
    Check.is(Arrays.toString(activity.asked), "[android.permission.CAMERA, android.permission.RECORD_AUDIO]");
    answerQuestion(activity.asked);
    Check.is(both.answer, "granted [VIDEO_CAPTURE, AUDIO_CAPTURE]");
    // If the permission is already granted, the user isn't asked again.
    Check.is(new Asked("https://localhost/", camera).ask().answer, "granted [VIDEO_CAPTURE]");
    Check.is(activity.timesAsked, 1);
    // The shell can't ask for the other resources, so it grants none of them.
    Check.is(new Asked("https://localhost/", media, camera, midi).ask().answer, "granted [VIDEO_CAPTURE]");
    Check.is(new Asked("https://localhost/", media).ask().answer, "denied");
    Check.is(new Asked("https://evil.org/", camera).ask().answer, "denied");
    ContextWrapper.granted.clear();
    Asked half = new Asked("https://localhost/", camera, microphone).ask();
    answerQuestion("android.permission.CAMERA");
    Check.is(half.answer, "denied");
    start("{'start':'https://home.example/'}");
    Asked website = new Asked("https://home.example/", camera).ask();
    answerQuestion(activity.asked);
    Check.is(website.answer, "granted [VIDEO_CAPTURE]");
  }

  private static void position() throws Exception {
    start("{}");
    final String[] answer = new String[1];
    GeolocationPermissions.Callback callback =
        new GeolocationPermissions.Callback() {
          public void invoke(String site, boolean isAllowed, boolean isRetained) {
            answer[0] = site + " " + isAllowed + " " + isRetained;
          }
        };
    web.chrome.onGeolocationPermissionsShowPrompt("https://localhost/", callback);
    Check.is(answer[0], null);
    answerQuestion("android.permission.ACCESS_COARSE_LOCATION");
    Check.is(answer[0], "https://localhost/ true false");
    // The approximate location is allowed, and the user isn't asked again for the exact location.
    answer[0] = null;
    web.chrome.onGeolocationPermissionsShowPrompt("https://localhost/", callback);
    Check.is(answer[0], "https://localhost/ true false");
    Check.is(activity.timesAsked, 1);
    web.chrome.onGeolocationPermissionsShowPrompt("https://evil.org/", callback);
    Check.is(answer[0], "https://evil.org/ false false");
    ContextWrapper.granted.clear();
    web.chrome.onGeolocationPermissionsShowPrompt("https://localhost/", callback);
    answerQuestion();
    Check.is(answer[0], "https://localhost/ false false");
  }

  private static void severalQuestions() throws Exception {
    start("{}");
    Asked first = new Asked("https://localhost/", PermissionRequest.RESOURCE_VIDEO_CAPTURE).ask();
    Asked second = new Asked("https://localhost/", PermissionRequest.RESOURCE_AUDIO_CAPTURE).ask();
    Asked third = new Asked("https://localhost/", PermissionRequest.RESOURCE_VIDEO_CAPTURE).ask();
    Check.is(activity.timesAsked, 1);
    Check.is(Arrays.toString(activity.asked), "[android.permission.CAMERA]");
    // The result of another activity.
    activity.onRequestPermissionsResult(99, new String[0], new int[0]);
    Check.is(first.answer, null);
    answerQuestion(activity.asked);
    Check.is(first.answer, "granted [VIDEO_CAPTURE]");
    Check.is(second.answer, null);
    Check.is(activity.timesAsked, 2);
    Check.is(Arrays.toString(activity.asked), "[android.permission.RECORD_AUDIO]");
    answerQuestion();
    Check.is(second.answer, "denied");
    Check.is(third.answer, "granted [VIDEO_CAPTURE]");
    Check.is(activity.timesAsked, 2);
    // A result without a pending question.
    answerQuestion();
    Check.is(activity.timesAsked, 2);
  }

  private static WebChromeClient.FileChooserParams wanted(final int mode, final String... types) {
    return new WebChromeClient.FileChooserParams() {
      public int getMode() {
        return mode;
      }

      public String[] getAcceptTypes() {
        return types;
      }

      public boolean isCaptureEnabled() {
        return isCapture;
      }

      public Intent createIntent() {
        return new Intent("GET", null).setType(types.length > 0 ? types[0] : null);
      }
    };
  }

  /** True if the input has `capture`. */
  private static boolean isCapture;

  /** Returns the page's callback. @param chosen receives the files as text */
  private static ValueCallback<Uri[]> answerInto(final String[] chosen) {
    return new ValueCallback<Uri[]>() {
      public void onReceiveValue(Uri[] files) {
        chosen[0] = Arrays.toString(files);
      }
    };
  }

  private static void fileChooser() throws Exception {
    start("{}");
    String[] chosen = new String[1];
    ValueCallback<Uri[]> answer = answerInto(chosen);
    Check.is(web.chrome.onShowFileChooser(web, answer, wanted(1, "image/png", " IMAGE/JPEG ")), true);
    Check.is(activity.choosing.type, "*/*");
    Check.is(
        new java.util.TreeMap<>(activity.choosing.extras).toString(),
        "{android.intent.extra.ALLOW_MULTIPLE=true, android.intent.extra.MIME_TYPES=[image/png, image/jpeg]}");
    activity.onActivityResult(1, 0, null);
    Check.is(chosen[0], "null");
    // Extensions for which Android has no MIME type.
    web.chrome.onShowFileChooser(web, answer, wanted(0, ".pdf"));
    Check.is(activity.choosing.type, "application/pdf");
    Check.is(activity.choosing.extras.toString(), "{android.intent.extra.ALLOW_MULTIPLE=false}");
    web.chrome.onShowFileChooser(web, answer, wanted(0, ".pdf", ".unknown"));
    Check.is(activity.choosing.type, "*/*");
    Check.is(activity.choosing.extras.toString(), "{android.intent.extra.ALLOW_MULTIPLE=false}");
    web.chrome.onShowFileChooser(web, answer, wanted(0, ""));
    Check.is(activity.choosing.type, "*/*");
    web.chrome.onShowFileChooser(web, answer, wanted(0));
    Check.is(activity.choosing.type, "*/*");
    // A folder.
    web.chrome.onShowFileChooser(web, answer, wanted(2));
    Check.is(activity.choosing.type, null);
    Check.is(activity.choosing.extras.isEmpty(), true);
    // One file, several files, and a file that doesn't belong to another app.
    activity.onActivityResult(1, -1, new Intent("x", Uri.parse("content://a/1")));
    Check.is(chosen[0], "[content://a/1]");
    web.chrome.onShowFileChooser(web, answer, wanted(1));
    Intent several = new Intent("x", null);
    several.clip = new ClipData(Uri.parse("content://a/1"), Uri.parse("file:///data/data/app/x"), null, Uri.parse("content://a/2"));
    activity.onActivityResult(1, -1, several);
    Check.is(chosen[0], "[content://a/1, content://a/2]");
    web.chrome.onShowFileChooser(web, answer, wanted(0));
    activity.onActivityResult(1, -1, new Intent("x", Uri.parse("file:///data/data/app/x")));
    Check.is(chosen[0], "null");
    // A second input while the first is open, an unrelated result, and a result without a pending input.
    chosen[0] = "";
    web.chrome.onShowFileChooser(web, answer, wanted(0));
    web.chrome.onShowFileChooser(web, answer, wanted(0));
    Check.is(chosen[0], "null");
    chosen[0] = "";
    activity.onActivityResult(99, -1, new Intent("x", Uri.parse("content://a/1")));
    Check.is(chosen[0], "");
    activity.onActivityResult(1, -1, null);
    Check.is(chosen[0], "null");
    chosen[0] = "";
    activity.onActivityResult(1, -1, null);
    Check.is(chosen[0], "");
    activity.noChooser = new ActivityNotFoundException();
    Check.is(web.chrome.onShowFileChooser(web, answer, wanted(0)), false);
  }

  private static void capture() throws Exception {
    start("{}");
    String[] chosen = new String[1];
    ValueCallback<Uri[]> answer = answerInto(chosen);
    web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*"));
    Check.is(activity.choosing.action, "GET");
    isCapture = true;
    web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*"));
    Intent camera = activity.choosing;
    Uri picture = (Uri) camera.extras.get("output");
    Check.is(camera.action, "android.media.action.IMAGE_CAPTURE");
    Check.is(picture.toString().matches("content://com\\.example\\.app\\.files/\\d+\\.jpg"), true);
    // The clip grants access, because not every Android version does so automatically.
    Check.is(camera.getClipData().getItemAt(0).getUri(), picture);
    Check.is(camera.flags, 3);
    java.nio.file.Files.write(AppFiles.folder(activity).toPath().resolve(picture.getLastPathSegment()), new byte[1]);
    activity.onActivityResult(1, -1, null);
    Check.is(chosen[0], "[" + picture + "]");
    java.nio.file.Files.delete(AppFiles.folder(activity).toPath().resolve(picture.getLastPathSegment()));
    // The camera wrote no file, the user went back, or the camera stored the video itself.
    web.chrome.onShowFileChooser(web, answer, wanted(0, ".jpg"));
    activity.onActivityResult(1, -1, null);
    Check.is(chosen[0], "null");
    chosen[0] = "";
    web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*"));
    activity.onActivityResult(1, 0, null);
    Check.is(chosen[0], "null");
    web.chrome.onShowFileChooser(web, answer, wanted(0, "video/*"));
    Check.is(activity.choosing.action, "android.media.action.VIDEO_CAPTURE");
    Check.is(activity.choosing.extras.get("output").toString().endsWith(".mp4"), true);
    activity.onActivityResult(1, -1, new Intent("x", Uri.parse("content://camera/1")));
    Check.is(chosen[0], "[content://camera/1]");
    web.chrome.onShowFileChooser(web, answer, wanted(0, "audio/*"));
    Check.is(activity.choosing.action, "android.provider.MediaStore.RECORD_SOUND");
    activity.onActivityResult(1, 0, null);
    // Types that no camera produces.
    for (String types : new String[] {"application/pdf", "image/*,video/*", "image/png,.unknown", ""}) {
      web.chrome.onShowFileChooser(web, answer, wanted(0, types.split(",")));
      Check.is(activity.choosing.action, "GET");
      activity.onActivityResult(1, 0, null);
    }
    web.chrome.onShowFileChooser(web, answer, wanted(0, "image/png", ".jpg"));
    Check.is(activity.choosing.action, "android.media.action.IMAGE_CAPTURE");
    // Android doesn't start a camera for an app that declares the permission without having it.
    ContextWrapper.declared = new String[] {"android.permission.CAMERA"};
    activity.choosing = null;
    Check.is(web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*")), true);
    Check.is(activity.choosing, null);
    answerQuestion("android.permission.CAMERA");
    Check.is(activity.choosing.action, "android.media.action.IMAGE_CAPTURE");
    ContextWrapper.granted.clear();
    // Audio needs no camera permission, even while a camera is open.
    web.chrome.onShowFileChooser(web, answer, wanted(0, "audio/*"));
    Check.is(activity.choosing.action, "android.provider.MediaStore.RECORD_SOUND");
    web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*"));
    answerQuestion();
    Check.is(activity.choosing.action, "GET");
    activity.onActivityResult(1, -1, new Intent("x", Uri.parse("content://a/1")));
    Check.is(chosen[0], "[content://a/1]");
    // Neither a camera nor another source of files exists.
    activity.noChooser = new ActivityNotFoundException();
    web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*"));
    answerQuestion("android.permission.CAMERA");
    Check.is(chosen[0], "null");
    ContextWrapper.declared = null;
    Check.is(web.chrome.onShowFileChooser(web, answer, wanted(0, "image/*")), false);
    isCapture = false;
  }

  private static void lostPage() throws Exception {
    SystemClock.now += 60000;
    start("{}");
    WebView first = web;
    Check.is(first.client.onRenderProcessGone(first, null), true);
    Check.is(activity.recreated, true);
    Check.is(first.destroyed, true);
    // After the activity is destroyed, going back and destroying it again have no effect.
    first.destroyed = false;
    activity.onStop();
    activity.onBackPressed();
    Check.is(activity.isBehind, true);
    download("blob:https://localhost/1");
    activity.onDestroy();
    Check.is(first.destroyed, false);
    // The next page crashes soon after, so Android ends the app.
    start("{}");
    SystemClock.now += 3000;
    Check.is(web.client.onRenderProcessGone(web, null), false);
    Check.is(activity.recreated, false);
    start("{}");
    SystemClock.now += 60000;
    Check.is(web.client.onRenderProcessGone(web, null), true);
    Check.is(activity.recreated, true);
  }

  private static void end() throws Exception {
    start("{}");
    activity.onStop();
    Check.is(CookieManager.flushed, 1);
    activity.onDestroy();
    Check.is(web.destroyed, true);
    Check.is(web.destroyedInView, false);
    // Service workers can still request files.
    Check.is(ServiceWorkerController.client.shouldInterceptRequest(request("https://localhost/", "GET", false)).status, 200);
    // WebView is missing or being updated. The shell reports that and doesn't crash.
    WebView.missing = new RuntimeException("WebView is missing");
    MainActivity broken = new MainActivity();
    try {
      broken.onCreate(null);
      Check.is("started", "failed");
    } catch (RuntimeException error) {
      Check.is(error.getMessage(), "WebView is missing");
    }
    WebView.missing = null;
    broken.onStop();
    broken.onDestroy();
    Check.is(CookieManager.flushed, 1);
  }
}
