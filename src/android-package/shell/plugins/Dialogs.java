package appbuild.shell;

import android.app.AlertDialog;
import android.app.ProgressDialog;
import android.content.DialogInterface;
import android.media.AudioAttributes;
import android.media.AudioManager;
import android.media.MediaPlayer;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import android.provider.Settings;
import android.view.Gravity;
import android.widget.EditText;
import android.widget.Toast;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Shows dialogs and toasts: cordova-plugin-dialogs, @capacitor/dialog, cordova-plugin-x-toast, @capacitor/toast. */
final class Dialogs extends Plugin implements MediaPlayer.OnCompletionListener {
  private static final int SHORT_MS = 2000;
  private static final int LONG_MS = 3500;
  private static final int INPUT_MARGIN = 20;

  private final Handler handler = new Handler(Looper.getMainLooper());
  /** The visible dialogs. */
  private final List<DialogInterface> dialogs = new ArrayList<>();
  /** Null for none. */
  private ProgressDialog progress;
  private MediaPlayer player;
  private int beeps;
  private Toast toast;
  /** Reports to the page that the toast has disappeared. Null for none. */
  private Runnable toastEnd;

  @Override
  String[] services() {
    return new String[] {"Notification", "Capacitor.Dialog", "Toast", "Capacitor.Toast"};
  }

  @Override
  void call(Call call) throws Exception {
    if (call.service.endsWith("Toast")) {
      toast(call);
    } else if (call.isCapacitor()) {
      ask(call);
    } else {
      notify(call);
    }
  }

  private void notify(Call call) throws JSONException, NoSuchMethodException {
    JSONArray args = call.args;
    switch (call.action) {
      case "alert":
        show(call, args.optString(1), args.optString(0), new JSONArray().put(args.optString(2)), null);
        return;
      case "confirm":
        show(call, args.optString(1), args.optString(0), args.getJSONArray(2), null);
        return;
      case "prompt":
        show(call, args.optString(1), args.optString(0), args.getJSONArray(2), input(args.optString(3), ""));
        return;
      case "beep":
        beep(args.optInt(0, 1));
        break;
      case "activityStart":
        startProgress(args, ProgressDialog.STYLE_SPINNER);
        break;
      case "progressStart":
        startProgress(args, ProgressDialog.STYLE_HORIZONTAL);
        break;
      case "progressValue":
        if (progress != null) {
          progress.setProgress(args.optInt(0));
        }
        break;
      case "activityStop":
      case "progressStop":
        stopProgress();
        break;
      default:
        throw unknown(call);
    }
    call.succeed(null);
  }

  private void ask(Call call) throws NoSuchMethodException {
    JSONObject options = call.options();
    String title = options.optString("title");
    String message = options.optString("message");
    JSONArray labels = new JSONArray().put(options.optString("okButtonTitle", "OK")).put(options.optString("cancelButtonTitle", "Cancel"));
    switch (call.action) {
      case "alert":
        show(call, title, message, new JSONArray().put(options.optString("buttonTitle", "OK")), null);
        return;
      case "confirm":
        show(call, title, message, labels, null);
        return;
      case "prompt":
        show(call, title, message, labels, input(options.optString("inputText"), options.optString("inputPlaceholder")));
        return;
      default:
        throw unknown(call);
    }
  }

  private EditText input(String text, String hint) {
    EditText input = new EditText(activity);
    input.setText(text);
    input.setHint(hint);
    return input;
  }

  /** Shows a dialog. @param labels button labels, of which Android shows up to three @param input null if the page doesn't ask for text */
  private void show(Call call, String title, String message, JSONArray labels, EditText input) {
    Listener listener = new Listener(call, input);
    AlertDialog dialog = new AlertDialog.Builder(activity).setTitle(title).setMessage(message).create();
    // Android numbers buttons from -1 to -3.
    for (int index = 0; index < Math.min(labels.length(), -DialogInterface.BUTTON_NEUTRAL); index++) {
      dialog.setButton(-1 - index, labels.optString(index), listener);
    }
    if (input != null) {
      int margin = Math.round(INPUT_MARGIN * activity.getResources().getDisplayMetrics().density);
      dialog.setView(input, margin, 0, margin, 0);
    }
    dialog.setOnCancelListener(listener);
    dialog.setOnDismissListener(listener);
    dialogs.add(dialog);
    dialog.show();
  }

