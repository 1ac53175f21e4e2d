package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.graphics.Color;
import android.graphics.Insets;
import android.graphics.drawable.ColorDrawable;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowInsets;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.annotation.Config;

public class BarsTest extends PluginTest {
  private static final int LIGHT = View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR;

  private int flags() {
    return activity.getWindow().getDecorView().getSystemUiVisibility();
  }

  private boolean has(int flag) {
    return (flags() & flag) == flag;
  }

  /** Returns the color of the status bar. */
  private int color() {
    return activity.edges == null
        ? activity.getWindow().getStatusBarColor()
        : ((ColorDrawable) activity.edges.getChildAt(1).getBackground()).getColor();
  }

  private JSONObject info() throws Exception {
    return callForObject("Capacitor.StatusBar", "getInfo");
  }

  private void callWith(String action, String name, Object value) throws Exception {
    call("Capacitor.StatusBar", action, new JSONObject().put(name, value));
  }

  @Test
  public void cordovaStatusBar() throws Exception {
    assertEquals(true, call("StatusBar", "_ready"));
    call("StatusBar", "hide");
    assertTrue(has(View.SYSTEM_UI_FLAG_FULLSCREEN));
    assertEquals(false, call("StatusBar", "_ready"));
    // Android forgets the flags while a dialog is open.
    activity.getWindow().getDecorView().setSystemUiVisibility(0);
    activity.onWindowFocusChanged(true);
    assertTrue(has(View.SYSTEM_UI_FLAG_FULLSCREEN));
    call("StatusBar", "show");
    assertFalse(has(View.SYSTEM_UI_FLAG_FULLSCREEN));
    call("StatusBar", "backgroundColorByHexString", "#FF8000");
    assertEquals(0xFFFF8000, color());
    call("StatusBar", "styleDefault");
    assertTrue(has(LIGHT));
    for (String style : new String[] {"styleLightContent", "styleBlackTranslucent", "styleBlackOpaque"}) {
      call("StatusBar", "styleDefault");
      call("StatusBar", style);
      assertFalse(has(LIGHT));
    }
    call("StatusBar", "overlaysWebView", true);
    assertTrue(has(View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN));
    assertEquals(Color.TRANSPARENT, color());
    call("StatusBar", "backgroundColorByHexString", "#33000000");
    assertEquals(0x33000000, color());
    call("StatusBar", "overlaysWebView", false);
    assertFalse(has(View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN));
    assertEquals("#red! isn't a color.", fail("StatusBar", "backgroundColorByHexString", "#red!"));
    assertEquals("StatusBar doesn't have the action other.", fail("StatusBar", "other"));
  }

  @Test
  public void capacitorStatusBar() throws Exception {
    String visibility = send("Capacitor.StatusBar", "addListener", new JSONObject().put("eventName", "statusBarVisibilityChanged"));
    String overlay = send("Capacitor.StatusBar", "addListener", new JSONObject().put("eventName", "statusBarOverlayChanged"));
    int first = color();
    assertEquals(String.format("#%06X", first & 0xFFFFFF), info().getString("color"));
    assertTrue(info().getInt("height") > 0);
    // Until the page chooses, symbols are black on white and white on black.
    callWith("setBackgroundColor", "color", "#ffffff");
    assertEquals("LIGHT", info().getString("style"));
    callWith("setBackgroundColor", "color", "#00000080");
    assertEquals(0x80000000, color());
    assertEquals("DARK", info().getString("style"));
    callWith("setStyle", "style", "LIGHT");
    callWith("setBackgroundColor", "color", "#123456");
    assertEquals("LIGHT", info().getString("style"));
    assertEquals("#123456", info().getString("color"));
    callWith("setStyle", "style", "DARK");
    assertFalse(has(LIGHT));
    callWith("setStyle", "style", "DEFAULT");
    assertTrue(has(LIGHT));
    call("Capacitor.StatusBar", "hide", new JSONObject());
    assertFalse(info().getBoolean("visible"));
    assertEquals(0, info().getInt("height"));
    call("Capacitor.StatusBar", "show");
    callWith("setOverlaysWebView", "overlay", true);
    assertTrue(info().getBoolean("overlays"));
    assertEquals(Color.TRANSPARENT, color());
    callWith("setOverlaysWebView", "overlay", false);
    assertFalse(info().getBoolean("overlays"));
    assertEquals(0xFF123456, color());
    JSONArray changes = answers(visibility);
    assertFalse(changes.getJSONArray(0).getJSONObject(2).getBoolean("visible"));
    assertTrue(changes.getJSONArray(1).getJSONObject(2).getBoolean("visible"));
    assertEquals(2, answers(overlay).length());
  }

