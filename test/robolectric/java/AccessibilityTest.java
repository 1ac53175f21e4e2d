package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.content.Context;
import android.os.Build;
import android.provider.Settings;
import android.view.accessibility.AccessibilityManager;
import android.view.accessibility.CaptioningManager;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.annotation.Config;

public class AccessibilityTest extends PluginTest {
  private static final String[] QUESTIONS = {
    "isScreenReaderRunning", "isTouchExplorationEnabled", "isClosedCaptioningEnabled", "isInvertColorsEnabled", "isBoldTextEnabled",
    "isDarkerSystemColorsEnabled", "isGrayscaleEnabled", "isGuidedAccessEnabled", "isMonoAudioEnabled", "isReduceMotionEnabled",
    "isReduceTransparencyEnabled", "isSpeakScreenEnabled", "isSpeakSelectionEnabled", "isSwitchControlRunning", "isHighContrastEnabled",
  };

  private AccessibilityManager manager() {
    return (AccessibilityManager) activity.getSystemService(Context.ACCESSIBILITY_SERVICE);
  }

  private void startScreenReader() {
    AccessibilityServiceInfo reader = new AccessibilityServiceInfo();
    reader.feedbackType = AccessibilityServiceInfo.FEEDBACK_SPOKEN;
    shadowOf(manager()).setEnabledAccessibilityServiceList(List.of(reader));
    shadowOf(manager()).setTouchExplorationEnabled(true);
    shadowOf(manager()).setEnabled(true);
  }

  @Test
  public void zoomsText() throws Exception {
    assertEquals(100, call("MobileAccessibility", "getTextZoom"));
    assertEquals(150, call("MobileAccessibility", "setTextZoom", 150));
    assertEquals(150, web.getSettings().getTextZoom());
    assertEquals("{\"value\":1.5}", call("Capacitor.TextZoom", "get").toString());
    call("Capacitor.TextZoom", "set", new JSONObject().put("value", 1.2));
    assertEquals(120, web.getSettings().getTextZoom());
    assertEquals(100, call("MobileAccessibility", "updateTextZoom"));
    assertEquals(1, callForObject("Capacitor.TextZoom", "getPreferred").getDouble("value"), 0);
    assertEquals("The zoom must be positive.", fail("Capacitor.TextZoom", "set", new JSONObject().put("value", 0)));
    assertEquals("Capacitor.TextZoom doesn't have the action isEnabled.", fail("Capacitor.TextZoom", "isEnabled"));
  }

  @Test
  @Config(fontScale = 1.3f)
  public void knowsTheUsersTextSize() throws Exception {
    assertEquals("{\"value\":1.3}", call("Capacitor.TextZoom", "getPreferred").toString());
    assertEquals(130, call("MobileAccessibility", "updateTextZoom"));
  }

  @Test
  public void answersQuestions() throws Exception {
    for (String question : QUESTIONS) {
      assertEquals(question, false, call("MobileAccessibility", question));
    }
    startScreenReader();
    shadowOf((CaptioningManager) activity.getSystemService(Context.CAPTIONING_SERVICE)).setEnabled(true);
    Settings.Secure.putInt(activity.getContentResolver(), Settings.Secure.ACCESSIBILITY_DISPLAY_INVERSION_ENABLED, 1);
    if (Build.VERSION.SDK_INT >= 31) {
      activity.getResources().getConfiguration().fontWeightAdjustment = 300;
    }
    for (int index = 0; index < QUESTIONS.length; index++) {
      boolean isKnown = index < 4 || index == 4 && Build.VERSION.SDK_INT >= 31;
      assertEquals(QUESTIONS[index], isKnown, call("MobileAccessibility", QUESTIONS[index]));
    }
    assertEquals("MobileAccessibility doesn't have the action other.", fail("MobileAccessibility", "other"));
  }

  @Test
  public void announces() throws Exception {
    assertFalse(callForObject("MobileAccessibility", "postNotification", 1008, "Hello").getBoolean("wasSuccessful"));
    startScreenReader();
    JSONObject answer = callForObject("MobileAccessibility", "postNotification", 1008, "Hello");
    assertTrue(answer.getBoolean("wasSuccessful"));
    assertEquals("Hello", answer.getString("stringValue"));
    assertFalse(callForObject("MobileAccessibility", "postNotification", 1000, "Hello").getBoolean("wasSuccessful"));
  }

  @Test
  public void tellsOfChanges() throws Exception {
    String first = send("MobileAccessibility", "start");
    assertFalse(answers(first).getJSONArray(0).getJSONObject(2).getBoolean("isScreenReaderRunning"));
    startScreenReader();
    JSONArray answers = answers(first);
    JSONObject last = answers.getJSONArray(answers.length() - 1).getJSONObject(2);
    assertTrue(last.getBoolean("isScreenReaderRunning"));
    assertTrue(last.getBoolean("isTouchExplorationEnabled"));
    call("MobileAccessibility", "stop");
    int count = answers(first).length();
    shadowOf(manager()).setEnabled(false);
    assertEquals(count, answers(first).length());
  }
}
