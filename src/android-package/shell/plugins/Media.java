package appbuild.shell;

import android.content.Context;
import android.content.res.AssetFileDescriptor;
import android.media.AudioAttributes;
import android.media.AudioManager;
import android.media.MediaPlayer;
import android.media.MediaRecorder;
import android.media.PlaybackParams;
import android.net.Uri;
import android.util.Log;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-media and cordova-plugin-nativeaudio. */
final class Media extends Plugin implements AudioManager.OnAudioFocusChangeListener {
  /** Kinds of messages to the page. */
  private static final int STATE = 1;
  private static final int DURATION = 2;
  private static final int POSITION = 3;
  private static final int ERROR = 9;
  /** States of a sound. */
  private static final int NONE = 0;
  private static final int STARTING = 1;
  private static final int RUNNING = 2;
  private static final int PAUSED = 3;
  private static final int STOPPED = 4;
  /** Error codes. */
  private static final int ABORTED = 1;
  private static final int NETWORK = 2;
  private static final int DECODE = 3;
  private static final int UNSUPPORTED = 4;
  /** MediaRecorder's maximum amplitude. */
  private static final float LOUDEST = 32767;
  private static final int MAX_VOICES = 8;

  private final Map<String, Sound> sounds = new HashMap<>();
  private final Map<String, Effect> effects = new HashMap<>();
  /** Receives the messages. Null for none. */
  private Call channel;

  @Override
  String[] services() {
    return new String[] {"Media", "NativeAudio"};
  }

  @Override
  void call(Call call) throws Exception {
    if (call.service.equals("Media")) {
      callMedia(call);
    } else {
      callEffect(call);
    }
  }

  private void callMedia(Call call) throws Exception {
    if (call.action.equals("messageChannel")) {
      channel = call;
      return;
    }
    String id = call.args.getString(0);
    Sound sound = sounds.get(id);
    switch (call.action) {
      case "create":
        if (sound != null) {
          sound.release();
        }
        sounds.put(id, new Sound(id, call.args.optString(1)));
        call.succeed(null);
        return;
      case "startPlayingAudio":
        sound(id, call).play(call.args.optJSONObject(2));
        call.succeed(null);
        return;
      case "startRecordingAudio":
        startRecording(call, sound(id, call));
        return;
      case "stopRecordingAudio":
      case "pauseRecordingAudio":
      case "resumeRecordingAudio":
        if (sound != null) {
          sound.goOnRecording(call.action);
        }
        call.succeed(null);
        return;
      case "getCurrentAmplitudeAudio":
        call.succeed(sound == null || sound.recorder == null ? 0 : sound.recorder.getMaxAmplitude() / LOUDEST);
        return;
      case "getCurrentPositionAudio":
        call.succeed(sound == null || !sound.isPrepared ? -1 : sound.player.getCurrentPosition() / 1000f);
        return;
      case "seekToAudio":
        int time = call.args.getInt(1);
        if (sound != null) {
          sound.seek(time);
        }
        call.succeed(time / 1000f);
        return;
      case "pausePlayingAudio":
        if (sound != null) {
          sound.pause();
        }
        call.succeed(null);
        return;
      case "stopPlayingAudio":
        if (sound != null) {
          sound.stop();
        }
        call.succeed(null);
        return;
      case "setVolume":
        sound(id, call).setVolume((float) call.args.getDouble(1));
        call.succeed(null);
        return;
      case "setRate":
        sound(id, call).setRate((float) call.args.getDouble(1));
        call.succeed(null);
        return;
      case "release":
        if (sound != null) {
          sound.release();
          sounds.remove(id);
        }
        call.succeed(sound != null);
        return;
      default:
        throw unknown(call);
    }
  }

  private void startRecording(final Call call, final Sound sound) {
    bridge.ask(
        call,
        new String[] {Questions.MICROPHONE},
        1,
        reason(ABORTED, "The user hasn't granted the permission."),
        new Bridge.Granted() {
          @Override
          public void run() {
            sound.record();
            call.succeed(null);
          }
        });
  }

  /**
   * Returns a page's sound, and creates it if it's missing. Only calls that start playback or recording contain the file's name. For any
   * other call, a new sound has no file.
   */
  private Sound sound(String id, Call call) {
    Sound known = sounds.get(id);
    if (known == null) {
      known = new Sound(id, call.action.startsWith("start") ? call.args.optString(1) : "");
      sounds.put(id, known);
    }
    return known;
  }

