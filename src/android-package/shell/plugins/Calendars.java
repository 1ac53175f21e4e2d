package appbuild.shell;

import android.Manifest;
import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.database.Cursor;
import android.graphics.Color;
import android.net.Uri;
import android.provider.CalendarContract;
import android.provider.CalendarContract.Events;
import android.provider.CalendarContract.Instances;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-calendar. */
final class Calendars extends Plugin {
  private static final String READ = Manifest.permission.READ_CALENDAR;
  private static final String WRITE = Manifest.permission.WRITE_CALENDAR;
  private static final long DAY_MS = 24 * 60 * 60 * 1000L;
  /** Time to search before and after now if the page passes no dates. Limited because Android expands every repetition. */
  private static final long SEARCHED_MS = 2 * 366 * DAY_MS;

  @Override
  String[] services() {
    return new String[] {"Calendar"};
  }

  @Override
  void call(final Call call) throws Exception {
    switch (call.action) {
      case "hasReadPermission":
        call.succeed(isGranted(READ));
        return;
      case "hasWritePermission":
        call.succeed(isGranted(WRITE));
        return;
      case "hasReadWritePermission":
        call.succeed(isGranted(READ) && isGranted(WRITE));
        return;
      case "requestReadPermission":
        ask(call, READ);
        return;
      case "requestWritePermission":
        ask(call, WRITE);
        return;
      case "requestReadWritePermission":
        ask(call, READ, WRITE);
        return;
      case "openCalendar":
        Uri.Builder time = CalendarContract.CONTENT_URI.buildUpon().appendPath("time");
        bridge.start(call, null, new Intent(Intent.ACTION_VIEW, ContentUris.appendId(time, call.options().getLong("date")).build()));
        return;
      case "createEventInteractively":
        bridge.start(call, null, insertIntent(call.options()));
        return;
      case "listCalendars":
      case "findEventWithOptions":
      case "listEventsInRange":
        ask(call, READ);
        return;
      case "createCalendar":
      case "deleteCalendar":
      case "createEventWithOptions":
      case "deleteEvent":
      case "deleteEventById":
        ask(call, READ, WRITE);
        return;
      default:
        throw unknown(call);
    }
  }

  /** Always succeeds, because calendar apps don't report whether the user saved the event. */
  @Override
  void onResult(Call call, JSONObject state, int result, Intent data) {
    call.succeed(null);
  }

  private boolean isGranted(String permission) {
    return activity.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }

  private void ask(final Call call, String... permissions) {
    bridge.ask(
        call,
        permissions,
        permissions.length,
        new Bridge.Granted() {
          @Override
          public void run() {
            if (call.action.startsWith("request")) {
              call.succeed(true);
              return;
            }
            bridge.work(
                call,
                new Bridge.Granted() {
                  @Override
                  public void run() throws Exception {
                    call.succeed(answer(call.action, call.options()));
                  }
                });
          }
        });
  }

  private Object answer(String action, JSONObject options) throws Exception {
    switch (action) {
      case "listCalendars":
        return listCalendars();
      case "createCalendar":
        return createCalendar(textOrEmpty(options, "calendarName"), textOrEmpty(options, "calendarColor"));
      case "deleteCalendar":
        return deleteCalendar(textOrEmpty(options, "calendarName"));
      case "createEventWithOptions":
        return createEvent(options);
      case "findEventWithOptions":
        return findEvents(options);
      case "listEventsInRange":
        return listEvents(options);
      case "deleteEvent":
        return deleteEvents(options);
      default:
        return deleteEvent(options.getLong("id"), options.optLong("fromTime"));
    }
  }

  private ContentResolver resolver() {
    return activity.getContentResolver();
  }

  private static String text(Cursor cursor, String column) {
    return cursor.getString(cursor.getColumnIndexOrThrow(column));
  }

  /* --- Calendars. --- */

