package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.ContentProvider;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.provider.CalendarContract;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;

public class CalendarsTest extends PluginTest {
  private static final String[] PERMISSIONS = {"android.permission.READ_CALENDAR", "android.permission.WRITE_CALENDAR"};
  private static final long HOUR_MS = 3600000;

  /** Stores rows like Android's own provider, but without recurring events. */
  public static final class Dates extends ContentProvider {
    SQLiteDatabase database;

    @Override
    public boolean onCreate() {
      database = SQLiteDatabase.create(null);
      database.execSQL(
          "CREATE TABLE calendars (_id INTEGER PRIMARY KEY, name, calendar_displayName, isPrimary DEFAULT 0, visible, account_name, account_type, "
              + "calendar_access_level INTEGER, ownerAccount, sync_events, calendar_color)");
      database.execSQL(
          "CREATE TABLE events (_id INTEGER PRIMARY KEY, calendar_id INTEGER, title, eventLocation, description, dtstart, dtend, duration, allDay, "
              + "eventTimezone, rrule, rdate, exdate)");
      database.execSQL("CREATE TABLE reminders (_id INTEGER PRIMARY KEY, event_id INTEGER, minutes, method)");
      database.execSQL(
          "CREATE VIEW instances AS SELECT _id, _id AS event_id, calendar_id, title, eventLocation, description, dtstart AS begin, "
              + "coalesce(dtend, dtstart) AS end, allDay, rrule, rdate, exdate FROM events");
      database.execSQL(
          "INSERT INTO calendars (name, calendar_displayName, visible, account_name, calendar_access_level) "
              + "VALUES ('mine', 'Mine', 1, 'me', 700)");
      return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
      List<String> path = uri.getPathSegments();
      if (path.get(0).equals("instances")) {
        where += " AND begin <= " + Long.parseLong(path.get(3)) + " AND end >= " + Long.parseLong(path.get(2));
      } else if (path.size() > 1) {
        where = "_id=" + ContentUris.parseId(uri);
      }
      return database.query(path.get(0), columns, where, values, null, null, order);
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      return ContentUris.withAppendedId(uri, database.insertOrThrow(uri.getPathSegments().get(0), null, values));
    }

    @Override
    public int delete(Uri uri, String where, String[] values) {
      List<String> path = uri.getPathSegments();
      return database.delete(path.get(0), path.size() > 1 ? "_id=" + ContentUris.parseId(uri) : where, values);
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] arguments) {
      return database.update(uri.getPathSegments().get(0), values, "_id=" + ContentUris.parseId(uri), null);
    }

