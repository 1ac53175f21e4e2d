package appbuild.shell;

import android.app.AlertDialog;
import android.app.DatePickerDialog;
import android.app.Dialog;
import android.app.TimePickerDialog;
import android.content.DialogInterface;
import android.widget.DatePicker;
import android.widget.TimePicker;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Shows Android's dialogs: cordova-plugin-actionsheet, @capacitor/action-sheet, cordova-plugin-datepicker. */
final class Pickers extends Plugin {
  private static final String CANCELED = "cancel";
  /** The plugins' numbers for themes that Android still has. Other numbers select Android's own theme for day or night. */
  private static final int DARK = 4;
  private static final int LIGHT = 5;

  /** The visible dialog. Null for none. */
  private Dialog shown;
  /** The call that the dialog answers. */
  private Call asking;

  @Override
  String[] services() {
    return new String[] {"ActionSheet", "Capacitor.ActionSheet", "DatePickerPlugin"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "show":
        showSheet(call, call.options());
        return;
      case "hide":
        cancel();
        call.succeed(-1);
        return;
      case "showActions":
        showActions(call, call.options());
        return;
      case "date":
      case "datetime":
        new Moment(call).askForDay();
        return;
      case "time":
        new Moment(call).askForTime();
        return;
      default:
        throw unknown(call);
    }
  }

  /** Returns the theme that a page chooses, or 0 for Android's own theme. */
  private static int themeOf(JSONObject options) {
    switch (options.optInt("androidTheme")) {
      case DARK:
        return android.R.style.Theme_DeviceDefault_Dialog_Alert;
      case LIGHT:
        return android.R.style.Theme_DeviceDefault_Light_Dialog_Alert;
      default:
        return 0;
    }
  }

  private void showSheet(Call call, JSONObject options) {
    List<String> labels = new ArrayList<>();
    JSONArray given = options.optJSONArray("buttonLabels");
    for (int index = 0; given != null && index < given.length(); index++) {
      labels.add(given.optString(index));
    }
    String destructive = options.optString("addDestructiveButtonWithLabel");
    if (!destructive.isEmpty()) {
      labels.add(options.optBoolean("destructiveButtonLast") ? labels.size() : 0, destructive);
    }
    String cancel = options.optString("addCancelButtonWithLabel");
    show(call, options, labels, true, options.optBoolean("androidEnableCancelButton") ? cancel : "");
  }

  private void showActions(Call call, JSONObject options) throws JSONException {
    JSONArray given = options.optJSONArray("options");
    if (given == null) {
      throw new IllegalArgumentException("Must supply options");
    }
    List<String> labels = new ArrayList<>();
    for (int index = 0; index < given.length(); index++) {
      labels.add(given.getJSONObject(index).optString("title"));
    }
    show(call, options, labels, options.optBoolean("cancelable"), "");
  }

  private void show(Call call, JSONObject options, List<String> labels, boolean isCancelable, String cancel) {
    Choice choice = new Choice(call, labels.size());
    String title = options.optString("title");
    AlertDialog.Builder builder =
        new AlertDialog.Builder(activity, themeOf(options))
            .setTitle(title.isEmpty() ? null : title)
            .setItems(labels.toArray(new String[0]), choice)
            .setOnCancelListener(choice)
            .setCancelable(isCancelable);
    if (!cancel.isEmpty()) {
      builder.setNegativeButton(cancel, choice);
    }
    show(call, builder.create());
  }

  /** The user's choice from a list. */
  private static final class Choice implements DialogInterface.OnClickListener, DialogInterface.OnCancelListener {
    private final Call call;
    private final int count;

    Choice(Call call, int count) {
      this.call = call;
      this.count = count;
    }

    @Override
    public void onClick(DialogInterface dialog, int which) {
      if (which < 0) {
        dialog.cancel();
      } else {
        answer(which);
      }
    }

    @Override
    public void onCancel(DialogInterface dialog) {
      answer(-1);
    }

