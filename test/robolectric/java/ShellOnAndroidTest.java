package appbuild.shell;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.Application;
import android.content.ClipData;
import android.content.ContentResolver;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.database.Cursor;
import android.graphics.Color;
import android.graphics.Insets;
import android.graphics.drawable.AdaptiveIconDrawable;
import android.graphics.drawable.BitmapDrawable;
import android.graphics.drawable.Drawable;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Looper;
import android.os.Parcel;
import android.provider.MediaStore;
import android.util.TypedValue;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowInsets;
import android.webkit.GeolocationPermissions;
import android.webkit.PermissionRequest;
import android.webkit.ServiceWorkerClient;
import android.webkit.ServiceWorkerController;
import android.webkit.ServiceWorkerWebSettings;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowWebView;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Tests a package of the built-in builder and the shell on the framework of each Android version: its parsers, resources, activities, and
 * Uri. WebView is Robolectric's, so Chromium's handling of answers isn't tested. main.ts creates the package.
 */
@RunWith(RobolectricTestRunner.class)
@Config(
    sdk = {24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37},
    shadows = {ShellOnAndroidTest.ServiceWorkers.class})
public class ShellOnAndroidTest {
  /** Robolectric doesn't have this class. */
  @Implements(ServiceWorkerController.class)
  public static class ServiceWorkers {
    static ServiceWorkerClient client;

    @Implementation
    protected static ServiceWorkerController getInstance() {
      return new ServiceWorkerController() {
        @Override
        public ServiceWorkerWebSettings getServiceWorkerWebSettings() {
          return null;
        }

        @Override
        public void setServiceWorkerClient(ServiceWorkerClient next) {
          client = next;
        }
      };
    }
  }

  private static final String PACKAGE = "com.example.plain";
  private static final String HOME = "https://localhost/";

  private final Application app = RuntimeEnvironment.getApplication();
  private final PackageManager packages = app.getPackageManager();

  private static ActivityController<MainActivity> launch() {
    if (Build.VERSION.SDK_INT >= 33) {
      // Robolectric's parser doesn't know this attribute of the manifest.
      ApplicationInfo application = RuntimeEnvironment.getApplication().getApplicationInfo();
      ReflectionHelpers.callInstanceMethod(application, "setEnableOnBackInvokedCallback", ClassParameter.from(boolean.class, true));
    }
    return Robolectric.buildActivity(MainActivity.class, new Intent(Intent.ACTION_MAIN)).setup();
  }

  private static WebView webOf(Activity activity) {
    ViewGroup content = activity.findViewById(android.R.id.content);
    View child = content.getChildAt(0);
    return (WebView) (child instanceof WebView ? child : ((ViewGroup) child).getChildAt(0));
  }

  private static WebChromeClient chromeOf(Activity activity) {
    return shadowOf(webOf(activity)).getWebChromeClient();
  }

