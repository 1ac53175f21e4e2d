package appbuild.shell;

import android.content.ActivityNotFoundException;
import android.content.ClipData;
import android.content.ContextWrapper;
import android.content.Intent;
import android.content.res.AssetManager;
import android.net.Uri;
import android.os.SystemClock;
import android.view.View;
import android.webkit.CookieManager;
import android.webkit.GeolocationPermissions;
import android.webkit.PermissionRequest;
import android.webkit.ServiceWorkerController;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Drives the activity as Android would, with the fakes of fakes.txt. */
public final class ShellTest {
  private static final int IMMERSIVE = 0x1706;
  private static final int DARK_TEXT = 0x2000;

  private static MainActivity activity;
  private static WebView web;

  public static void main(String[] args) throws Exception {
    AssetManager.root = java.nio.file.Files.createTempDirectory("assets").toFile();
    write("www/index.html", "<h1>");
    write("www/a b/ü.js", "x");
    write("www/100%+1.js", "x");
    write("www/movie.mp4", "0123456789");
    write("www/sub/index.html", "s");
    write("www/b.epub", "e");
    write("www/b.xyz", "e");
    settings();
    firstUrls();
    files();
    paths();
    fallback();
    links();
    foreignPages();
    otherApps();
    downloads();
    back();
    bars();
    fullscreen();
    cameraAndMicrophone();
    position();
    severalQuestions();
    fileChooser();
    lostPage();
    end();
    Check.end();
  }

  private static void write(String name, String text) throws Exception {
    Path path = AssetManager.root.toPath().resolve(name);
    java.nio.file.Files.createDirectories(path.getParent());
    java.nio.file.Files.write(path, text.getBytes("UTF-8"));
  }