  private final class Listener
      implements DialogInterface.OnClickListener, DialogInterface.OnCancelListener, DialogInterface.OnDismissListener {
    private final Call call;
    private final EditText input;

    Listener(Call call, EditText input) {
      this.call = call;
      this.input = input;
    }

    @Override
    public void onClick(DialogInterface dialog, int button) {
      answer(call, -button, input);
    }

    @Override
    public void onCancel(DialogInterface dialog) {
      answer(call, 0, input);
    }

    @Override
    public void onDismiss(DialogInterface dialog) {
      dialogs.remove(dialog);
    }
  }

  /** Answers a call. @param button number of the button, starting at 1, or 0 if the user goes back */
  private static void answer(Call call, int button, EditText input) {
    boolean isConfirmed = button == 1;
    try {
      if (call.action.equals("alert")) {
        call.succeed(call.isCapacitor() ? null : button);
      } else if (input == null) {
        call.succeed(call.isCapacitor() ? new JSONObject().put("value", isConfirmed) : button);
      } else if (call.isCapacitor()) {
        String text = isConfirmed ? input.getText().toString() : "";
        call.succeed(new JSONObject().put("value", text).put("cancelled", !isConfirmed));
      } else {
        call.succeed(new JSONObject().put("buttonIndex", button).put("input1", input.getText().toString()));
      }
    } catch (JSONException error) {
      call.fail(error.getMessage());
    }
  }

  private void startProgress(JSONArray args, int style) {
    stopProgress();
    progress = new ProgressDialog(activity);
    progress.setProgressStyle(style);
    progress.setTitle(args.optString(0));
    progress.setMessage(args.optString(1));
    progress.show();
  }

  private void stopProgress() {
    if (progress != null) {
      progress.dismiss();
      progress = null;
    }
  }

  private void beep(int count) {
    stopBeep();
    beeps = count;
    AudioAttributes attributes = new AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_NOTIFICATION).build();
    player =
        MediaPlayer.create(
            activity, Settings.System.DEFAULT_NOTIFICATION_URI, null, attributes, AudioManager.AUDIO_SESSION_ID_GENERATE);
    // Null if the phone's notification sound is set to none.
    if (player != null) {
      player.setOnCompletionListener(this);
      player.start();
    }
  }

  @Override
  public void onCompletion(MediaPlayer ended) {
    beeps--;
    if (beeps > 0) {
      ended.start();
    } else {
      stopBeep();
    }
  }

  private void stopBeep() {
    if (player != null) {
      player.release();
      player = null;
    }
  }

  private void toast(Call call) throws NoSuchMethodException {
    if (call.action.equals("hide")) {
      hideToast();
    } else if (!call.action.equals("show")) {
      throw unknown(call);
    } else {
      showToast(call, call.options());
      if (!call.isCapacitor()) {
        call.keep("OK");
        return;
      }
    }
    call.succeed(null);
  }

  private void showToast(final Call call, JSONObject options) {
    hideToast();
    final String message = options.optString(call.isCapacitor() ? "text" : "message");
    final Object data = options.opt("data");
    String duration = options.optString("duration");
    boolean isLong = duration.equals("long") || duration.matches("[0-9]{1,9}") && Integer.parseInt(duration) > SHORT_MS;
    toast = Toast.makeText(activity, message, isLong ? Toast.LENGTH_LONG : Toast.LENGTH_SHORT);
    String position = options.optString("position", "bottom");
    // Later versions of Android show all toasts at the bottom.
    if (Build.VERSION.SDK_INT < 30 && !position.equals("bottom")) {
      toast.setGravity(position.equals("top") ? Gravity.TOP : Gravity.CENTER, 0, options.optInt("addPixelsY"));
    }
    toast.show();
    toastEnd =
        new Runnable() {
          @Override
          public void run() {
            handler.removeCallbacks(this);
            toast = null;
            toastEnd = null;
            if (!call.isCapacitor()) {
              try {
                call.succeed(new JSONObject().put("event", "hide").put("message", message).put("data", data));
              } catch (JSONException error) {
                call.fail(error.getMessage());
              }
            }
          }
        };
    handler.postDelayed(toastEnd, isLong ? LONG_MS : SHORT_MS);
  }

  private void hideToast() {
    if (toastEnd != null) {
      toast.cancel();
      toastEnd.run();
    }
  }

  /** Closes all dialogs, because the page that opened them is gone. */
  @Override
  void onReset() {
    for (DialogInterface dialog : new ArrayList<>(dialogs)) {
      dialog.dismiss();
    }
    stopProgress();
    stopBeep();
    hideToast();
  }
}
