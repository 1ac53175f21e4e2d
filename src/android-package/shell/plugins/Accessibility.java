package appbuild.shell;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.content.Context;
import android.content.res.Configuration;
import android.os.Build;
import android.provider.Settings;
import android.view.accessibility.AccessibilityManager;
import android.view.accessibility.CaptioningManager;
import android.webkit.WebSettings;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements phonegap-plugin-mobile-accessibility and @capacitor/text-zoom. */
final class Accessibility extends Plugin
    implements AccessibilityManager.AccessibilityStateChangeListener, AccessibilityManager.TouchExplorationStateChangeListener {
  /** Features whose state Android reports. */
  private static final String[] ANSWERED = {
    "isScreenReaderRunning", "isTouchExplorationEnabled", "isClosedCaptioningEnabled", "isInvertColorsEnabled", "isBoldTextEnabled",
  };
  private static final int ANNOUNCEMENT = 1008;

  private final Captions captions = new Captions();
  /** Null if the page doesn't listen. */
  private Call watch;

  @Override
  String[] services() {
    return new String[] {"MobileAccessibility", "Capacitor.TextZoom"};
  }

  @Override
  void call(Call call) throws Exception {
    WebSettings web = activity.web.getSettings();
    switch (call.action) {
      case "getTextZoom":
        call.succeed(web.getTextZoom());
        return;
      case "setTextZoom":
        web.setTextZoom(zoom(call.args.getDouble(0)));
        call.succeed(web.getTextZoom());
        return;
      case "updateTextZoom":
        web.setTextZoom(zoom(100 * preferred()));
        call.succeed(web.getTextZoom());
        return;
      case "get":
        call.succeed(new JSONObject().put("value", web.getTextZoom() / 100.0));
        return;
      case "getPreferred":
        call.succeed(new JSONObject().put("value", preferred()));
        return;
      case "set":
        web.setTextZoom(zoom(100 * call.options().getDouble("value")));
        call.succeed(null);
        return;
      case "postNotification":
        announce(call, call.args.optInt(0), call.args.optString(1));
        return;
      case "start":
        stop();
        start(call);
        return;
      case "stop":
        stop();
        call.succeed(null);
        return;
      default:
        if (!call.action.matches("is\\w+(Enabled|Running)") || call.isCapacitor()) {
          throw unknown(call);
        }
        call.succeed(is(call.action));
    }
  }

  private static int zoom(double percent) {
    if (percent < 1) {
      throw new IllegalArgumentException("The zoom must be positive.");
    }
    return (int) Math.round(percent);
  }

  /** Returns the user's font scale. Rounded, because the float 1.3 would become a double with more digits. */
  private double preferred() {
    return Math.round(activity.getResources().getConfiguration().fontScale * 100) / 100.0;
  }

  private AccessibilityManager manager() {
    return (AccessibilityManager) activity.getSystemService(Context.ACCESSIBILITY_SERVICE);
  }

  private CaptioningManager captioning() {
    return (CaptioningManager) activity.getSystemService(Context.CAPTIONING_SERVICE);
  }

  /** Reports whether a feature is on. @return false for features that only iPhones have */
  private boolean is(String question) {
    switch (question) {
      case "isScreenReaderRunning":
        return manager().isEnabled()
            && !manager().getEnabledAccessibilityServiceList(AccessibilityServiceInfo.FEEDBACK_SPOKEN).isEmpty();
      case "isTouchExplorationEnabled":
        return manager().isTouchExplorationEnabled();
      case "isClosedCaptioningEnabled":
        return captioning().isEnabled();
      case "isInvertColorsEnabled":
        return Settings.Secure.getInt(activity.getContentResolver(), Settings.Secure.ACCESSIBILITY_DISPLAY_INVERSION_ENABLED, 0) == 1;
      case "isBoldTextEnabled":
        return Build.VERSION.SDK_INT >= 31 && isBold(activity.getResources().getConfiguration().fontWeightAdjustment);
      default:
        return false;
    }
  }

  private static boolean isBold(int adjustment) {
    return adjustment > 0 && adjustment != Configuration.FONT_WEIGHT_ADJUSTMENT_UNDEFINED;
  }

  private void announce(Call call, int type, String text) throws JSONException {
    boolean isSpoken = type == ANNOUNCEMENT && manager().isEnabled();
    if (isSpoken) {
      activity.web.announceForAccessibility(text);
    }
    call.succeed(new JSONObject().put("stringValue", text).put("wasSuccessful", isSpoken));
  }

  private void start(Call call) {
    watch = call;
    manager().addAccessibilityStateChangeListener(this);
    manager().addTouchExplorationStateChangeListener(this);
    captioning().addCaptioningChangeListener(captions);
    tell();
  }

  private void stop() {
    watch = null;
    manager().removeAccessibilityStateChangeListener(this);
    manager().removeTouchExplorationStateChangeListener(this);
    captioning().removeCaptioningChangeListener(captions);
  }

  private void tell() {
    Map<String, Boolean> status = new HashMap<>();
    for (String question : ANSWERED) {
      status.put(question, is(question));
    }
    if (watch != null) {
      watch.keep(new JSONObject(status));
    }
  }

  @Override
  public void onAccessibilityStateChanged(boolean isEnabled) {
    tell();
  }

  @Override
  public void onTouchExplorationStateChanged(boolean isEnabled) {
    tell();
  }

  private final class Captions extends CaptioningManager.CaptioningChangeListener {
    @Override
    public void onEnabledChanged(boolean isEnabled) {
      tell();
    }
  }

  @Override
  void onReset() {
    if (watch != null) {
      stop();
    }
  }
}
