package appbuild.shell;

import android.content.Intent;
import android.os.Bundle;
import android.speech.tts.TextToSpeech;
import android.speech.tts.UtteranceProgressListener;
import android.speech.tts.Voice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-tts and @capacitor-community/text-to-speech. */
final class Speech extends Plugin implements TextToSpeech.OnInitListener {
  private static final String NAME = "TextToSpeech";

  /** Null before the first call. */
  private TextToSpeech engine;
  private boolean isReady;
  /** Calls that wait until the engine is ready. */
  private final List<Call> waiting = new ArrayList<>();
  /** Calls whose text is being spoken, keyed by ID. Synchronized, because the engine reports the end of a text on another thread. */
  private final Map<String, Call> spoken = Collections.synchronizedMap(new HashMap<String, Call>());
  private int nextId;

  @Override
  String[] services() {
    return new String[] {"TTS", "Capacitor." + NAME};
  }

  @Override
  void call(Call call) throws Exception {
    if (call.action.equals("openInstall") || call.action.equals("openInstallTts")) {
      activity.startActivity(new Intent(TextToSpeech.Engine.ACTION_INSTALL_TTS_DATA));
      call.succeed(null);
      return;
    }
    if (isReady) {
      run(call);
      return;
    }
    waiting.add(call);
    if (engine == null) {
      TextToSpeech started = new TextToSpeech(activity.getApplicationContext(), this);
      // On a phone without an engine, onInit has already answered the call.
      engine = waiting.isEmpty() ? null : started;
    }
  }

  @Override
  public void onInit(int status) {
    isReady = status == TextToSpeech.SUCCESS && engine != null;
    if (isReady) {
      engine.setOnUtteranceProgressListener(new Progress());
    } else {
      engine = null;
    }
    for (Call call : waiting) {
      try {
        if (!isReady) {
          fail(call, "ERR_NOT_INITIALIZED", "This phone has no engine for speech.");
        } else {
          run(call);
        }
      } catch (JSONException | NoSuchMethodException | RuntimeException error) {
        fail(call, "ERR_UNKNOWN", error.getMessage());
      }
    }
    waiting.clear();
  }

  /** Fails a call with a code for Cordova's page or a message for Capacitor's. */
  private static void fail(Call call, String code, String message) {
    call.fail(call.isCapacitor() ? message : code);
  }

  private void run(Call call) throws JSONException, NoSuchMethodException {
    switch (call.action) {
      case "speak":
        speak(call, call.options());
        return;
      case "stop":
        engine.stop();
        endAll();
        call.succeed(null);
        return;
      case "getSupportedLanguages":
        call.succeed(new JSONObject().put("languages", new JSONArray(languages())));
        return;
      case "checkLanguage":
        call.succeed(languages().toString().replaceAll("[\\[\\] ]", ""));
        return;
      case "getSupportedVoices":
        JSONArray list = new JSONArray();
        for (Voice voice : voices()) {
          list.put(
              new JSONObject()
                  .put("voiceURI", voice.getName())
                  .put("name", voice.getLocale().getDisplayLanguage() + " " + voice.getLocale().getDisplayCountry())
                  .put("lang", voice.getLocale().toLanguageTag())
                  .put("localService", !voice.isNetworkConnectionRequired())
                  .put("default", voice.equals(engine.getDefaultVoice())));
        }
        call.succeed(new JSONObject().put("voices", list));
        return;
      case "isLanguageSupported":
        call.succeed(new JSONObject().put("supported", languages().contains(call.options().getString("lang"))));
        return;
      default:
        throw unknown(call);
    }
  }

