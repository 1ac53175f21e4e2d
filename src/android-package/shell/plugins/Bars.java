package appbuild.shell;

import android.app.ActivityManager;
import android.content.res.Configuration;
import android.graphics.Color;
import android.graphics.Point;
import android.view.View;
import org.json.JSONException;
import org.json.JSONObject;

/** Controls system bars: cordova-plugin-statusbar, @capacitor/status-bar, cordova-plugin-fullscreen, cordova-plugin-headercolor. */
final class Bars extends Plugin {
  /** Flags of View.setSystemUiVisibility that place the page under the status bar or hide the bar. */
  private static final int OVERLAY = View.SYSTEM_UI_FLAG_LAYOUT_STABLE | View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN;
  private static final int HIDDEN = View.SYSTEM_UI_FLAG_FULLSCREEN | View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY;
  private static final int LIGHT = View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR;
  /** All flags that pages can set. Android controls the others. */
  private static final int ALL =
      MainActivity.IMMERSIVE
          | View.SYSTEM_UI_FLAG_IMMERSIVE
          | View.SYSTEM_UI_FLAG_LOW_PROFILE
          | View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR
          | View.SYSTEM_UI_FLAG_LIGHT_NAVIGATION_BAR;

  /** Luminance at which black text and white text have the same contrast. */
  private static final double EVEN_LUMINANCE = 0.179;

  /** Color of the status bar while the page isn't under the bar. Null until it's needed. */
  private Integer color;
  /** Whether the shell derives the text color from the status bar's color. */
  private boolean isStyleFree = true;

  @Override
  String[] services() {
    return new String[] {
      "StatusBar", "Capacitor.StatusBar", "AndroidFullScreen", "HeaderColor", "SplashScreen", "Capacitor.SplashScreen",
    };
  }

  @Override
  void call(Call call) throws Exception {
    if (call.service.endsWith("SplashScreen")) {
      splash(call);
    } else if (call.service.endsWith("StatusBar")) {
      statusBar(call);
    } else if (call.service.equals("HeaderColor")) {
      tint(call);
    } else {
      fullScreen(call);
    }
  }

  /** Accepts calls for the splash screen but has no effect. Android hides it when the app draws, and an app can't show it again. */
  private void splash(Call call) throws NoSuchMethodException {
    if (!call.action.equals("show") && !call.action.equals("hide")) {
      throw unknown(call);
    }
    call.succeed(null);
  }

  /** Sets the app's color in the list of recent apps. */
  private void tint(Call call) throws Exception {
    if (!call.action.equals("tint")) {
      throw unknown(call);
    }
    int tint = parse(call.args.getString(0)) | Color.BLACK;
    activity.setTaskDescription(new ActivityManager.TaskDescription(null, null, tint));
    call.succeed(null);
  }

  private void statusBar(Call call) throws Exception {
    switch (call.action) {
      case "_ready":
        call.succeed(isVisible());
        return;
      case "show":
        // In a full-screen app, the page extends under the bar.
        set(View.SYSTEM_UI_FLAG_FULLSCREEN | (has(MainActivity.IMMERSIVE) ? OVERLAY : 0), 0);
        bridge.emit("StatusBar", "statusBarVisibilityChanged", info());
        break;
      case "hide":
        set(HIDDEN, HIDDEN);
        bridge.emit("StatusBar", "statusBarVisibilityChanged", info());
        break;
      case "overlaysWebView":
        overlay(call.args.getBoolean(0));
        break;
      case "setOverlaysWebView":
        overlay(call.options().getBoolean("overlay"));
        bridge.emit("StatusBar", "statusBarOverlayChanged", info());
        break;
      case "backgroundColorByHexString":
        setColor(parse(call.args.getString(0)));
        break;
      case "setBackgroundColor":
        setColor(parse(withOpacityFirst(call.options().getString("color"))));
        if (isStyleFree) {
          set(LIGHT, Color.luminance(color) > EVEN_LUMINANCE ? LIGHT : 0);
        }
        break;
      case "styleDefault":
        setStyle("LIGHT");
        break;
      case "styleLightContent":
      case "styleBlackTranslucent":
      case "styleBlackOpaque":
        setStyle("DARK");
        break;
      case "setStyle":
        setStyle(call.options().getString("style"));
        break;
      case "getInfo":
        call.succeed(info());
        return;
      default:
        throw unknown(call);
    }
    call.succeed(null);
  }