  /** Runs the pending work of the shell's own threads. */
  private static void finishWork() {
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      shadowOf(looper).idle();
    }
  }

  private static String read(InputStream stream) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Files.copy(stream, bytes);
    stream.close();
    return bytes.toString("UTF-8");
  }

  // The package, as Android's parsers read it.

  @Test
  public void manifestIsRead() throws Exception {
    int parts = PackageManager.GET_ACTIVITIES | PackageManager.GET_PERMISSIONS | PackageManager.GET_PROVIDERS;
    PackageInfo info = packages.getPackageInfo(PACKAGE, parts);
    assertEquals(10203, info.versionCode);
    assertEquals("1.2.3", info.versionName);
    Set<String> permissions = new HashSet<>(Arrays.asList(info.requestedPermissions));
    for (String name : new String[] {"INTERNET", "ACCESS_NETWORK_STATE", "CAMERA", "RECORD_AUDIO", "ACCESS_FINE_LOCATION"}) {
      assertTrue(name, permissions.contains("android.permission." + name));
    }
    ApplicationInfo application = info.applicationInfo;
    assertEquals(36, application.targetSdkVersion);
    assertEquals(24, application.minSdkVersion);
    assertEquals(ApplicationInfo.FLAG_DEBUGGABLE, application.flags & ApplicationInfo.FLAG_DEBUGGABLE);
    assertEquals(0, application.flags & ApplicationInfo.FLAG_USES_CLEARTEXT_TRAFFIC);
    ActivityInfo activity = info.activities[0];
    assertEquals(MainActivity.class.getName(), activity.name);
    assertTrue(activity.exported);
    // Old versions of Android don't know all of these changes.
    assertEquals(0x3ffc, activity.configChanges & 0x3ffc);
    assertEquals(0x10, activity.softInputMode);
    ProviderInfo provider = info.providers[0];
    assertEquals(PACKAGE + ".files", provider.authority);
    assertFalse(provider.exported);
    assertTrue(provider.grantUriPermissions);
  }

  /**
   * Uses the parser that runs first in an installation. Since Android 12, it differs from the parser in the previous test. It's called by
   * reflection, because it's hidden.
   */
  @Test
  @Config(sdk = {31, 32, 33, 34, 35, 36, 37})
  public void installerReadsThePackage() throws Exception {
    Object input = Class.forName("android.content.pm.parsing.result.ParseTypeImpl").getMethod("forDefaultParsing").invoke(null);
    Object result = call(Class.forName("android.content.pm.parsing.ApkLiteParseUtils"), null, "parsePackageLite", input, new File(System.getProperty("apk")), 0);
    assertEquals(String.valueOf(result), false, call(result.getClass(), result, "isError"));
    Object lite = call(result.getClass(), result, "getResult");
    assertEquals(PACKAGE, call(lite.getClass(), lite, "getPackageName"));
    assertEquals(36, call(lite.getClass(), lite, "getTargetSdk"));
  }

  /** Calls a method that the SDK hides: the one with this name and number of parameters. */
  private static Object call(Class<?> owner, Object target, String name, Object... values) throws Exception {
    for (Method method : owner.getDeclaredMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == values.length) {
        method.setAccessible(true);
        return method.invoke(target, values);
      }
    }
    throw new NoSuchMethodException(owner + "." + name);
  }

  @Test
  public void intentsFindTheActivity() {
    assertEquals(MainActivity.class.getName(), packages.getLaunchIntentForPackage(PACKAGE).getComponent().getClassName());
    Intent link = new Intent(Intent.ACTION_VIEW, Uri.parse("plain://page/7")).addCategory(Intent.CATEGORY_BROWSABLE);
    assertEquals(1, packages.queryIntentActivities(link, PackageManager.MATCH_DEFAULT_ONLY).size());
    Intent other = new Intent(Intent.ACTION_VIEW, Uri.parse("other://page")).addCategory(Intent.CATEGORY_BROWSABLE);
    assertEquals(0, packages.queryIntentActivities(other, 0).size());
  }

  @Test
  public void labelAndIcon() throws Exception {
    ApplicationInfo application = packages.getApplicationInfo(PACKAGE, 0);
    assertEquals("日本 Plain", packages.getApplicationLabel(application).toString());
    Drawable icon = packages.getApplicationIcon(application);
    if (Build.VERSION.SDK_INT < 26) {
      assertTrue(icon.getClass().getName(), icon instanceof BitmapDrawable);
    } else {
      AdaptiveIconDrawable adaptive = (AdaptiveIconDrawable) icon;
      assertNotNull(adaptive.getForeground());
      assertNotNull(adaptive.getBackground());
    }
    assertTrue(icon.getIntrinsicWidth() > 0);
  }

  @Test
  public void themeByDay() throws Exception {
    Resources.Theme theme = themeOf(app.getResources());
    assertEquals(-1, valueOf(theme, android.R.attr.windowNoTitle));
    assertEquals(Color.WHITE, valueOf(theme, android.R.attr.windowBackground));
    if (Build.VERSION.SDK_INT >= 29) {
      assertEquals(-1, valueOf(theme, android.R.attr.isLightTheme));
    }
    if (Build.VERSION.SDK_INT >= 31) {
      assertEquals(Color.WHITE, valueOf(theme, android.R.attr.windowSplashScreenBackground));
    }
  }

  /** WebView sets prefers-color-scheme from isLightTheme. */
  @Test
  @Config(qualifiers = "night")
  public void themeByNight() throws Exception {
    Resources.Theme theme = themeOf(app.getResources());
    assertEquals(-1, valueOf(theme, android.R.attr.windowNoTitle));
    if (Build.VERSION.SDK_INT >= 29) {
      assertEquals(0, valueOf(theme, android.R.attr.isLightTheme));
    }
  }

  private Resources.Theme themeOf(Resources resources) throws Exception {
    Resources.Theme theme = resources.newTheme();
    theme.applyStyle(packages.getApplicationInfo(PACKAGE, 0).theme, true);
    return theme;
  }

  private static int valueOf(Resources.Theme theme, int attribute) {
    TypedValue value = new TypedValue();
    assertTrue(theme.resolveAttribute(attribute, value, true));
    return value.data;
  }

  /** Cookies and storage stay on the phone. Android's hidden backup code reads the rules. */
  @Test
  public void backupLeavesWebViewOut() throws Exception {
    Class<?> backup = Class.forName("android.app.backup.FullBackup");
    Object scheme = Build.VERSION.SDK_INT < 31 ? call(backup, null, "getBackupScheme", app) : call(backup, null, "getBackupScheme", app, 0);
    List<String> left = new ArrayList<>();
    for (Object path : (Iterable<?>) call(scheme.getClass(), scheme, "maybeParseAndGetCanonicalExcludePaths")) {
      left.add(new File((String) (path instanceof String ? path : call(path.getClass(), path, "getPath"))).getName());
    }
    assertEquals(Arrays.asList("app_webview"), left);
  }

  // The activity.

  @Test
  public void startsAndEnds() {
    ActivityController<MainActivity> controller = launch();
    WebView web = webOf(controller.get());
    assertEquals(HOME, shadowOf(web).getLastLoadedUrl());
    assertTrue(web.getSettings().getJavaScriptEnabled());
    controller.pause().stop();
    controller.destroy();
    assertTrue(shadowOf(web).wasDestroyCalled());
  }

  /** On Android 15 and later, the window extends under the bars. */
  @Test
  @Config(sdk = {35, 36, 37})
  public void pageIsBetweenBarsAndKeyboard() {
    WebView web = webOf(launch().get());
    Edges edges = (Edges) web.getParent();
    WindowInsets left =
        edges.dispatchApplyWindowInsets(
            new WindowInsets.Builder()
                .setInsets(WindowInsets.Type.statusBars(), Insets.of(0, 50, 0, 0))
                .setInsets(WindowInsets.Type.navigationBars(), Insets.of(0, 0, 20, 0))
                .setInsets(WindowInsets.Type.displayCutout(), Insets.of(30, 0, 0, 0))
                .setInsets(WindowInsets.Type.ime(), Insets.of(0, 0, 0, 400))
                .build());
    ViewGroup.MarginLayoutParams place = (ViewGroup.MarginLayoutParams) web.getLayoutParams();
    assertArrayEquals(new int[] {30, 50, 20, 400}, new int[] {place.leftMargin, place.topMargin, place.rightMargin, place.bottomMargin});
    assertEquals(50, edges.getChildAt(1).getLayoutParams().height);
    assertTrue(left.isConsumed());
  }

  @Test
  @Config(sdk = {24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34})
  public void barsAreAndroidsOwnBefore15() {
    MainActivity activity = launch().get();
    assertSame(activity.findViewById(android.R.id.content), webOf(activity).getParent());
  }

  @Test
  public void changesKeepThePage() {
    ActivityController<MainActivity> controller = launch();
    MainActivity before = controller.get();
    Configuration now = before.getResources().getConfiguration();
    List<Configuration> changes = new ArrayList<>();
    Configuration turned = new Configuration(now);
    turned.orientation = Configuration.ORIENTATION_LANDSCAPE;
    turned.screenWidthDp = now.screenHeightDp;
    turned.screenHeightDp = now.screenWidthDp;
    changes.add(turned);
    Configuration larger = new Configuration(turned);
    larger.fontScale = 1.5f;
    larger.densityDpi = 480;
    larger.smallestScreenWidthDp = 720;
    changes.add(larger);
    Configuration dark = new Configuration(larger);
    dark.uiMode = dark.uiMode & ~Configuration.UI_MODE_NIGHT_MASK | Configuration.UI_MODE_NIGHT_YES;
    changes.add(dark);
    if (Build.VERSION.SDK_INT >= 31) {
      Configuration bold = new Configuration(dark);
      bold.fontWeightAdjustment = 300;
      changes.add(bold);
    }
    for (Configuration change : changes) {
      controller.configurationChange(change);
      assertSame(change.toString(), before, controller.get());
    }
    if (Build.VERSION.SDK_INT >= 29) {
      assertEquals(0, valueOf(before.getTheme(), android.R.attr.isLightTheme));
    }
  }

  /** Android stores the state as bytes while the process is gone. */
  @Test
  public void pageSurvivesItsProcess() {
    ActivityController<MainActivity> controller = launch();
    shadowOf(webOf(controller.get())).pushEntryToHistory(HOME);
    shadowOf(webOf(controller.get())).pushEntryToHistory(HOME + "two");
    Bundle state = new Bundle();
    controller.pause().stop().saveInstanceState(state);
    controller.destroy();
    Parcel parcel = Parcel.obtain();
    state.writeToParcel(parcel, 0);
    parcel.setDataPosition(0);
    Bundle kept = parcel.readBundle(getClass().getClassLoader());
    WebView again = webOf(Robolectric.buildActivity(MainActivity.class).setup(kept).get());
    assertEquals(HOME + "two", again.getUrl());
    assertTrue(again.canGoBack());
    // Without the history, the last page is loaded again.
    Bundle saved = kept.getBundle("shell");
    saved.remove("page");
    saved.putStringArray("urls", new String[] {HOME + "three"});
    assertEquals(HOME + "three", shadowOf(webOf(Robolectric.buildActivity(MainActivity.class).setup(kept).get())).getLastLoadedUrl());
  }

  @Test
  public void backAsksThePageThenItsHistoryThenTheSystem() throws Exception {
    MainActivity activity = launch().get();
    shadowOf(activity).setIsTaskRoot(true);
    ShadowWebView web = shadowOf(webOf(activity));
    web.pushEntryToHistory(HOME);
    web.pushEntryToHistory(HOME + "two");
    back(activity);
    assertTrue(web.getLastEvaluatedJavascript(), web.getLastEvaluatedJavascript().contains("fireBackButton(true)"));
    web.getLastEvaluatedJavascriptCallback().onReceiveValue("true");
    assertEquals(0, web.getGoBackInvocations());
    back(activity);
    web.getLastEvaluatedJavascriptCallback().onReceiveValue("false");
    assertEquals(1, web.getGoBackInvocations());
    back(activity);
    web.getLastEvaluatedJavascriptCallback().onReceiveValue("null");
    assertTrue(shadowOf(activity).isTaskMovedToBack());
    assertFalse(activity.isFinishing());
  }

  /**
   * Goes back as Android does. Android 13 and later use the callback that the manifest enables.
   */
  private static void back(Activity activity) throws Exception {
    if (Build.VERSION.SDK_INT < 33) {
      activity.onBackPressed();
    } else {
      Object dispatcher = ReflectionHelpers.getField(activity.getOnBackInvokedDispatcher(), "mActualDispatcher");
      Object callback = call(dispatcher.getClass(), dispatcher, "getTopCallback");
      call(callback.getClass(), callback, "onBackInvoked");
    }
  }

  @Test
  public void filmsFillTheScreenAndBackEndsThem() throws Exception {
    MainActivity activity = launch().get();
    int[] hidden = new int[1];
    View film = new View(activity);
    chromeOf(activity).onShowCustomView(film, () -> hidden[0]++);
    assertNotNull(film.getParent());
    assertEquals(0x1706, activity.getWindow().getDecorView().getSystemUiVisibility() & 0x1706);
    back(activity);
    assertNull(film.getParent());
    assertEquals(1, hidden[0]);
  }

  @Test
  public void linksToTheAppReachThePage() {
    MainActivity activity = launch().get();
    webOf(activity).loadUrl(HOME);
    ShadowWebView web = shadowOf(webOf(activity));
    web.getWebViewClient().doUpdateVisitedHistory(webOf(activity), HOME, false);
    Intent link = new Intent(Intent.ACTION_VIEW, Uri.parse("plain://page/7?a='b'"));
    activity.onNewIntent(link);
    assertTrue(web.getLastEvaluatedJavascript(), web.getLastEvaluatedJavascript().contains("takeLink"));
    assertTrue(web.getLastEvaluatedJavascript(), web.getLastEvaluatedJavascript().contains("7?a='b'"));
  }

  @Test
  public void linksLeaveTheApp() {
    MainActivity activity = launch().get();
    WebView web = webOf(activity);
    assertTrue(shadowOf(web).getWebViewClient().shouldOverrideUrlLoading(web, get("tel:123", true)));
    Intent started = shadowOf(activity).getNextStartedActivity();
    assertEquals(Intent.ACTION_VIEW, started.getAction());
    assertEquals("tel:123", started.getDataString());
    assertTrue(started.getCategories().contains(Intent.CATEGORY_BROWSABLE));
    assertFalse(shadowOf(web).getWebViewClient().shouldOverrideUrlLoading(web, get(HOME + "x", true)));
    assertTrue(shadowOf(web).getWebViewClient().shouldOverrideUrlLoading(web, get("intent://x#Intent;scheme=y;end", true)));
    assertNull(shadowOf(activity).getNextStartedActivity());
  }

  // Permissions and files.

  @Test
  public void cameraIsAskedFor() {
    MainActivity activity = launch().get();
    List<String> answers = new ArrayList<>();
    PermissionRequest request = request(HOME, answers);
    chromeOf(activity).onPermissionRequest(request);
    assertArrayEquals(new String[] {"android.permission.CAMERA"}, shadowOf(activity).getLastRequestedPermission().requestedPermissions);
    activity.onRequestPermissionsResult(2, new String[0], new int[0]);
    shadowOf(app).grantPermissions("android.permission.CAMERA");
    chromeOf(activity).onPermissionRequest(request);
    chromeOf(activity).onPermissionRequest(request("https://evil.example/", answers));
    assertEquals(Arrays.asList("denied", "granted", "denied"), answers);
  }

  private static PermissionRequest request(String site, List<String> answers) {
    return new PermissionRequest() {
      @Override
      public Uri getOrigin() {
        return Uri.parse(site);
      }

      @Override
      public String[] getResources() {
        return new String[] {RESOURCE_VIDEO_CAPTURE};
      }

      @Override
      public void grant(String[] granted) {
        answers.add("granted");
      }

      @Override
      public void deny() {
        answers.add("denied");
      }
    };
  }

  @Test
  public void roughPositionIsEnough() {
    MainActivity activity = launch().get();
    List<Boolean> answers = new ArrayList<>();
    GeolocationPermissions.Callback callback = (site, isAllowed, isKept) -> answers.add(isAllowed);
    chromeOf(activity).onGeolocationPermissionsShowPrompt(HOME, callback);
    activity.onRequestPermissionsResult(2, new String[0], new int[0]);
    shadowOf(app).grantPermissions("android.permission.ACCESS_COARSE_LOCATION");
    chromeOf(activity).onGeolocationPermissionsShowPrompt(HOME, callback);
    assertEquals(Arrays.asList(false, true), answers);
  }

  @Test
  public void chosenFilesComeBack() {
    MainActivity activity = launch().get();
    List<Uri[]> chosen = new ArrayList<>();
    assertTrue(chromeOf(activity).onShowFileChooser(webOf(activity), chosen::add, chooser(false, "image/*", ".pdf")));
    Intent started = shadowOf(activity).getNextStartedActivityForResult().intent;
    assertEquals("*/*", started.getType());
    assertTrue(started.getBooleanExtra(Intent.EXTRA_ALLOW_MULTIPLE, false));
    Intent data = new Intent();
    ClipData clip = new ClipData("", new String[] {"image/png"}, new ClipData.Item(Uri.parse("content://a/1")));
    clip.addItem(new ClipData.Item(Uri.parse("file:///data/data/" + PACKAGE + "/x")));
    data.setClipData(clip);
    shadowOf(activity).receiveResult(started, Activity.RESULT_OK, data);
    assertArrayEquals(new Uri[] {Uri.parse("content://a/1")}, chosen.get(0));
  }

  /** The camera writes through the provider, and the page reads from it. */
  @Test
  public void captureTakesAPicture() throws Exception {
    shadowOf(app).grantPermissions("android.permission.CAMERA");
    MainActivity activity = launch().get();
    List<Uri[]> chosen = new ArrayList<>();
    chromeOf(activity).onShowFileChooser(webOf(activity), chosen::add, chooser(true, "image/*"));
    Intent started = shadowOf(activity).getNextStartedActivityForResult().intent;
    assertEquals(MediaStore.ACTION_IMAGE_CAPTURE, started.getAction());
    Uri picture = started.getParcelableExtra(MediaStore.EXTRA_OUTPUT);
    assertEquals(picture, started.getClipData().getItemAt(0).getUri());
    assertEquals(3, started.getFlags() & 3);
    try (OutputStream camera = app.getContentResolver().openOutputStream(picture)) {
      camera.write('p');
    }
    shadowOf(activity).receiveResult(started, Activity.RESULT_OK, null);
    assertEquals("p", read(app.getContentResolver().openInputStream(chosen.get(0)[0])));
  }

  private static WebChromeClient.FileChooserParams chooser(boolean isCapture, String... accepted) {
    return new WebChromeClient.FileChooserParams() {
      @Override
      public int getMode() {
        return MODE_OPEN_MULTIPLE;
      }

      @Override
      public String[] getAcceptTypes() {
        return accepted;
      }

      @Override
      public boolean isCaptureEnabled() {
        return isCapture;
      }

      @Override
      public CharSequence getTitle() {
        return null;
      }

      @Override
      public String getFilenameHint() {
        return null;
      }

      @Override
      public Intent createIntent() {
        return new Intent(Intent.ACTION_GET_CONTENT).addCategory(Intent.CATEGORY_OPENABLE).setType("image/*");
      }
    };
  }

  /** WebView can't display a PDF. A viewer gets only this file. */
  @Test
  public void viewersReadWhatTheyAreGiven() throws Exception {
    MainActivity activity = launch().get();
    shadowOf(webOf(activity)).getDownloadListener().onDownloadStart(HOME + "manual.pdf", "", "", "application/pdf", 8);
    finishWork();
    Intent view = shadowOf(app).getNextStartedActivity();
    assertEquals("application/pdf", view.getType());
    assertEquals(Intent.FLAG_GRANT_READ_URI_PERMISSION, view.getFlags() & 3);
    ContentResolver resolver = app.getContentResolver();
    assertEquals("%PDF-1.4", read(resolver.openInputStream(view.getData())));
    assertEquals("application/pdf", resolver.getType(view.getData()));
    try (Cursor row = resolver.query(view.getData(), null, null, null, null)) {
      assertTrue(row.moveToFirst());
      assertEquals("manual.pdf", row.getString(0));
      assertEquals(8, row.getLong(1));
    }
    File secret = new File(app.getCacheDir(), "secret");
    try (OutputStream stream = new java.io.FileOutputStream(secret)) {
      stream.write('s');
    }
    for (String name : new String[] {"absent", "..%2Fsecret", "..", "../secret", "%2e%2e/secret", "a%00", ""}) {
      Uri uri = Uri.parse("content://" + PACKAGE + ".files/" + name);
      assertThrows(name, FileNotFoundException.class, () -> resolver.openInputStream(uri));
    }
  }

  // Requests with Android's Uri, AssetManager, and WebResourceResponse.

  static WebResourceRequest get(String url, boolean isMain, String... headers) {
    Map<String, String> map = new HashMap<>();
    for (int index = 0; index < headers.length; index += 2) {
      map.put(headers[index], headers[index + 1]);
    }
    return request("GET", url, isMain, map);
  }

  static WebResourceRequest request(String method, String url, boolean isMain, Map<String, String> headers) {
    return new WebResourceRequest() {
      @Override
      public Uri getUrl() {
        return Uri.parse(url);
      }

      @Override
      public boolean isForMainFrame() {
        return isMain;
      }

      @Override
      public boolean isRedirect() {
        return false;
      }

      @Override
      public boolean hasGesture() {
        return false;
      }

      @Override
      public String getMethod() {
        return method;
      }

      @Override
      public Map<String, String> getRequestHeaders() {
        return headers;
      }
    };
  }

  private static WebResourceResponse answer(WebView web, String path, boolean isPage, String... headers) {
    return shadowOf(web).getWebViewClient().shouldInterceptRequest(web, get("https://localhost" + path, isPage, headers));
  }

  @Test
  public void requestsGetFiles() throws Exception {
    WebView web = webOf(launch().get());
    String[][] table = {
      {"/", "page", "200", "text/html"},
      {"", "page", "200", "text/html"},
      {"/?a=../..#b", "page", "200", "text/html"},
      {"/a.js?v=1", "", "200", "text/javascript"},
      {"//a.js", "", "200", "text/javascript"},
      {"/sub/", "page", "200", "text/html"},
      {"/sub", "page", "200", "text/html"},
      {"/sub", "", "404", "text/plain"},
      {"/dir/%C3%BC%20b.txt", "", "200", "text/plain"},
      {"/dir/%c3%bc%20b.txt", "", "200", "text/plain"},
      {"/dir/%FC b.txt", "", "404", "text/plain"},
      {"/%zz", "", "404", "text/plain"},
      {"/..%2Fshell.json", "", "404", "text/plain"},
      {"/%2e%2e/shell.json", "", "404", "text/plain"},
      {"/a.js%00.html", "", "404", "text/plain"},
      {"/api/7", "", "404", "text/plain"},
    };
    for (String[] row : table) {
      WebResourceResponse answer = answer(web, row[0], row[1].equals("page"));
      assertEquals(row[0], Integer.parseInt(row[2]), answer.getStatusCode());
      assertEquals(row[0], row[3], answer.getMimeType());
      answer.getData().close();
    }
    assertNull(shadowOf(web).getWebViewClient().shouldInterceptRequest(web, get("https://example.com/", true)));
    assertEquals(200, ServiceWorkers.client.shouldInterceptRequest(get(HOME + "a.js", false)).getStatusCode());
  }

  /** Reads like Chromium: skips to the start of the range and reads to the end, in a stored file and in a compressed one. */
  @Test
  public void rangesEndWhereTheyShould() throws Exception {
    WebView web = webOf(launch().get());
    for (String path : new String[] {"/movie.mp4", "/table.csv"}) {
      WebResourceResponse part = answer(web, path, false, "range", "bytes=1000-1999");
      assertEquals(206, part.getStatusCode());
      assertEquals("bytes 1000-1999/100000", part.getResponseHeaders().get("Content-Range"));
      InputStream stream = part.getData();
      assertEquals(path, 2000, stream.available());
      for (long left = 1000; left > 0; ) {
        long skipped = stream.skip(left);
        assertTrue(path, skipped > 0);
        left -= skipped;
      }
      assertEquals(path, 1000, read(stream).length());
      assertEquals(path, 200, answer(web, path, false, "Range", "bytes=100000-").getStatusCode());
    }
  }
}
