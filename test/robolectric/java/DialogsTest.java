package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.AlertDialog;
import android.app.ProgressDialog;
import android.os.Build;
import android.os.Looper;
import android.provider.Settings;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.widget.EditText;
import android.widget.Toast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowAlertDialog;
import org.robolectric.shadows.ShadowDialog;
import org.robolectric.shadows.ShadowMediaPlayer;
import org.robolectric.shadows.ShadowToast;
import org.robolectric.shadows.util.DataSource;

public class DialogsTest extends PluginTest {
  private static final int BACK = 0;

  /** Returns the visible dialog. */
  private AlertDialog dialog() {
    finishWork();
    AlertDialog dialog = ShadowAlertDialog.getLatestAlertDialog();
    assertTrue(dialog.isShowing());
    return dialog;
  }

  private static EditText inputOf(View view) {
    if (view instanceof EditText) {
      return (EditText) view;
    }
    for (int index = 0; view instanceof ViewGroup && index < ((ViewGroup) view).getChildCount(); index++) {
      EditText found = inputOf(((ViewGroup) view).getChildAt(index));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * @param button one-based number of the button @param text null to keep the text @return the
   * answer
   */
  private String press(int button, String text, String service, String action, Object... args) throws Exception {
    String id = send(service, action, args);
    AlertDialog dialog = dialog();
    if (text != null) {
      inputOf(dialog.getWindow().getDecorView()).setText(text);
    }
    if (button == BACK) {
      dialog.cancel();
    } else {
      dialog.getButton(-button).performClick();
    }
    JSONArray answers = answers(id);
    assertEquals(1, answers.length());
    assertEquals(0, answers.getJSONArray(0).getInt(1));
    assertFalse(dialog.isShowing());
    return answers.getJSONArray(0).get(2).toString();
  }

  @Test
  public void cordovaDialogs() throws Exception {
    assertEquals("1", press(1, null, "Notification", "alert", "Message", "Title", "Done"));
    assertEquals("0", press(BACK, null, "Notification", "alert", "Message", "Title", "Done"));
    JSONArray three = new JSONArray().put("A").put("B").put("C").put("D");
    for (int button = BACK; button <= 3; button++) {
      assertEquals(String.valueOf(button), press(button, null, "Notification", "confirm", "Message", "Title", three));
    }
    JSONArray two = new JSONArray().put("OK").put("Cancel");
    assertEquals("{\"buttonIndex\":1,\"input1\":\"typed\"}", press(1, "typed", "Notification", "prompt", "Message", "Title", two, ""));
    assertEquals("{\"buttonIndex\":2,\"input1\":\"before\"}", press(2, null, "Notification", "prompt", "Message", "Title", two, "before"));
    assertEquals("{\"buttonIndex\":0,\"input1\":\"\"}", press(BACK, null, "Notification", "prompt", "Message", "Title", two, ""));
    assertEquals("Notification doesn't have the action other.", fail("Notification", "other"));
  }

  @Test
  public void labelsAndTexts() throws Exception {
    send("Notification", "confirm", "Message", "Title", new JSONArray().put("Yes").put("No"));
    AlertDialog dialog = dialog();
    assertEquals("Message", shadowOf(dialog).getMessage());
    assertEquals("Title", shadowOf(dialog).getTitle());
    assertEquals("Yes", dialog.getButton(AlertDialog.BUTTON_POSITIVE).getText());
    assertEquals("No", dialog.getButton(AlertDialog.BUTTON_NEGATIVE).getText());
    assertEquals(View.GONE, dialog.getButton(AlertDialog.BUTTON_NEUTRAL).getVisibility());
    send("Capacitor.Dialog", "prompt", new JSONObject().put("message", "Name?").put("inputPlaceholder", "Hint").put("inputText", "Text"));
    dialog = dialog();
    assertEquals("OK", dialog.getButton(AlertDialog.BUTTON_POSITIVE).getText());
    assertEquals("Cancel", dialog.getButton(AlertDialog.BUTTON_NEGATIVE).getText());
    EditText input = inputOf(dialog.getWindow().getDecorView());
    assertEquals("Hint", input.getHint());
    assertEquals("Text", input.getText().toString());
    send("Capacitor.Dialog", "alert", new JSONObject().put("message", "Message").put("buttonTitle", "Fine"));
    assertEquals("Fine", dialog().getButton(AlertDialog.BUTTON_POSITIVE).getText());
  }

  @Test
  public void capacitorDialogs() throws Exception {
    JSONObject options = new JSONObject().put("title", "Title").put("message", "Message");
    assertEquals("null", press(1, null, "Capacitor.Dialog", "alert", options));
    assertEquals("null", press(BACK, null, "Capacitor.Dialog", "alert", options));
    assertEquals("{\"value\":true}", press(1, null, "Capacitor.Dialog", "confirm", options));
    assertEquals("{\"value\":false}", press(2, null, "Capacitor.Dialog", "confirm", options));
    assertEquals("{\"value\":false}", press(BACK, null, "Capacitor.Dialog", "confirm", options));
    assertEquals("{\"value\":\"typed\",\"cancelled\":false}", press(1, "typed", "Capacitor.Dialog", "prompt", options));
    assertEquals("{\"value\":\"\",\"cancelled\":true}", press(2, "typed", "Capacitor.Dialog", "prompt", options));
    assertEquals("{\"value\":\"\",\"cancelled\":true}", press(BACK, "typed", "Capacitor.Dialog", "prompt", options));
  }

  @Test
  public void dialogsEndWithTheirPage() throws Exception {
    send("Notification", "alert", "Message", "Title", "OK");
    AlertDialog dialog = dialog();
    call("Notification", "activityStart", "Busy", "Wait");
    ProgressDialog progress = (ProgressDialog) ShadowDialog.getLatestDialog();
    connect();
    assertFalse(dialog.isShowing());
    assertFalse(progress.isShowing());
  }

  @Test
  public void showsProgress() throws Exception {
    call("Notification", "progressValue", 5);
    call("Notification", "progressStart", "Title", "Message");
    ProgressDialog progress = (ProgressDialog) ShadowDialog.getLatestDialog();
    assertFalse(progress.isIndeterminate());
    call("Notification", "progressValue", 40);
    assertEquals(40, progress.getProgress());
    call("Notification", "progressStop");
    assertFalse(progress.isShowing());
    call("Notification", "activityStart", "Busy", "Wait");
    progress = (ProgressDialog) ShadowDialog.getLatestDialog();
    assertTrue(progress.isShowing());
    call("Notification", "activityStop");
    assertFalse(progress.isShowing());
    call("Notification", "activityStop");
  }

  @Test
  public void beeps() throws Exception {
    List<ShadowMediaPlayer> players = new ArrayList<>();
    ShadowMediaPlayer.setCreateListener((player, shadow) -> players.add(shadow));
    ShadowMediaPlayer.addMediaInfo(
        DataSource.toDataSource(activity, Settings.System.DEFAULT_NOTIFICATION_URI), new ShadowMediaPlayer.MediaInfo(100, 0));
    call("Notification", "beep", 2);
    ShadowMediaPlayer player = players.get(0);
    assertTrue(player.isReallyPlaying());
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(150));
    assertTrue(player.isReallyPlaying());
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(150));
    assertEquals(ShadowMediaPlayer.State.END, player.getState());
    call("Notification", "beep", 1);
    call("Notification", "beep", 1);
    assertEquals(ShadowMediaPlayer.State.END, players.get(1).getState());
  }