  /** Changes flags of the bars. @param mask flags to change to their value in `flags` */
  private void set(int mask, int flags) {
    activity.setBarFlags(activity.barFlags() & ~mask | flags);
  }

  private boolean has(int flags) {
    return (activity.barFlags() & flags) == flags;
  }

  private boolean isVisible() {
    return !has(View.SYSTEM_UI_FLAG_FULLSCREEN);
  }

  private void overlay(boolean isOverlaid) {
    int kept = color();
    set(OVERLAY, isOverlaid ? OVERLAY : 0);
    show(isOverlaid ? Color.TRANSPARENT : kept);
  }

  private int color() {
    if (color == null) {
      int background = activity.settings.optInt("background", Color.WHITE);
      int first = activity.edges == null ? activity.getWindow().getStatusBarColor() : background;
      color = activity.settings.optInt("statusBar", first);
    }
    return color;
  }

  /** Shows a color, and stores it to show it again after an overlay. */
  private void setColor(int color) {
    this.color = color;
    show(color);
  }

  private void show(int color) {
    if (activity.edges == null) {
      activity.getWindow().setStatusBarColor(color);
    } else {
      activity.edges.setStatusBarColor(color);
    }
  }

  /** Converts `#RRGGBBAA`, Capacitor's format, to Android's `#AARRGGBB`. */
  private static String withOpacityFirst(String color) {
    return color.length() == 9 ? "#" + color.substring(7) + color.substring(1, 7) : color;
  }

  private static int parse(String color) {
    try {
      return Color.parseColor(color);
    } catch (IllegalArgumentException error) {
      throw new IllegalArgumentException(color + " isn't a color.", error);
    }
  }

  /** Sets the text color of the status bar. @param style Capacitor's name, such as DARK for light text on a dark color */
  private void setStyle(String style) {
    boolean isNight =
        (activity.getResources().getConfiguration().uiMode & Configuration.UI_MODE_NIGHT_MASK) == Configuration.UI_MODE_NIGHT_YES;
    isStyleFree = style.equals("DEFAULT");
    set(LIGHT, style.equals("LIGHT") || isStyleFree && !isNight ? LIGHT : 0);
  }

  private JSONObject info() throws JSONException {
    int id = activity.getResources().getIdentifier("status_bar_height", "dimen", "android");
    float pixels = id == 0 || !isVisible() ? 0 : activity.getResources().getDimension(id);
    return new JSONObject()
        .put("visible", isVisible())
        .put("style", has(LIGHT) ? "LIGHT" : "DARK")
        .put("color", String.format("#%06X", color() & 0xFFFFFF))
        .put("overlays", has(View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN))
        .put("height", Math.round(pixels / activity.getResources().getDisplayMetrics().density));
  }

  private void fullScreen(Call call) throws Exception {
    switch (call.action) {
      case "isSupported":
      case "isImmersiveModeSupported":
        break;
      case "immersiveWidth":
        call.succeed(size().x);
        return;
      case "immersiveHeight":
        call.succeed(size().y);
        return;
      case "resetScreen":
      case "showSystemUI":
        setFullScreen(0);
        break;
      case "leanMode":
        setFullScreen(View.SYSTEM_UI_FLAG_FULLSCREEN | View.SYSTEM_UI_FLAG_HIDE_NAVIGATION);
        break;
      case "showUnderStatusBar":
        setFullScreen(OVERLAY);
        break;
      case "showUnderSystemUI":
        setFullScreen(OVERLAY | View.SYSTEM_UI_FLAG_LAYOUT_HIDE_NAVIGATION);
        break;
      case "immersiveMode":
        setFullScreen(MainActivity.IMMERSIVE);
        break;
      case "setSystemUiVisibility":
        set(ALL, call.args.getInt(0) & ALL);
        break;
      default:
        throw unknown(call);
    }
    call.succeed(null);
  }

  /** Replaces the flags, except those for the colors of text and icons. */
  private void setFullScreen(int flags) {
    set(ALL & ~LIGHT & ~View.SYSTEM_UI_FLAG_LIGHT_NAVIGATION_BAR, flags);
    int kept = color();
    show((flags & View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN) != 0 ? Color.TRANSPARENT : kept);
  }

  private Point size() {
    Point size = new Point();
    activity.getWindowManager().getDefaultDisplay().getRealSize(size);
    return size;
  }
}