  /** Starts the app with settings; quotes may be single. */
  private static void start(String settings) throws Exception {
    write("shell.json", settings.replace('\'', '"'));
    WebView.count = 0;
    ContextWrapper.started.clear();
    ContextWrapper.granted.clear();
    activity = new MainActivity();
    activity.onCreate(null);
    web = (WebView) activity.content;
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

  /** Follows a link. @return true when it stays in the app */
  private static boolean stays(String url) {
    return !web.client.shouldOverrideUrlLoading(web, request(url, "GET", true));
  }

  /** Follows a link. @return what was started for it, or null */
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
            + " overview=true, position=true, storage=true, wide=true, zoom=false}");
    Check.is(WebView.debugging, true);
    Check.is(activity.window.bar, -65536);
    Check.is(web.colour, -16777216);
    ContextWrapper.flags = 0;
    start("{'mixedContent':true,'userAgent':'Mine','appendUserAgent':'App/1','gestureForMedia':true}");
    Check.is(WebView.debugging, false);
    Check.is(web.settings.set.get("mixed"), 0);
    Check.is(web.settings.set.get("agent"), "Mine");
    Check.is(web.settings.set.get("gesture"), true);
    Check.is(web.colour, -1);
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
    Check.is(page.encoding, "utf-8");
    Check.is(page.headers.get("Accept-Ranges"), "bytes");
    Check.is(get("https://localhost/a%20b/%C3%BC.js?v=1").type, "text/javascript");
    Check.is(get("https://localhost/b.epub").type, "application/epub+zip");
    Check.is(get("https://localhost/b.xyz").type, "application/octet-stream");
    Check.is(get("https://localhost/none.js").status, 404);
    Check.is(get("https://localhost/sub").status, 404);
    Check.is(navigate("https://localhost/nowhere").status, 404);
    Check.is(navigate("https://localhost/nowhere").data.read(), (int) 'N');
    Check.is(web.client.shouldInterceptRequest(web, request("https://localhost/", "POST", true)).status, 405);
    Check.is(web.client.shouldInterceptRequest(web, request("https://localhost/", "HEAD", false)).status, 200);
    // Not of the app.
    Check.is(get("https://example.com/x"), null);
    Check.is(get("http://localhost/"), null);
    Check.is(get("https://localhost:8080/"), null);
    Check.is(get("https://localhost.evil.org/x"), null);
    Check.is(get("https://localhost@evil.org/x"), null);
    Check.is(get("data:text/plain,x"), null);
    WebResourceResponse part = get("https://localhost/movie.mp4", "Range", "bytes=3-");
    Check.is(part.status, 206);
    Check.is(part.headers.get("Content-Range"), "bytes 3-9/10");
    Check.is(part.encoding, null);
    Check.is(part.data.available(), 10);
    Check.is(get("https://localhost/movie.mp4", "Range", "bytes=10-").status, 200);
    Check.is(get("https://localhost/movie.mp4").headers.get("Content-Range"), null);
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
    // Frames show what they like.
    Check.is(web.client.shouldOverrideUrlLoading(web, request("https://other.example/x", "GET", false)), false);
    Check.is(activity.finished, false);
    Check.is(opened("shell:exit"), null);
    Check.is(activity.finished, true);
  }

  private static void foreignPages() throws Exception {
    start("{'navigation':['https://ok.example/*']}");
    web.url = "https://ok.example/x";
    Check.is(opened("shell:exit"), null);
    Check.is(activity.finished, false);
    web.chrome.onCloseWindow(web);
    Check.is(activity.finished, false);
    web.url = null;
    Check.is(opened("shell:exit"), null);
    Check.is(activity.finished, false);
    web.url = "https://localhost/";
    web.chrome.onCloseWindow(web);
    Check.is(activity.finished, true);
    // A website that is the app.
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

  private static void downloads() throws Exception {
    start("{}");
    web.downloads.onDownloadStart("https://e.com/a.zip", "", "", "", 1);
    Check.is(ContextWrapper.started.size(), 1);
    web.downloads.onDownloadStart("blob:https://localhost/1", "", "", "", 1);
    web.downloads.onDownloadStart("data:text/plain,x", "", "", "", 1);
    // A browser would find nothing there.
    web.downloads.onDownloadStart("https://localhost/a.pdf", "", "", "", 1);
    Check.is(ContextWrapper.started.size(), 1);
  }

  private static void back() throws Exception {
    start("{}");
    web.handled = "true";
    activity.onBackPressed();
    Check.is(activity.finished, false);
    web.handled = "false";
    web.back = true;
    activity.onBackPressed();
    Check.is(web.wentBack, 1);
    Check.is(activity.finished, false);
    // The page hangs: the second time goes back without it, and its late answer counts for nothing.
    web.handled = null;
    activity.onBackPressed();
    Check.is(web.wentBack, 1);
    activity.onBackPressed();
    Check.is(web.wentBack, 2);
    web.unanswered.onReceiveValue("false");
    Check.is(web.wentBack, 2);
    web.handled = "null";
    web.back = false;
    activity.onBackPressed();
    Check.is(activity.finished, true);
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
    web.chrome.onShowCustomView(new View(), callback);
    Check.is(activity.added.size(), 1);
    Check.is(activity.window.getDecorView().flags, IMMERSIVE | DARK_TEXT);
    activity.onBackPressed();
    Check.is(activity.added.size(), 0);
    Check.is(hidden[0], 1);
    Check.is(activity.finished, false);
    Check.is(activity.window.getDecorView().flags, DARK_TEXT);
    web.chrome.onHideCustomView();
    Check.is(hidden[0], 1);
    // A second view takes the place of the first.
    web.chrome.onShowCustomView(new View(), callback);
    web.chrome.onShowCustomView(new View(), callback);
    Check.is(activity.added.size(), 1);
    Check.is(hidden[0], 2);
    start("{'fullscreen':true}");
    web.chrome.onShowCustomView(new View(), callback);
    web.chrome.onHideCustomView();
    Check.is(activity.window.getDecorView().flags, IMMERSIVE);
  }

  /** Says what it was answered. */
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
    // Granted already: nobody is asked again.
    Check.is(new Asked("https://localhost/", camera).ask().answer, "granted [VIDEO_CAPTURE]");
    Check.is(activity.timesAsked, 1);
    // What nobody was asked about is not granted with it.
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
    // The rough position is allowed: nobody is asked for the exact one again and again.
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
    // Another activity's result.
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
    // A result that nobody waits for.
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

      public Intent createIntent() {
        return new Intent("GET", null).setType(types.length > 0 ? types[0] : null);
      }
    };
  }

  private static void fileChooser() throws Exception {
    start("{}");
    final String[] chosen = new String[1];
    ValueCallback<Uri[]> answer =
        new ValueCallback<Uri[]>() {
          public void onReceiveValue(Uri[] files) {
            chosen[0] = Arrays.toString(files);
          }
        };
    Check.is(web.chrome.onShowFileChooser(web, answer, wanted(1, "image/png", " IMAGE/JPEG ")), true);
    Check.is(activity.chooser.type, "*/*");
    Check.is(
        new java.util.TreeMap<>(activity.chooser.extras).toString(),
        "{android.intent.extra.ALLOW_MULTIPLE=true, android.intent.extra.MIME_TYPES=[image/png, image/jpeg]}");
    activity.onActivityResult(1, 0, null);
    Check.is(chosen[0], "null");
    // Names of types that Android has no MIME type in.
    web.chrome.onShowFileChooser(web, answer, wanted(0, ".pdf"));
    Check.is(activity.chooser.type, "application/pdf");
    Check.is(activity.chooser.extras.toString(), "{android.intent.extra.ALLOW_MULTIPLE=false}");
    web.chrome.onShowFileChooser(web, answer, wanted(0, ".pdf", ".unknown"));
    Check.is(activity.chooser.type, "*/*");
    Check.is(activity.chooser.extras.toString(), "{android.intent.extra.ALLOW_MULTIPLE=false}");
    web.chrome.onShowFileChooser(web, answer, wanted(0, ""));
    Check.is(activity.chooser.type, "*/*");
    web.chrome.onShowFileChooser(web, answer, wanted(0));
    Check.is(activity.chooser.type, "*/*");
    // A folder.
    web.chrome.onShowFileChooser(web, answer, wanted(2));
    Check.is(activity.chooser.type, null);
    Check.is(activity.chooser.extras.isEmpty(), true);
    // One, several, and what is not of another app.
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
    // A second input while the first one is open; a result of something else; one that nobody waits for.
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

  private static void lostPage() throws Exception {
    start("{}");
    WebView first = web;
    Check.is(first.client.onRenderProcessGone(first, null), true);
    Check.is(activity.recreated, true);
    Check.is(first.destroyed, true);
    // Nothing is there to go back in, or to destroy again.
    first.destroyed = false;
    activity.onStop();
    activity.onBackPressed();
    Check.is(activity.finished, true);
    activity.onDestroy();
    Check.is(first.destroyed, false);
    // The next one is lost at once: Android ends the app.
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
    Check.is(activity.content, null);
    // Files are still there for a service worker.
    Check.is(ServiceWorkerController.client.shouldInterceptRequest(request("https://localhost/", "GET", false)).status, 200);
    // WebView is missing, or is being updated: Android says so, and what is left ends in peace.
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