  private String toast(String action, String message, Object duration, String position) throws Exception {
    String id = send("Toast", action, new JSONObject().put("message", message).put("duration", duration).put("position", position).put("data", 7));
    finishWork();
    return id;
  }

  @Test
  public void cordovaToasts() throws Exception {
    String id = toast("show", "Hello", "short", "top");
    assertEquals("Hello", ShadowToast.getTextOfLatestToast());
    Toast toast = ShadowToast.getLatestToast();
    assertEquals(Toast.LENGTH_SHORT, toast.getDuration());
    if (Build.VERSION.SDK_INT < 30) {
      assertEquals(Gravity.TOP, toast.getGravity() & Gravity.VERTICAL_GRAVITY_MASK);
    }
    assertEquals("OK", answers(id).getJSONArray(0).getString(2));
    assertEquals(1, answers(id).length());
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(2100));
    assertEquals("{\"event\":\"hide\",\"message\":\"Hello\",\"data\":7}", answers(id).getJSONArray(1).getJSONObject(2).toString());
    id = toast("show", "Long", "5000", "center");
    assertEquals(Toast.LENGTH_LONG, ShadowToast.getLatestToast().getDuration());
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(2100));
    assertEquals(1, answers(id).length());
    call("Toast", "hide");
    assertEquals(2, answers(id).length());
    assertTrue(shadowOf(ShadowToast.getLatestToast()).isCancelled());
    call("Toast", "hide");
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(9000));
    assertEquals(2, answers(id).length());
    assertEquals("Toast doesn't have the action other.", fail("Toast", "other"));
  }

  @Test
  public void capacitorToasts() throws Exception {
    assertNull(ShadowToast.getLatestToast());
    call("Capacitor.Toast", "show", new JSONObject().put("text", "Hello").put("duration", "long"));
    assertEquals("Hello", ShadowToast.getTextOfLatestToast());
    assertEquals(Toast.LENGTH_LONG, ShadowToast.getLatestToast().getDuration());
    call("Capacitor.Toast", "show", new JSONObject().put("text", "Again"));
    assertEquals(Toast.LENGTH_SHORT, ShadowToast.getLatestToast().getDuration());
  }

  /** Android would read JSON's null as the text `null`. */
  @Test
  public void nullIsNoText() throws Exception {
    send("Capacitor.Dialog", "prompt", new JSONObject().put("message", "Name?").put("title", JSONObject.NULL).put("inputText", JSONObject.NULL));
    assertEquals("", shadowOf(dialog()).getTitle());
    assertEquals("", inputOf(dialog().getWindow().getDecorView()).getText().toString());
  }
}