  @Test
  @Config(qualifiers = "night")
  public void styleIsThatOfTheNight() throws Exception {
    callWith("setStyle", "style", "DEFAULT");
    assertFalse(has(LIGHT));
  }

  private String margins() {
    activity.edges.dispatchApplyWindowInsets(
        new WindowInsets.Builder()
            .setInsets(WindowInsets.Type.statusBars(), Insets.of(0, 50, 0, 0))
            .setInsets(WindowInsets.Type.navigationBars(), Insets.of(0, 0, 0, 30))
            .setInsets(WindowInsets.Type.displayCutout(), Insets.of(20, 0, 0, 0))
            .build());
    ViewGroup.MarginLayoutParams place = (ViewGroup.MarginLayoutParams) web.getLayoutParams();
    int strip = activity.edges.getChildAt(1).getLayoutParams().height;
    return place.leftMargin + " " + place.topMargin + " " + place.bottomMargin + " " + strip;
  }

  /** Android 15 and later ignore the flags. */
  @Test
  @Config(sdk = 36)
  public void pageReachesBelowBars() throws Exception {
    assertEquals("20 50 30 50", margins());
    call("StatusBar", "overlaysWebView", true);
    assertEquals("20 0 30 50", margins());
    call("StatusBar", "overlaysWebView", false);
    assertEquals("20 50 30 50", margins());
    call("AndroidFullScreen", "showUnderStatusBar");
    assertEquals("20 0 30 50", margins());
    call("AndroidFullScreen", "showUnderSystemUI");
    assertEquals("0 0 0 50", margins());
    call("AndroidFullScreen", "immersiveMode");
    assertEquals("0 0 0 50", margins());
    call("AndroidFullScreen", "showSystemUI");
    assertEquals("20 50 30 50", margins());
  }

  @Test
  public void fullScreen() throws Exception {
    call("AndroidFullScreen", "isSupported");
    call("AndroidFullScreen", "isImmersiveModeSupported");
    assertEquals(320, call("AndroidFullScreen", "immersiveWidth"));
    assertEquals(470, call("AndroidFullScreen", "immersiveHeight"));
    int before = flags();
    call("AndroidFullScreen", "leanMode");
    assertTrue(has(View.SYSTEM_UI_FLAG_FULLSCREEN | View.SYSTEM_UI_FLAG_HIDE_NAVIGATION));
    assertFalse(has(View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY));
    call("AndroidFullScreen", "immersiveMode");
    assertTrue(has(MainActivity.IMMERSIVE));
    call("AndroidFullScreen", "showUnderSystemUI");
    assertTrue(has(View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN | View.SYSTEM_UI_FLAG_LAYOUT_HIDE_NAVIGATION));
    assertFalse(has(View.SYSTEM_UI_FLAG_FULLSCREEN));
    assertEquals(Color.TRANSPARENT, color());
    call("AndroidFullScreen", "showUnderStatusBar");
    assertFalse(has(View.SYSTEM_UI_FLAG_LAYOUT_HIDE_NAVIGATION));
    call("AndroidFullScreen", "immersiveMode");
    call("StatusBar", "show");
    assertFalse(has(View.SYSTEM_UI_FLAG_LAYOUT_FULLSCREEN));
    assertTrue(has(View.SYSTEM_UI_FLAG_HIDE_NAVIGATION | View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY));
    call("AndroidFullScreen", "resetScreen");
    assertEquals(before, flags());
    assertTrue(color() != Color.TRANSPARENT);
    call("AndroidFullScreen", "setSystemUiVisibility", -1);
    assertEquals(0x3F17, flags());
    call("AndroidFullScreen", "setSystemUiVisibility", 0);
    assertEquals(0, flags());
    call("AndroidFullScreen", "showSystemUI");
    assertEquals("AndroidFullScreen doesn't have the action other.", fail("AndroidFullScreen", "other"));
  }

  @Test
  public void answersForSplashScreens() throws Exception {
    for (String service : new String[] {"SplashScreen", "Capacitor.SplashScreen"}) {
      assertEquals(JSONObject.NULL, call(service, "show"));
      assertEquals(JSONObject.NULL, call(service, "hide"));
    }
    assertEquals("SplashScreen doesn't have the action other.", fail("SplashScreen", "other"));
    assertEquals(JSONObject.NULL, call("HeaderColor", "tint", "#336699"));
    assertEquals("# isn't a color.", fail("HeaderColor", "tint", "#"));
  }
}
