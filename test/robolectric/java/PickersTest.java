package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.AlertDialog;
import android.app.DatePickerDialog;
import android.app.TimePickerDialog;
import android.content.DialogInterface;
import java.text.SimpleDateFormat;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowDialog;

public class PickersTest extends PluginTest {
  private static final String SHEET = "ActionSheet";
  private static final String CAPACITOR = "Capacitor.ActionSheet";
  private static final String DATES = "DatePickerPlugin";

  private static JSONArray list(Object... values) {
    return new JSONArray(List.of(values));
  }

  private static AlertDialog shown() {
    finishWork();
    AlertDialog dialog = (AlertDialog) ShadowDialog.getLatestDialog();
    assertTrue(dialog.isShowing());
    return dialog;
  }

  private Object valueOf(String id) throws Exception {
    JSONArray answers = answers(id);
    assertEquals(1, answers.length());
    return answers.getJSONArray(0).get(2);
  }

  private static void press(AlertDialog dialog, int button) {
    dialog.getButton(button).performClick();
  }

  @Test
  public void showsASheet() throws Exception {
    JSONObject options =
        new JSONObject()
            .put("title", "T")
            .put("buttonLabels", list("a", "b"))
            .put("addDestructiveButtonWithLabel", "Delete")
            .put("androidEnableCancelButton", true)
            .put("addCancelButtonWithLabel", "No");
    String id = send(SHEET, "show", options);
    AlertDialog dialog = shown();
    assertEquals("T", shadowOf(dialog).getTitle().toString());
    assertEquals("[Delete, a, b]", List.of(shadowOf(dialog).getItems()).toString());
    shadowOf(dialog).clickOnItem(2);
    assertEquals(3, valueOf(id));
    id = send(SHEET, "show", options.put("destructiveButtonLast", true).put("androidTheme", 4));
    assertEquals("[a, b, Delete]", List.of(shadowOf(shown()).getItems()).toString());
    press(shown(), DialogInterface.BUTTON_NEGATIVE);
    assertEquals(4, valueOf(id));
    id = send(SHEET, "show", new JSONObject().put("buttonLabels", list("a")).put("androidTheme", 5));
    shown().cancel();
    assertEquals(2, valueOf(id));
    id = send(SHEET, "show", new JSONObject().put("buttonLabels", list("a")));
    dialog = shown();
    assertEquals(-1, call(SHEET, "hide", JSONObject.NULL));
    assertFalse(dialog.isShowing());
    assertEquals(2, valueOf(id));
    assertEquals(-1, call(SHEET, "hide", JSONObject.NULL));
    assertEquals("ActionSheet doesn't have the action nothing.", fail(SHEET, "nothing"));
  }

  @Test
  public void showsActions() throws Exception {
    JSONArray labels = list(new JSONObject().put("title", "a"), new JSONObject().put("title", "b"));
    JSONObject options = new JSONObject().put("title", "T").put("options", labels);
    String id = send(CAPACITOR, "showActions", options);
    assertFalse(shadowOf(shown()).isCancelable());
    shadowOf(shown()).clickOnItem(1);
    assertEquals("{\"index\":1,\"canceled\":false}", valueOf(id).toString());
    id = send(CAPACITOR, "showActions", options.put("cancelable", true));
    assertTrue(shadowOf(shown()).isCancelable());
    shown().cancel();
    assertEquals("{\"index\":-1,\"canceled\":true}", valueOf(id).toString());
    assertEquals("Must supply options", fail(CAPACITOR, "showActions", new JSONObject()));
  }