    @Override
    public String getType(Uri uri) {
      return null;
    }
  }

  private Dates dates;
  private long start;

  @Before
  public void grant() {
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(PERMISSIONS);
    ProviderInfo info = new ProviderInfo();
    info.authority = CalendarContract.AUTHORITY;
    dates = Robolectric.buildContentProvider(Dates.class).create(info).get();
    start = System.currentTimeMillis() / 1000 * 1000 + 17 * 60000;
  }

  private JSONObject event(String rest) throws Exception {
    return new JSONObject(("{'startTime':" + start + ",'endTime':" + (start + HOUR_MS) + rest + "}").replace('\'', '"'));
  }

  private JSONArray find(String rest) throws Exception {
    return (JSONArray) call("Calendar", "findEventWithOptions", event(rest));
  }

  private String row(String column, Object id) {
    try (Cursor cursor = dates.database.rawQuery("SELECT " + column + " FROM events WHERE _id=" + id, null)) {
      cursor.moveToFirst();
      return cursor.getString(0);
    }
  }

  @Test
  public void makesAndFindsEvents() throws Exception {
    Object id =
        call(
            "Calendar",
            "createEventWithOptions",
            event(
                ",'title':'Tea 100%','location':'Here','notes':'n',"
                    + "'options':{'firstReminderMinutes':60,'secondReminderMinutes':null,'url':'https://a.b'}"));
    JSONObject found = find(",'title':'tea'").getJSONObject(0);
    assertEquals(id, found.getString("id"));
    assertEquals("Tea 100%", found.getString("title"));
    assertEquals("Here", found.getString("location"));
    assertEquals("n https://a.b", found.getString("message"));
    assertEquals(false, found.getBoolean("allday"));
    assertEquals(new java.text.SimpleDateFormat("yyyy-MM-dd HH:mm:ss").format(new java.util.Date(start)), found.getString("startDate"));
    assertEquals(1, find(",'title':'0%'").length());
    assertEquals(0, find(",'title':'_'").length());
    assertEquals(0, find(",'title':'x\\' OR 1=1 --'").length());
    assertEquals(1, find(",'options':{'id':'" + id + "','calendarId':1}").length());
    assertEquals(0, find(",'options':{'calendarId':2}").length());
    JSONObject listed = ((JSONArray) call("Calendar", "listEventsInRange", event(""))).getJSONObject(0);
    assertEquals(start, listed.getLong("dtstart"));
    assertEquals(id, listed.getString("event_id"));
    assertEquals(true, call("Calendar", "deleteEvent", event(",'title':'Tea'")));
    assertEquals(false, call("Calendar", "deleteEvent", event(",'title':'Tea'")));
    assertEquals("Calendar doesn't have the action modifyEventWithOptions.", fail("Calendar", "modifyEventWithOptions", event("")));
  }

  @Test
  public void repeats() throws Exception {
    Object id =
        call(
            "Calendar",
            "createEventWithOptions",
            event(
                ",'title':'A','options':{'recurrence':'weekly','recurrenceInterval':2,'recurrenceByDay':'MO,TU',"
                    + "'recurrenceWeekstart':'MO;X','recurrenceEndTime':1800000000000}"));
    assertEquals("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;UNTIL=20270115T080000Z", row("rrule", id));
    assertEquals("PT3600S", row("duration", id));
    assertEquals("weekly", find("").getJSONObject(0).getJSONObject("recurrence").getString("freq").toLowerCase());
    assertEquals(true, call("Calendar", "deleteEventById", new JSONObject().put("id", id).put("fromTime", start + 24 * HOUR_MS)));
    assertTrue(row("rrule", id).matches("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;UNTIL=\\d{8}T\\d{6}Z"));
    assertFalse(row("rrule", id).contains("20270115"));
    assertEquals(true, call("Calendar", "deleteEventById", new JSONObject().put("id", id)));
    assertEquals(false, call("Calendar", "deleteEventById", new JSONObject().put("id", id)));
  }

  @Test
  public void wholeDaysAreInUtc() throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    try {
      start = new GregorianCalendar(2026, 11, 24).getTimeInMillis();
      Object id = call("Calendar", "createEventWithOptions", event("").put("endTime", start + 24 * HOUR_MS).put("title", "Day"));
      assertEquals("1", row("allDay", id));
      assertEquals("UTC", row("eventTimezone", id));
      assertEquals(0, Long.parseLong(row("dtstart", id)) % (24 * HOUR_MS));
      assertEquals("2026-12-24 00:00:00", find(",'title':'Day'").getJSONObject(0).getString("startDate"));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  public void hasCalendars() throws Exception {
    JSONArray list = (JSONArray) call("Calendar", "listCalendars");
    assertEquals("Mine", list.getJSONObject(0).getString("displayname"));
    Object id = call("Calendar", "createCalendar", new JSONObject("{\"calendarName\":\"Ours\",\"calendarColor\":\"#FF0000\"}"));
    assertEquals(2, ((JSONArray) call("Calendar", "listCalendars")).length());
    Object event = call("Calendar", "createEventWithOptions", event(",'title':'E','options':{'calendarName':'Ours'}"));
    assertEquals(String.valueOf(id), row("calendar_id", event));
    assertTrue(fail("Calendar", "createEventWithOptions", event(",'options':{'calendarName':'None'}")).toString().contains("None"));
    assertEquals("yes", call("Calendar", "deleteCalendar", new JSONObject("{\"calendarName\":\"Ours\"}")));
    // The app may not delete another account's calendar.
    assertTrue(fail("Calendar", "deleteCalendar", new JSONObject("{\"calendarName\":\"mine\"}")).toString().contains("mine"));
    assertEquals("calendarName is mandatory", fail("Calendar", "createCalendar", new JSONObject()));
  }

  @Test
  public void opensTheCalendar() throws Exception {
    String id = send("Calendar", "openCalendar", new JSONObject().put("date", start));
    Intent view = shadowOf(activity).getNextStartedActivityForResult().intent;
    assertEquals("content://com.android.calendar/time/" + start, view.getDataString());
    shadowOf(activity).receiveResult(view, Activity.RESULT_CANCELED, null);
    assertEquals(0, answers(id).getJSONArray(0).getInt(1));
    id = send("Calendar", "createEventInteractively", event(",'title':'T','options':{'recurrence':'daily'}"));
    Intent insert = shadowOf(activity).getNextStartedActivityForResult().intent;
    assertEquals("T", insert.getStringExtra("title"));
    assertEquals("FREQ=DAILY;INTERVAL=1", insert.getStringExtra("rrule"));
    shadowOf(activity).receiveResult(insert, Activity.RESULT_CANCELED, null);
    assertEquals(0, answers(id).getJSONArray(0).getInt(1));
  }

  @Test
  public void asksForPermissions() throws Exception {
    for (String kind : new String[] {"Read", "Write", "ReadWrite"}) {
      assertEquals(true, call("Calendar", "has" + kind + "Permission"));
      assertEquals(true, call("Calendar", "request" + kind + "Permission"));
    }
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(PERMISSIONS);
    assertEquals(false, call("Calendar", "hasReadWritePermission"));
    String id = send("Calendar", "listCalendars");
    assertEquals(0, answers(id).length());
    activity.onRequestPermissionsResult(2, PERMISSIONS, new int[] {PackageManager.PERMISSION_DENIED});
    assertEquals(1, answers(id).getJSONArray(0).getInt(1));
  }

  /** Android's provider accepts seconds, except for all-day events. */
  @Test
  public void wholeDaysRepeat() throws Exception {
    start = new GregorianCalendar(2026, 11, 24).getTimeInMillis();
    JSONObject event = event(",'title':'D','options':{'recurrence':'yearly'}").put("endTime", start + 48 * HOUR_MS);
    Object id = call("Calendar", "createEventWithOptions", event);
    assertEquals("1", row("allDay", id));
    assertEquals("P2D", row("duration", id));
  }

  @Test
  public void daysOfADayWhenClocksChange() throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      start = new GregorianCalendar(2026, 2, 29).getTimeInMillis();
      Object id = call("Calendar", "createEventWithOptions", event("").put("endTime", start + 23 * HOUR_MS).put("title", "Short"));
      assertEquals("1", row("allDay", id));
      assertEquals(24 * HOUR_MS, Long.parseLong(row("dtend", id)) - Long.parseLong(row("dtstart", id)));
      id = call("Calendar", "createEventWithOptions", event("").put("endTime", start + 24 * HOUR_MS).put("title", "To one o'clock"));
      assertEquals("0", row("allDay", id));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** Requires dates, because every event would match without them. */
  @Test
  public void deletesNothingWithoutDates() throws Exception {
    Object id = call("Calendar", "createEventWithOptions", event(",'title':'Keep'"));
    JSONObject nulls = new JSONObject("{\"title\":null,\"location\":null,\"notes\":null,\"startTime\":null,\"endTime\":null}");
    assertTrue(fail("Calendar", "deleteEvent", nulls).toString().contains("startTime"));
    assertEquals("Keep", row("title", id));
  }
}
