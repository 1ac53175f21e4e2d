package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.pm.PackageManager;
import android.media.AudioManager;
import android.media.MediaPlayer;
import android.media.MediaRecorder;
import android.media.PlaybackParams;
import java.io.File;
import java.io.FileOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowMediaPlayer;
import org.robolectric.shadows.ShadowMediaRecorder;
import org.robolectric.shadows.util.DataSource;

public class MediaTest extends PluginTest {
  private static final String MIC = "android.permission.RECORD_AUDIO";
  private static final int LENGTH_MS = 3000;

  private final List<ShadowMediaPlayer> players = new ArrayList<>();
  private final List<DataSource> sources = new ArrayList<>();
  private String channel;

  @Before
  public void listen() {
    ShadowMediaPlayer.setMediaInfoProvider(
        source -> {
          sources.add(source);
          return new ShadowMediaPlayer.MediaInfo(LENGTH_MS, 0);
        });
    ShadowMediaPlayer.setCreateListener((player, shadow) -> players.add(shadow));
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(MIC);
    channel = send("Media", "messageChannel");
  }

  @After
  public void forget() {
    ShadowMediaPlayer.resetStaticState();
  }

  /** Returns a sound's new messages: kind and value. */
  private String messages(String id) throws Exception {
    StringBuilder text = new StringBuilder();
    JSONArray answers = answers(channel);
    for (int index = 0; index < answers.length(); index++) {
      JSONObject status = answers.getJSONArray(index).getJSONObject(2).getJSONObject("status");
      if (status.getString("id").equals(id)) {
        Object value = status.get("value");
        text.append(status.getInt("msgType")).append('=').append(value instanceof JSONObject ? ((JSONObject) value).get("code") : value).append(' ');
      }
    }
    return text.toString().trim();
  }

  private File own(String name) throws Exception {
    File file = new File(activity.getCacheDir(), name);
    try (FileOutputStream out = new FileOutputStream(file)) {
      out.write(1);
    }
    return file;
  }

  private void play(String id, String source) throws Exception {
    call("Media", "create", id, source);
    call("Media", "startPlayingAudio", id, source, JSONObject.NULL);
    finishWork();
  }

  @Test
  public void playsFilesOfTheApp() throws Exception {
    File file = own("a.mp3");
    play("a", "file://" + file.getPath());
    assertEquals("1=1 2=3 1=2", messages("a"));
    assertEquals(DataSource.toDataSource(file.getPath()), sources.get(0));
    assertEquals(0.0, ((Number) call("Media", "getCurrentPositionAudio", "a")).doubleValue(), 0.5);
    call("Media", "setVolume", "a", 0.5);
    assertEquals(0.5, players.get(0).getLeftVolume(), 0.01);
    call("Media", "setRate", "a", 2);
    assertEquals(1.5, ((Number) call("Media", "seekToAudio", "a", 1500)).doubleValue(), 0.01);
    call("Media", "pausePlayingAudio", "a");
    assertTrue(messages("a"), messages("a").endsWith("3=1.5 1=3"));
    call("Media", "startPlayingAudio", "a", "", JSONObject.NULL);
    assertTrue(messages("a").endsWith("1=3 1=2"));
    call("Media", "stopPlayingAudio", "a");
    assertTrue(messages("a").endsWith("1=2 1=4"));
    assertEquals(true, call("Media", "release", "a"));
    assertEquals(false, call("Media", "release", "a"));
    assertEquals(-1, ((Number) call("Media", "getCurrentPositionAudio", "a")).intValue());
    assertEquals("Media doesn't have the action nothing.", fail("Media", "nothing", "a"));
  }

  @Test
  public void playsPagesAndNetwork() throws Exception {
    play("web", "https://example.com/a.mp3");
    assertTrue(messages("web"), messages("web").endsWith("1=2"));
    // A sound in the package can be played, compressed or not.
    String[] sources = {
      "/android_asset/www/table.csv", "file:///android_asset/www/table.csv", HOME + "table.csv", "table.csv", "www/table.csv",
    };
    for (String source : sources) {
      play(source, source);
      assertTrue(source + ": " + messages(source), messages(source).endsWith("1=2"));
    }
    File file = own("b.mp3");
    play("b", "cdvfile://localhost/temporary/b.mp3");
    play("c", "b.mp3");
    play("d", folders().url(file));
    for (String id : new String[] {"b", "c", "d"}) {
      assertTrue(id + messages(id), messages(id).endsWith("1=2"));
    }
  }