  @Test
  public void asksForADate() throws Exception {
    JSONObject options =
        new JSONObject()
            .put("date", "2/29/2024/13/5")
            .put("minDate", new Date(120, 0, 1).getTime())
            .put("maxDate", new Date(130, 0, 1).getTime())
            .put("titleText", "When?")
            .put("okText", "Take")
            .put("cancelText", "Leave")
            .put("todayText", "Today");
    String id = send(DATES, "date", options);
    DatePickerDialog dialog = (DatePickerDialog) shown();
    assertEquals(1, dialog.getDatePicker().getMonth());
    assertEquals(new Date(120, 0, 1).getTime(), dialog.getDatePicker().getMinDate());
    assertEquals(new Date(130, 0, 1).getTime(), dialog.getDatePicker().getMaxDate());
    assertEquals("Take", dialog.getButton(DialogInterface.BUTTON_POSITIVE).getText().toString());
    assertEquals("Leave", dialog.getButton(DialogInterface.BUTTON_NEGATIVE).getText().toString());
    dialog.updateDate(2025, 11, 31);
    press(dialog, DialogInterface.BUTTON_POSITIVE);
    assertEquals("2025/12/31", valueOf(id));
    id = send(DATES, "date", options);
    Calendar now = Calendar.getInstance();
    press(shown(), DialogInterface.BUTTON_NEUTRAL);
    assertEquals(now.get(Calendar.YEAR) + "/" + (now.get(Calendar.MONTH) + 1) + "/" + now.get(Calendar.DAY_OF_MONTH), valueOf(id));
    id = send(DATES, "date", new JSONObject().put("date", ""));
    press(shown(), DialogInterface.BUTTON_NEGATIVE);
    assertEquals("[\"" + id + "\",1,\"cancel\"]", answers(id).getJSONArray(0).toString());
    id = send(DATES, "date", new JSONObject().put("date", "a/b/c/d/e"));
    shown().cancel();
    assertEquals("cancel", valueOf(id));
    assertEquals("DatePickerPlugin doesn't have the action nothing.", fail(DATES, "nothing"));
  }

  @Test
  public void asksForATime() throws Exception {
    JSONObject options = new JSONObject().put("date", "2/29/2024/13/5").put("is24Hour", true).put("nowText", "Now");
    String id = send(DATES, "time", options);
    TimePickerDialog dialog = (TimePickerDialog) shown();
    dialog.updateTime(23, 59);
    press(dialog, DialogInterface.BUTTON_POSITIVE);
    assertEquals(utc(2024, 1, 29, 23, 59), valueOf(id));
    id = send(DATES, "datetime", options);
    ((DatePickerDialog) shown()).updateDate(2030, 0, 2);
    press(shown(), DialogInterface.BUTTON_POSITIVE);
    assertEquals(0, answers(id).length());
    press((TimePickerDialog) shown(), DialogInterface.BUTTON_POSITIVE);
    assertEquals(utc(2030, 0, 2, 13, 5), valueOf(id));
    id = send(DATES, "time", options);
    press(shown(), DialogInterface.BUTTON_NEUTRAL);
    assertTrue(valueOf(id).toString().matches("2024-0[23]-\\d\\dT\\d\\d:\\d\\d:00Z"));
    id = send(DATES, "time", options);
    press(shown(), DialogInterface.BUTTON_NEGATIVE);
    assertEquals("cancel", valueOf(id));
  }

  private static String utc(int year, int month, int day, int hour, int minute) {
    Calendar time = Calendar.getInstance();
    time.set(year, month, day, hour, minute, 0);
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:00'Z'", Locale.ROOT);
    format.setTimeZone(java.util.TimeZone.getTimeZone("UTC"));
    return format.format(time.getTime());
  }

  @Test
  public void dialogsGoWithTheirPage() throws Exception {
    String id = send(SHEET, "show", new JSONObject().put("buttonLabels", list("a")));
    AlertDialog dialog = shown();
    connect();
    assertFalse(dialog.isShowing());
    assertEquals(0, answers(id).length());
  }

  @Test
  public void aSecondDialogCancelsTheFirst() throws Exception {
    String first = send(SHEET, "show", new JSONObject().put("buttonLabels", list("a")));
    shown();
    String second = send(CAPACITOR, "showActions", new JSONObject().put("options", new JSONArray()));
    shown();
    assertEquals(2, valueOf(first));
    String third = send(DATES, "date", new JSONObject());
    shown();
    assertEquals(-1, ((JSONObject) valueOf(second)).getInt("index"));
    send(SHEET, "show", new JSONObject().put("buttonLabels", list("a")));
    shown();
    assertEquals("cancel", valueOf(third));
  }
}