  private void tell(String id, int type, Object value) {
    try {
      if (channel != null) {
        JSONObject status = new JSONObject().put("id", id).put("msgType", type).put("value", value);
        channel.keep(new JSONObject().put("action", "status").put("status", status));
      }
    } catch (JSONException error) {
      Log.e(MainActivity.TAG, id, error);
    }
  }

  /** A page's Media object, which plays or records. */
  private final class Sound implements MediaPlayer.OnPreparedListener, MediaPlayer.OnCompletionListener, MediaPlayer.OnErrorListener {
    private final String id;
    private final String source;
    MediaPlayer player;
    MediaRecorder recorder;
    boolean isPrepared;
    private int state;
    private int loops = 1;
    private int startAt;
    private float volume = 1;
    private float rate = 1;
    boolean isInterrupted;

    Sound(String id, String source) {
      this.id = id;
      this.source = source;
    }

    boolean isPlaying() {
      return isPrepared && player.isPlaying();
    }

    void setState(int next) {
      if (state != next) {
        state = next;
        tell(id, STATE, next);
        if (next == STOPPED) {
          giveFocus();
        }
      }
    }

    private void fail(int code, String message) {
      release();
      tell(id, ERROR, reason(code, message));
    }

    void play(JSONObject options) {
      if (recorder != null) {
        tell(id, ERROR, reason(ABORTED, "It's recording."));
        return;
      }
      loops = options == null ? 1 : options.optInt("numberOfLoops", 1);
      if (isPrepared) {
        start();
      } else if (player == null) {
        setState(STARTING);
        player = new MediaPlayer();
        player.setAudioAttributes(new AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_MEDIA).build());
        player.setOnPreparedListener(this);
        player.setOnCompletionListener(this);
        player.setOnErrorListener(this);
        try {
          setSource(player, source);
          player.prepareAsync();
        } catch (IOException | RuntimeException error) {
          Log.w(MainActivity.TAG, source, error);
          fail(ABORTED, "Can't open " + source + ": " + error.getMessage());
        }
      }
    }

    private void start() {
      takeFocus();
      player.setVolume(volume, volume);
      player.start();
      if (rate != 1) {
        try {
          player.setPlaybackParams(new PlaybackParams().setSpeed(rate));
        } catch (RuntimeException refused) {
          Log.w(MainActivity.TAG, "A rate of " + rate, refused);
        }
      }
      setState(RUNNING);
    }

    @Override
    public void onPrepared(MediaPlayer ready) {
      isPrepared = true;
      // Android reports a negative duration for a live stream.
      tell(id, DURATION, ready.getDuration() < 0 ? -1 : ready.getDuration() / 1000f);
      if (startAt > 0) {
        ready.seekTo(startAt);
        startAt = 0;
      }
      start();
    }

    @Override
    public void onCompletion(MediaPlayer ended) {
      loops--;
      ended.seekTo(0);
      if (loops > 0) {
        ended.start();
      } else {
        setState(STOPPED);
      }
    }

    @Override
    public boolean onError(MediaPlayer failed, int what, int extra) {
      boolean isNetwork = extra == MediaPlayer.MEDIA_ERROR_IO || extra == MediaPlayer.MEDIA_ERROR_TIMED_OUT;
      fail(isNetwork ? NETWORK : extra == MediaPlayer.MEDIA_ERROR_UNSUPPORTED ? UNSUPPORTED : DECODE, "MediaPlayer: " + what + ", " + extra);
      return true;
    }

    void seek(int time) {
      if (isPrepared) {
        player.seekTo(time);
        tell(id, POSITION, time / 1000f);
      } else {
        startAt = time;
      }
    }

    void pause() {
      isInterrupted = false;
      if (isPlaying()) {
        player.pause();
        setState(PAUSED);
      }
    }

    void stop() {
      isInterrupted = false;
      if (isPrepared) {
        player.pause();
        player.seekTo(0);
        setState(STOPPED);
      } else if (player != null) {
        release();
        setState(STOPPED);
      }
    }

    void setVolume(float next) {
      volume = next;
      if (player != null) {
        player.setVolume(next, next);
      }
    }

    void setRate(float next) {
      rate = next;
      // On a paused player, setting a rate would start playback.
      if (isPlaying()) {
        player.setPlaybackParams(new PlaybackParams().setSpeed(next));
      }
    }