  private JSONArray listCalendars() throws JSONException {
    String[] columns = {
      CalendarContract.Calendars._ID,
      CalendarContract.Calendars.NAME,
      CalendarContract.Calendars.CALENDAR_DISPLAY_NAME,
      CalendarContract.Calendars.IS_PRIMARY,
    };
    JSONArray list = new JSONArray();
    Cursor cursor = resolver().query(CalendarContract.Calendars.CONTENT_URI, columns, CalendarContract.Calendars.VISIBLE + "=1", null, null);
    while (cursor != null && cursor.moveToNext()) {
      list.put(
          new JSONObject()
              .put("id", cursor.getString(0))
              .put("name", cursor.getString(1))
              .put("displayname", cursor.getString(2))
              .put("isPrimary", cursor.getInt(3) == 1));
    }
    if (cursor != null) {
      cursor.close();
    }
    return list;
  }

  /** Returns the URI of calendars that exist only on the phone, without a server. */
  private Uri ownCalendars() {
    return CalendarContract.Calendars.CONTENT_URI
        .buildUpon()
        .appendQueryParameter(CalendarContract.CALLER_IS_SYNCADAPTER, "true")
        .appendQueryParameter(CalendarContract.Calendars.ACCOUNT_NAME, activity.getPackageName())
        .appendQueryParameter(CalendarContract.Calendars.ACCOUNT_TYPE, CalendarContract.ACCOUNT_TYPE_LOCAL)
        .build();
  }

  private String createCalendar(String name, String color) {
    requireName(name);
    ContentValues values = new ContentValues();
    values.put(CalendarContract.Calendars.ACCOUNT_NAME, activity.getPackageName());
    values.put(CalendarContract.Calendars.ACCOUNT_TYPE, CalendarContract.ACCOUNT_TYPE_LOCAL);
    values.put(CalendarContract.Calendars.NAME, name);
    values.put(CalendarContract.Calendars.CALENDAR_DISPLAY_NAME, name);
    values.put(CalendarContract.Calendars.CALENDAR_ACCESS_LEVEL, CalendarContract.Calendars.CAL_ACCESS_OWNER);
    values.put(CalendarContract.Calendars.OWNER_ACCOUNT, activity.getPackageName());
    values.put(CalendarContract.Calendars.VISIBLE, 1);
    values.put(CalendarContract.Calendars.SYNC_EVENTS, 1);
    if (!color.isEmpty()) {
      values.put(CalendarContract.Calendars.CALENDAR_COLOR, Color.parseColor(color));
    }
    Uri made = resolver().insert(ownCalendars(), values);
    if (made == null) {
      throw new IllegalStateException("Android hasn't made the calendar.");
    }
    return made.getLastPathSegment();
  }