  @Test
  public void playsNothingElse() throws Exception {
    String[] others = {
      "/etc/hosts",
      "file:///etc/hosts",
      "../../../etc/hosts",
      "cdvfile://localhost/temporary/../../../../etc/hosts",
      "absent.mp3",
      "file:///android_asset/shell.json",
      "www/../shell.json",
    };
    for (String source : others) {
      play(source, source);
      assertTrue(source + ": " + messages(source), messages(source).endsWith("9=1"));
    }
    assertEquals(0, sources.size());
  }

  @Test
  public void hearsOfEndsAndErrors() throws Exception {
    play("a", own("a.mp3").getPath());
    players.get(0).invokeCompletionListener();
    assertTrue(messages("a").endsWith("1=4"));
    call("Media", "startPlayingAudio", "a", "", new JSONObject("{\"numberOfLoops\":2}"));
    players.get(0).invokeCompletionListener();
    assertTrue(messages("a").endsWith("1=2"));
    players.get(0).invokeErrorListener(MediaPlayer.MEDIA_ERROR_UNKNOWN, MediaPlayer.MEDIA_ERROR_IO);
    assertTrue(messages("a").endsWith("9=2"));
    play("b", own("b.mp3").getPath());
    players.get(players.size() - 1).invokeErrorListener(MediaPlayer.MEDIA_ERROR_UNKNOWN, MediaPlayer.MEDIA_ERROR_UNSUPPORTED);
    assertTrue(messages("b").endsWith("9=4"));
  }

  @Test
  public void pausesForOtherSounds() throws Exception {
    play("a", own("a.mp3").getPath());
    AudioManager audio = activity.getSystemService(AudioManager.class);
    AudioManager.OnAudioFocusChangeListener listener = shadowOf(audio).getLastAudioFocusRequest().listener;
    listener.onAudioFocusChange(AudioManager.AUDIOFOCUS_LOSS_TRANSIENT);
    assertTrue(messages("a").endsWith("1=3"));
    listener.onAudioFocusChange(AudioManager.AUDIOFOCUS_GAIN);
    assertTrue(messages("a").endsWith("1=2"));
    call("Media", "stopPlayingAudio", "a");
    assertEquals(listener, shadowOf(audio).getLastAbandonedAudioFocusListener());
    call("Media", "startPlayingAudio", "a", "", JSONObject.NULL);
    listener.onAudioFocusChange(AudioManager.AUDIOFOCUS_LOSS);
    listener.onAudioFocusChange(AudioManager.AUDIOFOCUS_GAIN);
    assertTrue(messages("a").endsWith("1=3"));
  }

  @Test
  public void records() throws Exception {
    call("Media", "create", "r", "r.aac");
    call("Media", "startRecordingAudio", "r", "r.aac");
    assertEquals("1=2", messages("r"));
    assertEquals(0.0, ((Number) call("Media", "getCurrentAmplitudeAudio", "r")).doubleValue(), 1);
    call("Media", "pauseRecordingAudio", "r");
    call("Media", "resumeRecordingAudio", "r");
    call("Media", "startPlayingAudio", "r", "r.aac", JSONObject.NULL);
    assertEquals("1=2 1=3 1=2 9=1", messages("r"));
    call("Media", "stopRecordingAudio", "r");
    assertTrue(messages("r").endsWith("1=4"));
    call("Media", "startRecordingAudio", "out", "/sdcard/../etc/x.aac");
    assertEquals("9=1", messages("out"));
    assertEquals(0, ((Number) call("Media", "getCurrentAmplitudeAudio", "r")).intValue());

    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(MIC);
    String id = send("Media", "startRecordingAudio", "s", "s.m4a");
    assertEquals(0, answers(id).length());
    activity.onRequestPermissionsResult(2, new String[] {MIC}, new int[] {PackageManager.PERMISSION_DENIED});
    assertEquals(1, answers(id).getJSONArray(0).getInt(1));
    assertEquals(1, answers(id).getJSONArray(0).getJSONObject(2).getInt("code"));
  }

  @Test
  public void anotherPageEndsSounds() throws Exception {
    play("a", own("a.mp3").getPath());
    connect();
    assertEquals(ShadowMediaPlayer.State.END, players.get(0).getState());
  }

