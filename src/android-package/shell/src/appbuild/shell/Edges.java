package appbuild.shell;

import android.content.Context;
import android.graphics.Insets;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowInsets;
import android.widget.FrameLayout;
import org.json.JSONObject;

/**
 * A view that keeps the page between the system bars, clear of cutouts, and above the keyboard, and colors the status bar with a strip. On
 * Android 15 and later, the window of an app that targets API 35 extends under the bars, and setting the status bar's color has no effect.
 */
final class Edges extends FrameLayout {
  static final int FIRST_SDK = 35;

  private final View page;
  private final View statusBar;
  private int flags;

  Edges(Context context, View page, JSONObject settings) {
    super(context);
    this.page = page;
    flags = settings.optBoolean("fullscreen", false) ? MainActivity.IMMERSIVE : 0;
    int background = settings.optInt("background", -1);
    setBackgroundColor(background);
    int fill = ViewGroup.LayoutParams.MATCH_PARENT;
    addView(page, new FrameLayout.LayoutParams(fill, fill));
    statusBar = new View(context);
    statusBar.setBackgroundColor(settings.optInt("statusBar", background));
    addView(statusBar, new FrameLayout.LayoutParams(fill, 0));
  }

  void setStatusBarColor(int color) {
    statusBar.setBackgroundColor(color);
  }

  /**
   * Sets which bars the page extends under.
   *
   * @param flags flags of View.setSystemUiVisibility, some of which Android ignores here
   */
  void setFlags(int flags) {
    this.flags = flags;
    requestApplyInsets();
  }

  /** Consumes all insets. Otherwise, WebView would pass the rest to CSS, and the page would apply them twice. */
  @Override
  public WindowInsets onApplyWindowInsets(WindowInsets insets) {
    Insets bars = insets.getInsets(WindowInsets.Type.systemBars());
    Insets keyboard = insets.getInsets(WindowInsets.Type.ime());
    Insets all = insets.getInsets(WindowInsets.Type.systemBars() | WindowInsets.Type.displayCutout() | WindowInsets.Type.ime());
    boolean isBelowStatus = (flags & SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN) != 0;
    boolean isBelowNavigation = (flags & SYSTEM_UI_FLAG_LAYOUT_HIDE_NAVIGATION) != 0;
    Insets sides = isBelowStatus && isBelowNavigation ? keyboard : all;
    FrameLayout.LayoutParams place = (FrameLayout.LayoutParams) page.getLayoutParams();
    place.setMargins(sides.left, isBelowStatus ? 0 : all.top, sides.right, isBelowNavigation ? keyboard.bottom : all.bottom);
    page.setLayoutParams(place);
    ViewGroup.LayoutParams strip = statusBar.getLayoutParams();
    strip.height = isBelowStatus ? bars.top : all.top;
    statusBar.setLayoutParams(strip);
    return WindowInsets.CONSUMED;
  }

  /** Returns the flags for dark icons in the bars. Unless the settings specify it, icons are dark on a light color. */
  static int darkIconFlags(JSONObject settings) {
    int background = settings.optInt("background", -1);
    boolean isDarkText = settings.optBoolean("darkStatusText", isLight(settings.optInt("statusBar", background)));
    return (isDarkText ? View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR : 0)
        | (isLight(background) ? View.SYSTEM_UI_FLAG_LIGHT_NAVIGATION_BAR : 0);
  }

  /** Reports whether a color is light, by its luma (ITU-R BT.601). */
  static boolean isLight(int color) {
    return (color >> 16 & 255) * 299 + (color >> 8 & 255) * 587 + (color & 255) * 114 >= 128000;
  }
}