  private static void requireName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("calendarName is mandatory");
    }
  }

  /** Deletes one of the app's calendars. Keeps the calendars of other apps and accounts. */
  private String deleteCalendar(String name) {
    requireName(name);
    String where = CalendarContract.Calendars.NAME + "=? AND " + CalendarContract.Calendars.ACCOUNT_NAME + "=?";
    if (resolver().delete(ownCalendars(), where, new String[] {name, activity.getPackageName()}) == 0) {
      throw new IllegalArgumentException("The app hasn't made a calendar named " + name + ".");
    }
    return "yes";
  }

  /** Returns the ID of the calendar for a new event. */
  private long calendarFor(JSONObject options) {
    String name = textOrEmpty(options, "calendarName");
    if (!options.isNull("calendarId") && name.isEmpty()) {
      return options.optLong("calendarId");
    }
    String where = name.isEmpty() ? CalendarContract.Calendars.CALENDAR_ACCESS_LEVEL + ">=500" : CalendarContract.Calendars.NAME + "=?";
    Cursor cursor =
        resolver()
            .query(
                CalendarContract.Calendars.CONTENT_URI,
                new String[] {CalendarContract.Calendars._ID},
                where,
                name.isEmpty() ? null : new String[] {name},
                CalendarContract.Calendars.IS_PRIMARY + " DESC, " + CalendarContract.Calendars._ID);
    try {
      if (cursor == null || !cursor.moveToFirst()) {
        throw new IllegalArgumentException(name.isEmpty() ? "The phone has no calendar for events." : "No calendar is named " + name + ".");
      }
      return cursor.getLong(0);
    } finally {
      if (cursor != null) {
        cursor.close();
      }
    }
  }

  /* --- Events. --- */

  /** Reports whether an event starts and ends at midnight. Doesn't compare hours, because days with a clock change have 23 or 25. */
  private static boolean isAllDay(long start, long end) {
    return end > start && isMidnight(start) && isMidnight(end);
  }

  private static boolean isMidnight(long time) {
    return (time + TimeZone.getDefault().getOffset(time)) % DAY_MS == 0;
  }

  /** Returns an event's recurrence rule (RFC 5545), or an empty string for an event that doesn't repeat. */
  private static String ruleOf(JSONObject options) {
    String frequency = textOrEmpty(options, "recurrence").toUpperCase(Locale.ROOT);
    if (!frequency.matches("DAILY|WEEKLY|MONTHLY|YEARLY")) {
      return "";
    }
    StringBuilder rule = new StringBuilder("FREQ=" + frequency + ";INTERVAL=" + Math.max(1, options.optInt("recurrenceInterval", 1)));
    String[] parts = {"recurrenceWeekstart", "WKST", "recurrenceByDay", "BYDAY", "recurrenceByMonthDay", "BYMONTHDAY", "recurrenceCount", "COUNT"};
    for (int index = 0; index < parts.length; index += 2) {
      String value = textOrEmpty(options, parts[index]);
      if (value.matches("[\\w,+-]+")) {
        rule.append(';').append(parts[index + 1]).append('=').append(value);
      }
    }
    // A rule can contain either COUNT or UNTIL.
    if (options.optLong("recurrenceEndTime") > 0 && textOrEmpty(options, "recurrenceCount").isEmpty()) {
      rule.append(";UNTIL=").append(utc(options.optLong("recurrenceEndTime")));
    }
    return rule.toString();
  }

  private static String utc(long time) {
    SimpleDateFormat format = new SimpleDateFormat("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    return format.format(new Date(time));
  }

  private static String notesOf(JSONObject event, JSONObject options) {
    String notes = textOrEmpty(event, "notes");
    String url = textOrEmpty(options, "url");
    return url.isEmpty() ? notes : notes.isEmpty() ? url : notes + " " + url;
  }

  private static JSONObject optionsOf(JSONObject event) {
    JSONObject options = event.optJSONObject("options");
    return options == null ? new JSONObject() : options;
  }

  private static Intent insertIntent(JSONObject event) {
    JSONObject options = optionsOf(event);
    long start = event.optLong("startTime", System.currentTimeMillis());
    long end = event.optLong("endTime", start);
    Intent intent =
        new Intent(Intent.ACTION_INSERT, Events.CONTENT_URI)
            .putExtra(Events.TITLE, textOrEmpty(event, "title"))
            .putExtra(Events.EVENT_LOCATION, textOrEmpty(event, "location"))
            .putExtra(Events.DESCRIPTION, notesOf(event, options))
            .putExtra(CalendarContract.EXTRA_EVENT_BEGIN_TIME, start)
            .putExtra(CalendarContract.EXTRA_EVENT_END_TIME, end)
            .putExtra(CalendarContract.EXTRA_EVENT_ALL_DAY, isAllDay(start, end));
    String rule = ruleOf(options);
    return rule.isEmpty() ? intent : intent.putExtra(Events.RRULE, rule);
  }

  private String createEvent(JSONObject event) throws JSONException {
    JSONObject options = optionsOf(event);
    long start = event.getLong("startTime");
    long end = event.getLong("endTime");
    boolean isAllDay = isAllDay(start, end);
    String rule = ruleOf(options);
    if (isAllDay) {
      // Android stores all-day events in UTC.
      start += TimeZone.getDefault().getOffset(start);
      end += TimeZone.getDefault().getOffset(end);
    }
    ContentValues values = new ContentValues();
    values.put(Events.CALENDAR_ID, calendarFor(options));
    values.put(Events.TITLE, textOrEmpty(event, "title"));
    values.put(Events.EVENT_LOCATION, textOrEmpty(event, "location"));
    values.put(Events.DESCRIPTION, notesOf(event, options));
    values.put(Events.DTSTART, start);
    values.put(Events.ALL_DAY, isAllDay ? 1 : 0);
    values.put(Events.EVENT_TIMEZONE, isAllDay ? "UTC" : TimeZone.getDefault().getID());
    if (rule.isEmpty()) {
      values.put(Events.DTEND, end);
    } else {
      values.put(Events.RRULE, rule);
      // Android rejects seconds for all-day events.
      values.put(Events.DURATION, isAllDay ? "P" + (end - start) / DAY_MS + "D" : "PT" + (end - start) / 1000 + "S");
    }
    Uri made = resolver().insert(Events.CONTENT_URI, values);
    if (made == null) {
      throw new IllegalStateException("Android hasn't made the event.");
    }
    for (String name : new String[] {"firstReminderMinutes", "secondReminderMinutes"}) {
      if (!options.isNull(name)) {
        ContentValues reminder = new ContentValues();
        reminder.put(CalendarContract.Reminders.EVENT_ID, ContentUris.parseId(made));
        reminder.put(CalendarContract.Reminders.MINUTES, options.optInt(name));
        reminder.put(CalendarContract.Reminders.METHOD, CalendarContract.Reminders.METHOD_ALERT);
        resolver().insert(CalendarContract.Reminders.CONTENT_URI, reminder);
      }
    }
    return made.getLastPathSegment();
  }

  /** Finds the events that match the page's search, with a row for every repetition. */
  private Cursor instances(JSONObject event) {
    long now = System.currentTimeMillis();
    Uri.Builder uri = Instances.CONTENT_URI.buildUpon();
    ContentUris.appendId(uri, event.optLong("startTime", now - SEARCHED_MS));
    ContentUris.appendId(uri, event.optLong("endTime", now + SEARCHED_MS));
    JSONObject options = optionsOf(event);
    StringBuilder where = new StringBuilder("1=1");
    List<String> values = new ArrayList<>();
    String[] texts = {"title", Events.TITLE, "location", Events.EVENT_LOCATION, "notes", Events.DESCRIPTION};
    for (int index = 0; index < texts.length; index += 2) {
      if (!textOrEmpty(event, texts[index]).isEmpty()) {
        where.append(" AND ").append(texts[index + 1]).append(" LIKE ? ESCAPE '\\'");
        values.add("%" + textOrEmpty(event, texts[index]).replaceAll("[\\\\%_]", "\\\\$0") + "%");
      }
    }
    String[] numbers = {"id", Instances.EVENT_ID, "calendarId", Events.CALENDAR_ID};
    for (int index = 0; index < numbers.length; index += 2) {
      if (!textOrEmpty(options, numbers[index]).isEmpty()) {
        where.append(" AND ").append(numbers[index + 1]).append("=?");
        values.add(textOrEmpty(options, numbers[index]));
      }
    }
    String[] columns = {
      Instances._ID, Instances.EVENT_ID, Events.CALENDAR_ID, Events.TITLE, Events.EVENT_LOCATION, Events.DESCRIPTION, Instances.BEGIN,
      Instances.END, Events.ALL_DAY, Events.RRULE, Events.RDATE, Events.EXDATE,
    };
    return resolver().query(uri.build(), columns, where.toString(), values.toArray(new String[0]), Instances.BEGIN);
  }

  private JSONArray findEvents(JSONObject event) throws JSONException {
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    JSONArray found = new JSONArray();
    Cursor cursor = instances(event);
    while (cursor != null && cursor.moveToNext()) {
      boolean isAllDay = "1".equals(text(cursor, Events.ALL_DAY));
      format.setTimeZone(isAllDay ? TimeZone.getTimeZone("UTC") : TimeZone.getDefault());
      JSONObject each =
          new JSONObject()
              .put("id", text(cursor, Instances.EVENT_ID))
              .put("title", text(cursor, Events.TITLE))
              .put("location", text(cursor, Events.EVENT_LOCATION))
              .put("message", text(cursor, Events.DESCRIPTION))
              .put("startDate", format.format(new Date(Long.parseLong(text(cursor, Instances.BEGIN)))))
              .put("endDate", format.format(new Date(Long.parseLong(text(cursor, Instances.END)))))
              .put("allday", isAllDay);
      String rule = text(cursor, Events.RRULE);
      if (rule != null) {
        JSONObject recurrence = new JSONObject();
        for (String part : rule.split(";")) {
          int equals = part.indexOf('=');
          recurrence.put(part.substring(0, Math.max(0, equals)).toLowerCase(Locale.ROOT), part.substring(equals + 1));
        }
        each.put("recurrence", recurrence);
      }
      found.put(each);
    }
    if (cursor != null) {
      cursor.close();
    }
    return found;
  }

  private JSONArray listEvents(JSONObject range) throws JSONException {
    JSONArray list = new JSONArray();
    Cursor cursor = instances(range);
    while (cursor != null && cursor.moveToNext()) {
      String place = text(cursor, Events.EVENT_LOCATION);
      list.put(
          new JSONObject()
              .put("calendar_id", text(cursor, Events.CALENDAR_ID))
              .put("id", text(cursor, Instances._ID))
              .put("event_id", text(cursor, Instances.EVENT_ID))
              .put("rrule", text(cursor, Events.RRULE))
              .put("rdate", text(cursor, Events.RDATE))
              .put("exdate", text(cursor, Events.EXDATE))
              .put("title", text(cursor, Events.TITLE))
              .put("dtstart", Long.parseLong(text(cursor, Instances.BEGIN)))
              .put("dtend", Long.parseLong(text(cursor, Instances.END)))
              .put("eventLocation", place == null ? "" : place)
              .put("allDay", Integer.parseInt(text(cursor, Events.ALL_DAY))));
    }
    if (cursor != null) {
      cursor.close();
    }
    return list;
  }

  /** Deletes matching events. Requires dates. Otherwise, a page that passes only nulls would delete all events of several years. */
  private boolean deleteEvents(JSONObject event) throws JSONException {
    event.getLong("startTime");
    event.getLong("endTime");
    Set<Long> ids = new LinkedHashSet<>();
    Cursor cursor = instances(event);
    while (cursor != null && cursor.moveToNext()) {
      ids.add(Long.parseLong(text(cursor, Instances.EVENT_ID)));
    }
    if (cursor != null) {
      cursor.close();
    }
    int count = 0;
    for (long id : ids) {
      count += resolver().delete(ContentUris.withAppendedId(Events.CONTENT_URI, id), null, null);
    }
    return count > 0;
  }

  /** Deletes an event. @param from time from which to end a repeating event, or 0 to delete the whole event */
  private boolean deleteEvent(long id, long from) {
    Uri uri = ContentUris.withAppendedId(Events.CONTENT_URI, id);
    if (from > 0) {
      Cursor cursor = resolver().query(uri, new String[] {Events.RRULE, Events.DTSTART}, null, null, null);
      String rule = null;
      long start = 0;
      if (cursor != null) {
        if (cursor.moveToFirst()) {
          rule = cursor.getString(0);
          start = cursor.getLong(1);
        }
        cursor.close();
      }
      if (rule != null && start < from) {
        ContentValues values = new ContentValues();
        values.put(Events.RRULE, rule.replaceAll(";?(UNTIL|COUNT)=[^;]*", "") + ";UNTIL=" + utc(from - 1000));
        return resolver().update(uri, values, null, null) > 0;
      }
    }
    return resolver().delete(uri, null, null) > 0;
  }
}