  @Test
  public void aSoundOfTheSameIdEndsTheFirst() throws Exception {
    play("a", own("a.mp3").getPath());
    call("Media", "create", "a", "b.mp3");
    assertEquals(ShadowMediaPlayer.State.END, players.get(0).getState());
  }

  @Test
  public void effectsAreReady() throws Exception {
    assertEquals("OK", call("NativeAudio", "setOptions", new JSONObject()));
    assertEquals("OK", call("NativeAudio", "preloadSimple", "click", "table.csv"));
    assertEquals("OK", call("NativeAudio", "preloadComplex", "bang", "table.csv", 0.5, 3, 0));
    assertEquals(4, players.size());
    assertEquals(0.5, players.get(1).getLeftVolume(), 0.01);
    assertTrue(fail("NativeAudio", "preloadSimple", "click", "table.csv").toString().contains("already"));
    String listener = send("NativeAudio", "addCompleteListener", "bang");
    call("NativeAudio", "play", "bang");
    call("NativeAudio", "play", "bang");
    assertTrue(players.get(1).isReallyPlaying() && players.get(2).isReallyPlaying());
    players.get(1).invokeCompletionListener();
    assertEquals(1, answers(listener).length());
    call("NativeAudio", "setVolumeForComplexAsset", "bang", 0.25);
    assertEquals(0.25, players.get(3).getLeftVolume(), 0.01);
    call("NativeAudio", "loop", "click");
    call("NativeAudio", "stop", "click");
    assertTrue(!players.get(0).isReallyPlaying());
    call("NativeAudio", "unload", "click");
    assertTrue(fail("NativeAudio", "play", "click").toString().contains("click"));
    assertTrue(fail("NativeAudio", "preloadSimple", "no", "absent.mp3") != null);
    assertEquals("NativeAudio doesn't have the action nothing.", fail("NativeAudio", "nothing", "bang"));
  }

  /** Counts how often the microphone is opened. */
  @Implements(MediaRecorder.class)
  public static final class Recorders extends ShadowMediaRecorder {
    static int count;

    @Override
    @Implementation
    protected void start() {
      super.start();
      count++;
    }
  }

  /** The page that could end the recording is gone. */
  @Test
  @Config(shadows = Recorders.class)
  public void recordsForNoPageThatIsGone() throws Exception {
    Recorders.count = 0;
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(MIC);
    send("Media", "startRecordingAudio", "r", "r.aac");
    connect();
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(MIC);
    activity.onRequestPermissionsResult(2, new String[] {MIC}, new int[] {PackageManager.PERMISSION_GRANTED});
    finishWork();
    assertEquals(0, Recorders.count);
    call("Media", "startRecordingAudio", "r", "r.aac");
    assertEquals(1, Recorders.count);
  }

  /** Rejects the rates that Android rejects. */
  @Implements(MediaPlayer.class)
  public static final class Players extends ShadowMediaPlayer {
    @Implementation
    protected void setPlaybackParams(PlaybackParams params) {
      if (params.getSpeed() < 0 || params.getSpeed() > 6) {
        throw new IllegalArgumentException("speed");
      }
    }
  }

  @Test
  @Config(shadows = Players.class)
  public void ratesThatAndroidRefuses() throws Exception {
    call("Media", "create", "a", own("a.mp3").getPath());
    call("Media", "setRate", "a", -1);
    call("Media", "startPlayingAudio", "a", "", JSONObject.NULL);
    finishWork();
    assertTrue(messages("a"), messages("a").endsWith("1=2"));
    assertEquals("speed", fail("Media", "setRate", "a", 1000));
    call("Media", "setRate", "a", 2);
  }

  /** Sounds from the network are slow. */
  @Test
  public void effectsAreReadInTheBackground() throws Exception {
    List<Thread> threads = new ArrayList<>();
    ShadowMediaPlayer.setCreateListener(
        (player, shadow) -> {
          players.add(shadow);
          threads.add(Thread.currentThread());
        });
    call("NativeAudio", "preloadSimple", "click", "https://example.com/a.mp3");
    assertTrue(threads.get(0) != Thread.currentThread());
    send("NativeAudio", "preloadSimple", "late", "table.csv");
    connect();
    long end = System.nanoTime() + 10000000000L;
    while (players.size() < 2 || players.get(1).getState() != ShadowMediaPlayer.State.END) {
      assertTrue(System.nanoTime() < end);
      finishWork();
    }
    assertTrue(fail("NativeAudio", "play", "late").toString().contains("late"));
  }
}