    private void answer(int index) {
      if (!call.isCapacitor()) {
        // Buttons are numbered from 1. The cancel button is the last, even if it isn't visible.
        call.succeed(index < 0 ? count + 1 : index + 1);
        return;
      }
      try {
        call.succeed(new JSONObject().put("index", index).put("canceled", index < 0));
      } catch (JSONException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private void cancel() {
    if (shown != null && shown.isShowing()) {
      shown.cancel();
    }
  }

  /** Shows a dialog. A call can show several in turn. A visible dialog of another call ends as if the user had canceled it. */
  private void show(Call call, Dialog dialog) {
    if (asking != call) {
      cancel();
    }
    onReset();
    asking = call;
    shown = dialog;
    dialog.show();
  }

  /** Returns the time in the page's `month/day/year/hours/minutes`, or the current time. */
  private static Calendar startOf(JSONObject options) {
    Calendar start = Calendar.getInstance();
    String[] parts = options.optString("date").split("/");
    if (parts.length == 5) {
      try {
        start.set(
            Integer.parseInt(parts[2]),
            Integer.parseInt(parts[0]) - 1,
            Integer.parseInt(parts[1]),
            Integer.parseInt(parts[3]),
            Integer.parseInt(parts[4]));
      } catch (NumberFormatException other) {
        // Not a number. Uses the current time.
      }
    }
    return start;
  }

  /** Asks for a date, a time, or both in turn. */
  private final class Moment
      implements DatePickerDialog.OnDateSetListener,
          TimePickerDialog.OnTimeSetListener,
          DialogInterface.OnClickListener,
          DialogInterface.OnCancelListener {
    private final Call call;
    private final JSONObject options;
    private final Calendar time;

    Moment(Call call) {
      this.call = call;
      options = call.options();
      time = startOf(options);
    }

    void askForDay() {
      DatePickerDialog dialog =
          new DatePickerDialog(
              activity,
              themeOf(options),
              this,
              time.get(Calendar.YEAR),
              time.get(Calendar.MONTH),
              time.get(Calendar.DAY_OF_MONTH));
      long earliest = options.optLong("minDate");
      long latest = options.optLong("maxDate");
      if (earliest > 0) {
        dialog.getDatePicker().setMinDate(earliest);
      }
      if (latest > earliest) {
        dialog.getDatePicker().setMaxDate(latest);
      }
      ask(dialog, dialog, "todayText");
    }

    void askForTime() {
      TimePickerDialog dialog =
          new TimePickerDialog(
              activity,
              themeOf(options),
              this,
              time.get(Calendar.HOUR_OF_DAY),
              time.get(Calendar.MINUTE),
              options.optBoolean("is24Hour"));
      ask(dialog, dialog, "nowText");
    }

    /** Shows a date or time dialog. @param nowName option with the label of a third button, which selects the current time */
    private void ask(AlertDialog dialog, DialogInterface.OnClickListener onSet, String nowName) {
      String title = options.optString("titleText");
      String set = options.optString("okText");
      String cancel = options.optString("cancelText");
      String now = options.optString(nowName);
      if (!title.isEmpty()) {
        dialog.setTitle(title);
      }
      if (!set.isEmpty()) {
        dialog.setButton(DialogInterface.BUTTON_POSITIVE, set, onSet);
      }
      dialog.setButton(
          DialogInterface.BUTTON_NEGATIVE, cancel.isEmpty() ? activity.getText(android.R.string.cancel) : cancel, this);
      if (!now.isEmpty()) {
        dialog.setButton(DialogInterface.BUTTON_NEUTRAL, now, this);
      }
      dialog.setCanceledOnTouchOutside(false);
      dialog.setOnCancelListener(this);
      show(call, dialog);
    }

    @Override
    public void onDateSet(DatePicker picker, int year, int month, int day) {
      if (call.action.equals("date")) {
        call.succeed(year + "/" + (month + 1) + "/" + day);
      } else {
        time.set(year, month, day);
        askForTime();
      }
    }

    @Override
    public void onTimeSet(TimePicker picker, int hour, int minute) {
      time.set(Calendar.HOUR_OF_DAY, hour);
      time.set(Calendar.MINUTE, minute);
      time.set(Calendar.SECOND, 0);
      SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
      format.setTimeZone(TimeZone.getTimeZone("UTC"));
      call.succeed(format.format(time.getTime()));
    }

    @Override
    public void onClick(DialogInterface dialog, int which) {
      Calendar now = Calendar.getInstance();
      if (which == DialogInterface.BUTTON_NEGATIVE) {
        dialog.cancel();
      } else if (dialog instanceof DatePickerDialog) {
        onDateSet(null, now.get(Calendar.YEAR), now.get(Calendar.MONTH), now.get(Calendar.DAY_OF_MONTH));
      } else {
        onTimeSet(null, now.get(Calendar.HOUR_OF_DAY), now.get(Calendar.MINUTE));
      }
    }

    @Override
    public void onCancel(DialogInterface dialog) {
      call.fail(CANCELED);
    }
  }

  /** Closes the dialog. It would leak without its activity, and can't answer without its page. */
  @Override
  void onReset() {
    if (shown != null) {
      shown.dismiss();
      shown = null;
    }
  }

  @Override
  void onDestroy() {
    onReset();
  }
}
