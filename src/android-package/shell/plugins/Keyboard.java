package appbuild.shell;

import android.content.Context;
import android.graphics.Rect;
import android.os.Build;
import android.view.View;
import android.view.ViewTreeObserver;
import android.view.WindowInsets;
import android.view.inputmethod.InputMethodManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.json.JSONObject;

/** Reports the keyboard: cordova-plugin-ionic-keyboard, ionic-plugin-keyboard, cordova-plugin-keyboard, @capacitor/keyboard. */
final class Keyboard extends Plugin implements ViewTreeObserver.OnGlobalLayoutListener {
  /** Minimum height of a keyboard, in CSS pixels. The toolbar of a hardware keyboard is lower. */
  private static final int MIN_HEIGHT = 100;

  private final List<Call> calls = new ArrayList<>();
  private boolean isListening;
  /** Height in CSS pixels. 0 if the keyboard is hidden. */
  private int height;

  @Override
  String[] services() {
    return new String[] {"CDVIonicKeyboard", "Keyboard", "Capacitor.Keyboard"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "init":
        calls.add(call);
        return;
      case "show":
        activity.web.requestFocus();
        manager().showSoftInput(activity.web, 0);
        call.succeed(null);
        return;
      case "hide":
      case "close":
        manager().hideSoftInputFromWindow(activity.web.getWindowToken(), 0);
        call.succeed(null);
        return;
      case "shrinkView":
        // Reports true, because the page always shrinks.
        call.succeed(true);
        return;
      case "disableScrollingInShrinkView":
      case "hideFormAccessoryBar":
      case "hideKeyboardAccessoryBar":
      case "disableScroll":
      case "styleDark":
        // Only iPhones have these features.
        call.succeed(false);
        return;
      default:
        throw unknown(call);
    }
  }

  private InputMethodManager manager() {
    return (InputMethodManager) activity.getSystemService(Context.INPUT_METHOD_SERVICE);
  }

  private View window() {
    return activity.getWindow().getDecorView();
  }

  @Override
  void onResume() {
    if (!isListening) {
      isListening = true;
      window().getViewTreeObserver().addOnGlobalLayoutListener(this);
    }
  }

  @Override
  void onReset() {
    calls.clear();
  }

  @Override
  void onDestroy() {
    window().getViewTreeObserver().removeOnGlobalLayoutListener(this);
  }

  @Override
  public void onGlobalLayout() {
    int now = Math.round(measure() / activity.getResources().getDisplayMetrics().density);
    now = now < MIN_HEIGHT ? 0 : now;
    if (now == height) {
      return;
    }
    height = now;
    for (Call call : calls) {
      call.keep(now > 0 ? "S" + now : "H");
    }
    JSONObject info = now > 0 ? new JSONObject(Collections.singletonMap("keyboardHeight", now)) : new JSONObject();
    for (String event : new String[] {"Will", "Did"}) {
      bridge.emit("Keyboard", "keyboard" + event + (now > 0 ? "Show" : "Hide"), info);
    }
  }

  /** Returns the keyboard's height above the navigation bar, in pixels. */
  private int measure() {
    WindowInsets insets = window().getRootWindowInsets();
    if (insets == null) {
      return 0;
    }
    if (Build.VERSION.SDK_INT >= 30) {
      return insets.getInsets(WindowInsets.Type.ime()).bottom - insets.getInsets(WindowInsets.Type.navigationBars()).bottom;
    }
    Rect visible = new Rect();
    window().getWindowVisibleDisplayFrame(visible);
    return window().getHeight() - visible.bottom - insets.getStableInsetBottom();
  }
}