    void record() {
      if (player != null || recorder != null) {
        tell(id, ERROR, reason(ABORTED, "It's in use already."));
        return;
      }
      File file = fileOf(source);
      if (file == null) {
        tell(id, ERROR, reason(ABORTED, source + " isn't one of the app's files."));
        return;
      }
      boolean isAdts = !file.getName().matches("(?i).*\\.(m4a|mp4|3gp)");
      recorder = new MediaRecorder();
      try {
        recorder.setAudioSource(MediaRecorder.AudioSource.MIC);
        recorder.setOutputFormat(isAdts ? MediaRecorder.OutputFormat.AAC_ADTS : MediaRecorder.OutputFormat.MPEG_4);
        recorder.setAudioEncoder(MediaRecorder.AudioEncoder.AAC);
        recorder.setAudioEncodingBitRate(96000);
        recorder.setAudioSamplingRate(44100);
        recorder.setOutputFile(file.getPath());
        recorder.prepare();
        recorder.start();
        setState(RUNNING);
      } catch (IOException | RuntimeException error) {
        Log.w(MainActivity.TAG, source, error);
        fail(ABORTED, "Can't record: " + error.getMessage());
      }
    }

    void goOnRecording(String action) {
      if (recorder == null) {
        return;
      }
      if (action.startsWith("pause")) {
        recorder.pause();
        setState(PAUSED);
      } else if (action.startsWith("resume")) {
        recorder.resume();
        setState(RUNNING);
      } else {
        try {
          recorder.stop();
          setState(STOPPED);
        } catch (RuntimeException error) {
          tell(id, ERROR, reason(ABORTED, "Nothing was recorded."));
        }
        release();
      }
    }

