package appbuild.shell;

import android.content.Context;
import android.os.Vibrator;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONArray;

/** Implements @capacitor/haptics, and cordova-plugin-vibration before version 3, which uses the web API. */
final class Haptics extends Plugin {
  private static final int MAX_MS = 10000;
  private static final int DEFAULT_MS = 300;
  private static final int SELECTION_MS = 10;
  /** Alternating pauses and pulses in milliseconds, keyed by Capacitor's name. */
  private static final Map<String, long[]> PATTERNS = new HashMap<>();

  static {
    PATTERNS.put("LIGHT", new long[] {0, 20});
    PATTERNS.put("MEDIUM", new long[] {0, 40});
    PATTERNS.put("HEAVY", new long[] {0, 60});
    PATTERNS.put("SUCCESS", new long[] {0, 30, 60, 50});
    PATTERNS.put("WARNING", new long[] {0, 50, 100, 50});
    PATTERNS.put("ERROR", new long[] {0, 50, 60, 50, 60, 80});
  }

  private boolean isSelecting;

  @Override
  String[] services() {
    return new String[] {"Vibration", "Capacitor.Haptics"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "impact":
        vibrate(PATTERNS.get(call.options().optString("style", "HEAVY")));
        break;
      case "notification":
        vibrate(PATTERNS.get(call.options().optString("type", "SUCCESS")));
        break;
      case "vibrate":
        long time = call.isCapacitor() ? call.options().optLong("duration", DEFAULT_MS) : call.args.getLong(0);
        vibrate(new long[] {0, time});
        break;
      case "vibrateWithPattern":
        vibrateInTurns(call.args.getJSONArray(0));
        break;
      case "cancelVibration":
        vibrator().cancel();
        break;
      case "selectionStart":
        isSelecting = true;
        break;
      case "selectionChanged":
        if (isSelecting) {
          vibrate(new long[] {0, SELECTION_MS});
        }
        break;
      case "selectionEnd":
        isSelecting = false;
        break;
      default:
        throw unknown(call);
    }
    call.succeed(null);
  }

  private Vibrator vibrator() {
    return (Vibrator) activity.getSystemService(Context.VIBRATOR_SERVICE);
  }

  /** Vibrates in a page's pattern, which starts with a pulse. Android's patterns start with a pause. */
  private void vibrateInTurns(JSONArray times) throws Exception {
    long[] pattern = new long[times.length() + 1];
    for (int index = 0; index < times.length(); index++) {
      pattern[index + 1] = times.getLong(index);
    }
    vibrate(pattern);
  }

  /** Vibrates in a pattern. @param pattern pauses and pulses in milliseconds, or null for an unknown name, which fails */
  private void vibrate(long[] pattern) {
    if (pattern == null) {
      throw new IllegalArgumentException("Unknown style or type.");
    }
    for (int index = 0; index < pattern.length; index++) {
      pattern[index] = Math.max(0, Math.min(pattern[index], MAX_MS));
    }
    vibrator().vibrate(pattern, -1);
  }

  @Override
  void onDestroy() {
    vibrator().cancel();
  }
}
