package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.speech.tts.TextToSpeech;
import android.speech.tts.Voice;
import java.util.Collections;
import java.util.Locale;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowTextToSpeech;

public class SpeechTest extends PluginTest {
  private static final String CAPACITOR = "Capacitor.TextToSpeech";

  @Before
  public void knowLanguages() {
    ShadowTextToSpeech.reset();
    ShadowTextToSpeech.addLanguageAvailability(Locale.US);
    ShadowTextToSpeech.addLanguageAvailability(Locale.GERMANY);
    ShadowTextToSpeech.addVoice(new Voice("en-us-x", Locale.US, Voice.QUALITY_HIGH, Voice.LATENCY_LOW, false, Collections.emptySet()));
    ShadowTextToSpeech.addVoice(new Voice("de-x", Locale.GERMANY, Voice.QUALITY_HIGH, Voice.LATENCY_LOW, true, Collections.emptySet()));
  }

  @After
  public void forget() {
    ShadowTextToSpeech.reset();
  }

  private static JSONObject json(String text) throws Exception {
    return new JSONObject(text.replace('\'', '"'));
  }

  /** Reports that the engine is ready. */
  private void ready() {
    finishWork();
    shadowOf(ShadowTextToSpeech.getLastTextToSpeechInstance()).getOnInitListener().onInit(TextToSpeech.SUCCESS);
    finishWork();
  }

  private ShadowTextToSpeech engine() {
    return shadowOf(ShadowTextToSpeech.getLastTextToSpeechInstance());
  }

  @Test
  public void speaksOnceTheEngineIsThere() throws Exception {
    String id = send("TTS", "speak", json("{'text':'hello','locale':'de-DE','rate':0.75}"));
    assertEquals(0, answers(id).length());
    ready();
    assertEquals("hello", engine().getLastSpokenText());
    assertEquals(0, answers(id).getJSONArray(0).getInt(1));
    assertEquals("ERR_INVALID_OPTIONS", fail("TTS", "speak", new JSONObject()));
    assertTrue(fail(CAPACITOR, "speak", json("{'text':'x','lang':'xx-XX'}")).toString().contains("not supported"));
    call(CAPACITOR, "speak", json("{'text':'again','lang':'en-US','pitch':2,'volume':0.5,'voice':1,'queueStrategy':1}"));
    assertEquals("again", engine().getLastSpokenText());
    call("TTS", "stop");
    call(CAPACITOR, "stop");
    assertTrue(engine().isStopped());
    assertEquals("TTS doesn't have the action nothing.", fail("TTS", "nothing"));
  }

  @Test
  public void listsLanguagesAndVoices() throws Exception {
    send(CAPACITOR, "stop");
    ready();
    assertTrue(callForObject(CAPACITOR, "getSupportedLanguages").has("languages"));
    call("TTS", "checkLanguage");
    JSONObject voices = callForObject(CAPACITOR, "getSupportedVoices");
    assertEquals(2, voices.getJSONArray("voices").length());
    assertEquals("de-DE", voices.getJSONArray("voices").getJSONObject(0).getString("lang"));
    assertEquals(false, voices.getJSONArray("voices").getJSONObject(0).getBoolean("localService"));
    assertEquals(false, callForObject(CAPACITOR, "isLanguageSupported", json("{'lang':'xx'}")).getBoolean("supported"));
    assertEquals("Capacitor.TextToSpeech doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
  }

  @Test
  public void phonesWithoutAnEngine() throws Exception {
    String cordova = send("TTS", "speak", json("{'text':'a'}"));
    String capacitor = send(CAPACITOR, "speak", json("{'text':'a'}"));
    finishWork();
    engine().getOnInitListener().onInit(TextToSpeech.ERROR);
    assertEquals("ERR_NOT_INITIALIZED", answers(cordova).getJSONArray(0).getString(2));
    assertEquals(1, answers(capacitor).getJSONArray(0).getInt(1));
    call(CAPACITOR, "openInstall");
    Intent install = shadowOf(activity).getNextStartedActivity();
    assertEquals(TextToSpeech.Engine.ACTION_INSTALL_TTS_DATA, install.getAction());
  }

  /** Behaves like Android if no engine is installed. */
  @Implements(TextToSpeech.class)
  public static final class NoEngine extends ShadowTextToSpeech {
    @Override
    @Implementation
    protected void __constructor__(
        Context context, TextToSpeech.OnInitListener listener, String engine, String packageName, boolean isDefaultUsed) {
      super.__constructor__(context, listener, engine, packageName, isDefaultUsed);
      listener.onInit(TextToSpeech.ERROR);
    }
  }

  @Test
  @Config(shadows = NoEngine.class)
  public void answersEachTimeWithoutAnEngine() throws Exception {
    for (int time = 0; time < 2; time++) {
      String id = send("TTS", "speak", json("{'text':'a'}"));
      assertEquals(1, answers(id).length());
      assertEquals("ERR_NOT_INITIALIZED", answers(id).getJSONArray(0).getString(2));
    }
  }
}
