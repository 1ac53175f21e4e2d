package appbuild.shell;

import android.content.Context;
import android.graphics.Insets;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowInsets;
import android.widget.FrameLayout;
import org.json.JSONObject;

/**
 * From Android 15 on, a window of an app that targets API 35 reaches below the system bars, and setting the status bar's color does
 * nothing. This keeps the page between the bars, clear of cutouts, and above the keyboard; a strip colors the status bar.
 */
final class Edges extends FrameLayout {
  static final int FIRST_SDK = 35;

  private final View page;
  private final View statusBar;
  private final boolean isFullscreen;

  Edges(Context context, View page, JSONObject settings) {
    super(context);
    this.page = page;
    isFullscreen = settings.optBoolean("fullscreen", false);
    int background = settings.optInt("background", -1);
    setBackgroundColor(background);
    int fill = ViewGroup.LayoutParams.MATCH_PARENT;
    addView(page, new FrameLayout.LayoutParams(fill, fill));
    statusBar = new View(context);
    statusBar.setBackgroundColor(settings.optInt("statusBar", background));
    addView(statusBar, new FrameLayout.LayoutParams(fill, 0));
  }

  /** Consumes all insets: WebView would pass the rest to CSS, and the page would make room twice. */
  @Override
  public WindowInsets onApplyWindowInsets(WindowInsets insets) {
    int keyboard = WindowInsets.Type.ime();
    int bars = WindowInsets.Type.systemBars() | WindowInsets.Type.displayCutout();
    Insets edges = insets.getInsets(isFullscreen ? keyboard : keyboard | bars);
    FrameLayout.LayoutParams place = (FrameLayout.LayoutParams) page.getLayoutParams();
    place.setMargins(edges.left, edges.top, edges.right, edges.bottom);
    page.setLayoutParams(place);
    ViewGroup.LayoutParams strip = statusBar.getLayoutParams();
    strip.height = edges.top;
    statusBar.setLayoutParams(strip);
    return WindowInsets.CONSUMED;
  }

  /** The flags for dark icons in the bars: where the color behind them is light, unless the settings decide. */
  static int darkIconFlags(JSONObject settings) {
    int background = settings.optInt("background", -1);
    boolean isDarkText = settings.optBoolean("darkStatusText", isLight(settings.optInt("statusBar", background)));
    return (isDarkText ? View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR : 0)
        | (isLight(background) ? View.SYSTEM_UI_FLAG_LIGHT_NAVIGATION_BAR : 0);
  }

  /** Weighs the colors as ITU-R BT.601 does. */
  private static boolean isLight(int color) {
    return (color >> 16 & 255) * 299 + (color >> 8 & 255) * 587 + (color & 255) * 114 >= 128000;
  }
}