    void release() {
      if (player != null) {
        player.release();
      }
      if (recorder != null) {
        recorder.release();
      }
      player = null;
      recorder = null;
      isPrepared = false;
      isInterrupted = false;
      state = NONE;
      giveFocus();
    }
  }

  /* --- Sources of sounds. --- */

  private void setSource(MediaPlayer player, String source) throws IOException {
    File file = fileOf(source);
    String asset = assetOf(source);
    Uri chosen = bridge.folders.chosen(source);
    if (file != null && file.isFile()) {
      player.setDataSource(file.getPath());
    } else if (chosen != null) {
      player.setDataSource(activity, chosen);
    } else if (asset != null) {
      setAsset(player, asset);
    } else if (source.matches("(?i)(https?|rtsp)://.*")) {
      player.setDataSource(source);
    } else {
      throw new IOException("The app doesn't have such a file.");
    }
  }

  /**
   * Returns a file of the app that a page names by `file:` or `cdvfile:` URL, by a URL of its own origin, or by path.
   *
   * @return null for other sources
   */
  private File fileOf(String source) {
    if (source.indexOf(':') > 0) {
      return bridge.folders.file(source);
    }
    // Other paths are relative to the cache, where recordings are saved.
    return bridge.folders.own(source.startsWith("/") ? source : activity.getCacheDir() + "/" + source);
  }

  /** Returns the asset that a page names, or null if it isn't one. */
  private String assetOf(String source) {
    String path = source.replaceFirst("^(file://)?/android_asset/www/", "/");
    if (source.startsWith(activity.origin + "/")) {
      path = bridge.folders.assetPath(Uri.parse(source).getPath());
    } else if (path.equals(source) && (source.startsWith("/") || source.indexOf(':') >= 0)) {
      return null;
    } else {
      path = "/" + Uri.decode(path).replaceFirst("^/?(www/)?", "");
    }
    return path;
  }

  private void setAsset(MediaPlayer player, String path) throws IOException {
    List<String> names = Files.assetsOf(path, false, "");
    String name = names.isEmpty() ? "" : names.get(0);
    try (AssetFileDescriptor part = activity.getAssets().openFd(name)) {
      player.setDataSource(part.getFileDescriptor(), part.getStartOffset(), part.getLength());
    } catch (IOException packed) {
      // MediaPlayer can't play a compressed asset from the package, so this plays a copy.
      File copy = new File(activity.getCacheDir(), "sound" + name.hashCode() + "." + Files.extensionOf(name));
      try (InputStream from = activity.getAssets().open(name);
          OutputStream to = new FileOutputStream(copy)) {
        Files.copy(from, to);
      }
      player.setDataSource(copy.getPath());
    }
  }

  /* --- Audio focus: pauses for calls and other apps' sounds. --- */

  @SuppressWarnings("deprecation")
  private void takeFocus() {
    audio().requestAudioFocus(this, AudioManager.STREAM_MUSIC, AudioManager.AUDIOFOCUS_GAIN);
  }

  /** Gives up the audio focus when no sound is playing, so that other apps' music continues. */
  @SuppressWarnings("deprecation")
  private void giveFocus() {
    for (Sound sound : sounds.values()) {
      if (sound.isPlaying() || sound.isInterrupted) {
        return;
      }
    }
    audio().abandonAudioFocus(this);
  }

  private AudioManager audio() {
    return (AudioManager) activity.getSystemService(Context.AUDIO_SERVICE);
  }

  @Override
  public void onAudioFocusChange(int change) {
    for (Sound sound : sounds.values()) {
      boolean isLost = change == AudioManager.AUDIOFOCUS_LOSS || change == AudioManager.AUDIOFOCUS_LOSS_TRANSIENT;
      if (isLost && sound.isPlaying()) {
        sound.pause();
        sound.isInterrupted = change == AudioManager.AUDIOFOCUS_LOSS_TRANSIENT;
      } else if (change == AudioManager.AUDIOFOCUS_GAIN && sound.isInterrupted && sound.isPrepared) {
        sound.isInterrupted = false;
        sound.start();
      }
    }
  }

  /* --- cordova-plugin-nativeaudio: short preloaded sounds with several voices. --- */

  private static final class Effect implements MediaPlayer.OnCompletionListener {
    final List<MediaPlayer> voices = new ArrayList<>();
    private int next;
    Call listener;

    MediaPlayer take() {
      return voices.get(next++ % voices.size());
    }

    @Override
    public void onCompletion(MediaPlayer ended) {
      if (listener != null) {
        listener.keep(null);
      }
    }
  }

  private void callEffect(Call call) throws Exception {
    if (call.action.equals("setOptions")) {
      call.succeed("OK");
      return;
    }
    String id = call.args.getString(0);
    if (call.action.startsWith("preload")) {
      preload(call, id);
      return;
    }
    Effect effect = effects.get(id);
    if (effect == null) {
      call.fail("No sound was loaded with the ID " + id + ".");
      return;
    }
    switch (call.action) {
      case "play":
      case "loop":
        MediaPlayer voice = effect.take();
        voice.setLooping(call.action.equals("loop"));
        voice.seekTo(0);
        voice.start();
        break;
      case "stop":
        for (MediaPlayer each : effect.voices) {
          if (each.isPlaying()) {
            each.pause();
          }
        }
        break;
      case "unload":
        unload(effect);
        effects.remove(id);
        break;
      case "setVolumeForComplexAsset":
        float volume = (float) call.args.getDouble(1);
        for (MediaPlayer each : effect.voices) {
          each.setVolume(volume, volume);
        }
        break;
      case "addCompleteListener":
        effect.listener = call;
        return;
      default:
        throw unknown(call);
    }
    call.succeed("OK");
  }

  /** Loads a short sound. Uses a separate thread, because loading a sound from the network takes time. */
  private void preload(final Call call, final String id) {
    bridge.work(
        call,
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            final Effect effect = load(call);
            activity.runOnUiThread(
                new Runnable() {
                  @Override
                  public void run() {
                    add(call, id, effect);
                  }
                });
          }
        });
  }

  private void add(Call call, String id, Effect effect) {
    if (bridge.isGone(call) || effects.containsKey(id)) {
      unload(effect);
      call.fail("A sound with the ID " + id + " is loaded already.");
    } else {
      effects.put(id, effect);
      call.succeed("OK");
    }
  }

  private Effect load(Call call) throws IOException, JSONException {
    boolean isComplex = call.action.equals("preloadComplex");
    int count = isComplex ? Math.max(1, Math.min(MAX_VOICES, call.args.optInt(3, 1))) : 1;
    float volume = isComplex ? (float) call.args.optDouble(2, 1) : 1;
    Effect effect = new Effect();
    try {
      for (int index = 0; index < count; index++) {
        MediaPlayer player = new MediaPlayer();
        effect.voices.add(player);
        setSource(player, call.args.getString(1));
        player.prepare();
        player.setVolume(volume, volume);
        player.setOnCompletionListener(effect);
      }
    } catch (IOException | RuntimeException error) {
      unload(effect);
      throw error;
    }
    return effect;
  }

  private static void unload(Effect effect) {
    for (MediaPlayer player : effect.voices) {
      player.release();
    }
  }

  @Override
  void onReset() {
    channel = null;
    for (Sound sound : sounds.values()) {
      sound.release();
    }
    for (Effect effect : effects.values()) {
      unload(effect);
    }
    sounds.clear();
    effects.clear();
  }

  @Override
  void onDestroy() {
    onReset();
  }
}