  private void speak(Call call, JSONObject options) {
    if (!(options.opt("text") instanceof String)) {
      fail(call, "ERR_INVALID_OPTIONS", "The text is missing.");
      return;
    }
    String text = options.optString("text");
    String language = options.optString("lang", options.optString("locale", "en-US"));
    if (text.length() > TextToSpeech.getMaxSpeechInputLength()) {
      fail(call, "ERR_INVALID_OPTIONS", "The text is too long.");
      return;
    }
    boolean isAdded = options.optInt("queueStrategy") == 1;
    if (!isAdded) {
      endAll();
    }
    int known = engine.setLanguage(Locale.forLanguageTag(language));
    if (known == TextToSpeech.LANG_MISSING_DATA || known == TextToSpeech.LANG_NOT_SUPPORTED) {
      fail(call, "ERR_LANGUAGE_NOT_SUPPORTED", "This language is not supported.");
      return;
    }
    List<Voice> voices = voices();
    int voice = options.optInt("voice", -1);
    if (voice >= 0 && voice < voices.size()) {
      engine.setVoice(voices.get(voice));
    }
    engine.setSpeechRate((float) options.optDouble("rate", 1));
    engine.setPitch((float) options.optDouble("pitch", 1));
    Bundle parameters = new Bundle();
    parameters.putFloat(TextToSpeech.Engine.KEY_PARAM_VOLUME, (float) options.optDouble("volume", 1));
    String id = String.valueOf(nextId++);
    spoken.put(id, call);
    if (engine.speak(text, isAdded ? TextToSpeech.QUEUE_ADD : TextToSpeech.QUEUE_FLUSH, parameters, id) != TextToSpeech.SUCCESS) {
      spoken.remove(id);
      fail(call, "ERR_UNKNOWN", "The engine doesn't speak.");
    }
  }

  /** Answers the calls of all texts when the engine stops. */
  private void endAll() {
    synchronized (spoken) {
      for (Call call : spoken.values()) {
        call.succeed(null);
      }
      spoken.clear();
    }
  }

  private List<String> languages() {
    List<String> languages = new ArrayList<>();
    Set<Locale> known = engine.getAvailableLanguages();
    if (known != null) {
      for (Locale locale : known) {
        languages.add(locale.toLanguageTag());
      }
    }
    Collections.sort(languages);
    return languages;
  }

  /** Returns the engine's voices in a fixed order, because pages choose a voice by its index. */
  private List<Voice> voices() {
    List<Voice> voices = new ArrayList<>();
    if (engine.getVoices() != null) {
      voices.addAll(engine.getVoices());
    }
    Collections.sort(
        voices,
        new Comparator<Voice>() {
          @Override
          public int compare(Voice one, Voice other) {
            return one.getName().compareTo(other.getName());
          }
        });
    return voices;
  }

  private final class Progress extends UtteranceProgressListener {
    @Override
    public void onStart(String id) {}

    @Override
    public void onDone(String id) {
      Call call = spoken.remove(id);
      if (call != null) {
        call.succeed(null);
      }
    }

    @Override
    public void onStop(String id, boolean isInterrupted) {
      onDone(id);
    }

    @Override
    @SuppressWarnings("deprecation")
    public void onError(String id) {
      Call call = spoken.remove(id);
      if (call != null) {
        fail(call, "ERR_UNKNOWN", "The engine can't speak the text.");
      }
    }

    /** Reports the word that's being spoken. The engine calls it on Android 8 and later. */
    @Override
    public void onRangeStart(final String id, final int start, final int end, int frame) {
      final Call call = spoken.get(id);
      if (call == null || !call.isCapacitor()) {
        return;
      }
      activity.runOnUiThread(
          new Runnable() {
            @Override
            public void run() {
              try {
                JSONObject range = new JSONObject().put("start", start).put("end", end);
                bridge.emit(NAME, "onRangeStart", range.put("spokenWord", call.options().optString("text").substring(start, end)));
              } catch (JSONException | RuntimeException outside) {
                // Skips positions outside the text, which some engines report.
              }
            }
          });
    }
  }

  @Override
  void onReset() {
    waiting.clear();
    spoken.clear();
    if (isReady) {
      engine.stop();
    }
  }

  @Override
  void onDestroy() {
    if (engine != null) {
      engine.shutdown();
      engine = null;
      isReady = false;
    }
  }
}
