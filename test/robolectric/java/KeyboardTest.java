package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.graphics.Insets;
import android.os.Build;
import android.view.View;
import android.view.WindowInsets;
import android.view.inputmethod.InputMethodManager;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.util.ReflectionHelpers;

public class KeyboardTest extends PluginTest {
  private static final String[] SERVICES = {"CDVIonicKeyboard", "Keyboard", "Capacitor.Keyboard"};

  @Test
  public void showsAndHides() throws Exception {
    InputMethodManager manager = (InputMethodManager) activity.getSystemService(Context.INPUT_METHOD_SERVICE);
    for (String service : SERVICES) {
      call(service, "show");
      assertTrue(shadowOf(manager).isSoftInputVisible());
      call(service, "hide");
      assertFalse(shadowOf(manager).isSoftInputVisible());
    }
    call("Keyboard", "show");
    call("Keyboard", "close");
    assertFalse(shadowOf(manager).isSoftInputVisible());
    assertEquals(true, call("Keyboard", "shrinkView", true));
    String[] ignored = {"hideFormAccessoryBar", "disableScrollingInShrinkView", "hideKeyboardAccessoryBar", "disableScroll", "styleDark"};
    for (String action : ignored) {
      assertEquals(false, call("Keyboard", action, true));
    }
    assertEquals("Keyboard doesn't have the action other.", fail("Keyboard", "other"));
  }

  /**
   * Simulates a keyboard, which Robolectric doesn't have, by sending Android's message to the
   * window.
   */
  private void setHeight(int pixels) {
    View window = activity.getWindow().getDecorView();
    if (Build.VERSION.SDK_INT >= 30) {
      WindowInsets insets =
          new WindowInsets.Builder()
              .setInsets(WindowInsets.Type.navigationBars(), Insets.of(0, 0, 0, 48))
              .setInsets(WindowInsets.Type.ime(), Insets.of(0, 0, 0, pixels == 0 ? 0 : pixels + 48))
              .build();
      ReflectionHelpers.setField(window.getParent(), "mLastWindowInsets", insets);
    } else {
      shadowOf(ShadowDisplay.getDefaultDisplay()).setHeight(window.getHeight() - pixels);
    }
    window.getViewTreeObserver().dispatchOnGlobalLayout();
  }

  private static String values(JSONArray answers) throws Exception {
    StringBuilder values = new StringBuilder();
    for (int index = 0; index < answers.length(); index++) {
      values.append(answers.getJSONArray(index).get(2)).append(' ');
    }
    return values.toString().trim();
  }

  @Test
  public void tellsOfTheKeyboard() throws Exception {
    String ionic = send("CDVIonicKeyboard", "init");
    String old = send("Keyboard", "init");
    String[] events = {"keyboardWillShow", "keyboardDidShow", "keyboardWillHide", "keyboardDidHide"};
    String[] listeners = new String[events.length];
    for (int index = 0; index < events.length; index++) {
      listeners[index] = send("Capacitor.Keyboard", "addListener", new JSONObject().put("eventName", events[index]));
    }
    answers(ionic);
    setHeight(0);
    setHeight(60);
    setHeight(200);
    setHeight(200);
    setHeight(250);
    setHeight(0);
    for (String each : new String[] {ionic, old}) {
      assertEquals("S200 S250 H", values(answers(each)));
    }
    for (int index = 0; index < events.length; index++) {
      String expected = index < 2 ? "{\"keyboardHeight\":200} {\"keyboardHeight\":250}" : "{}";
      assertEquals(events[index], expected, values(answers(listeners[index])));
    }
    // Another page receives no events until it asks for them.
    connect();
    setHeight(200);
    assertEquals(0, answers(ionic).length());
  }
}
