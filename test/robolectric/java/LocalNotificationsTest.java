package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.os.Build;
import android.provider.Settings;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowAlarmManager;
import org.robolectric.shadows.ShadowNotificationManager;

public class LocalNotificationsTest extends PluginTest {
  private static final String CORDOVA = "LocalNotification";
  private static final String CAPACITOR = "Capacitor.LocalNotifications";
  private static final String POST = "android.permission.POST_NOTIFICATIONS";
  private static final long HOUR_MS = 3600000;
  private static final String FIRE = "cordova.plugins.notification.local.core.fireEvent cordova.plugins.notification.local.fireEvent";

  private NotificationManager manager;

  @Before
  public void grant() throws Exception {
    manager = (NotificationManager) activity.getSystemService(Context.NOTIFICATION_SERVICE);
    shadowOf(manager).setNotificationsEnabled(true);
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(POST);
    ShadowAlarmManager.setCanScheduleExactAlarms(true);
    // Discards the events of earlier tests.
    call(CORDOVA, "ready");
    call(CORDOVA, "launch");
    connect();
  }

  private static JSONObject json(String text) throws Exception {
    return new JSONObject(text.replace('\'', '"'));
  }

  private ShadowNotificationManager shown() {
    return shadowOf(manager);
  }

  private Notification shown(int id) {
    return shown().getNotification(id);
  }

  private List<ShadowAlarmManager.ScheduledAlarm> alarms() {
    return shadowOf((AlarmManager) activity.getSystemService(Context.ALARM_SERVICE)).getScheduledAlarms();
  }

  private long alarmTime() {
    assertEquals(1, alarms().size());
    return alarms().get(0).getTriggerAtMs();
  }

  /** Triggers the only alarm. */
  private void ring() throws Exception {
    ShadowAlarmManager.ScheduledAlarm alarm = alarms().get(0);
    ((AlarmManager) activity.getSystemService(Context.ALARM_SERVICE)).cancel(alarm.operation);
    send(alarm.operation);
  }

  /** Sends an intent as the system does. */
  private void send(PendingIntent pending) throws Exception {
    Intent intent = shadowOf(pending).getSavedIntent();
    assertNotNull(intent.getComponent());
    assertEquals(activity.getPackageName(), intent.getComponent().getPackageName());
    if (shadowOf(pending).isActivity()) {
      controller.newIntent(intent);
    } else {
      new LocalNotifications.Alarms().onReceive(activity, intent);
    }
    finishWork();
  }

  /** Returns the names of the functions that the shell called in the page. */
  private List<String> events() throws Exception {
    List<String> names = new ArrayList<>();
    JSONArray calls = answers("call");
    for (int index = 0; index < calls.length(); index++) {
      JSONObject value = calls.getJSONArray(index).getJSONObject(2);
      assertEquals(FIRE, value.getString("path"));
      JSONArray args = value.getJSONArray("args");
      assertEquals(args.getString(0), args.getJSONObject(args.length() - 1).getString("event"));
      names.add(args.getString(0));
    }
    return names;
  }

  private JSONArray lastEvent() throws Exception {
    JSONArray calls = answers("call");
    return calls.getJSONArray(calls.length() - 1).getJSONObject(2).getJSONArray("args");
  }

  private JSONObject capacitor(String... notifications) throws Exception {
    return json("{'notifications':[" + String.join(",", notifications) + "]}");
  }

  @Test
  public void cordovaShowsAtOnce() throws Exception {
    call(CORDOVA, "ready");
    JSONObject options =
        json(
            "{'id':7,'title':'Tea','text':'is ready','data':'{}','sound':'default','badgeNumber':3,'androidColor':'#ff0000',"
                + "'androidLargeIcon':'res://ic_menu_help','attachments':['www/absent.png'],'androidGroup':'g','androidGroupSummary':true,"
                + "'androidProgressBar':{'value':20,'maxValue':100},'androidWakeUpScreen':true,'androidSmallIcon':'res://ic_dialog_alert'}");
    assertEquals(true, call(CORDOVA, "schedule", options));
    Notification shown = shown(7);
    assertEquals("Tea", shown.extras.getString(Notification.EXTRA_TITLE));
    assertEquals("is ready", shown.extras.getString(Notification.EXTRA_TEXT));
    assertEquals(20, shown.extras.getInt(Notification.EXTRA_PROGRESS));
    assertEquals(android.R.drawable.ic_dialog_alert, shown.getSmallIcon().getResId());
    assertNotNull(shown.getLargeIcon());
    assertEquals(3, shown.number);
    assertEquals("g", shown.getGroup());
    assertTrue(shadowOf(shown.contentIntent).isImmutable());
    assertTrue(shadowOf(shown.deleteIntent).isImmutable());
    if (Build.VERSION.SDK_INT >= 26) {
      assertEquals("default_channel", shown.getChannelId());
      assertNotNull(manager.getNotificationChannel("default_channel"));
    }
    assertEquals("triggered", call(CORDOVA, "type", 7));
    assertEquals("[7]", call(CORDOVA, "ids", 2).toString());
    assertEquals("[]", call(CORDOVA, "ids", 1).toString());
    assertEquals(List.of("add", "trigger"), events());

    call(CORDOVA, "update", json("{'id':7,'text':'is cold'}"));
    assertEquals("is cold", shown(7).extras.getString(Notification.EXTRA_TEXT));
    assertEquals("is cold", callForObject(CORDOVA, "notification", 7).getString("text"));
    call(CORDOVA, "clear", 7);
    assertNull(shown(7));
    assertEquals("unknown", call(CORDOVA, "type", 7));
    assertEquals("clear", lastEvent().getJSONObject(2).getString("event"));
  }

  @Test
  public void cordovaHasStyles() throws Exception {
    call(CORDOVA, "schedule", json("{'id':1,'text':'a\\nb','androidSummary':'s'}"));
    assertEquals(2, shown(1).extras.getCharSequenceArray(Notification.EXTRA_TEXT_LINES).length);
    call(CORDOVA, "schedule", json("{'id':2,'text':'" + "long ".repeat(20) + "'}"));
    assertEquals("long ".repeat(20), shown(2).extras.getCharSequence(Notification.EXTRA_BIG_TEXT).toString());
    call(CORDOVA, "schedule", json("{'id':3,'title':'Chat','androidMessages':[{'person':'Me','message':'a'}]}"));
    call(CORDOVA, "update", json("{'id':3,'androidMessages':[{'person':'You','message':'b','date':5}]}"));
    assertEquals(2, shown(3).extras.getParcelableArray(Notification.EXTRA_MESSAGES).length);
    assertEquals("Chat 2", shown(3).extras.getCharSequence(Notification.EXTRA_CONVERSATION_TITLE).toString());
    call(CORDOVA, "schedule", json("{'id':4,'silent':true}"));
    assertNull(shown(4));
  }

  @Test
  public void cordovaSchedules() throws Exception {
    long at = System.currentTimeMillis() + HOUR_MS;
    call(CORDOVA, "schedule", json("{'id':1,'title':'Later','trigger':{'at':" + at + "},'androidAllowWhileIdle':true}"));
    assertNull(shown(1));
    assertEquals(at, alarmTime());
    assertTrue(shadowOf(alarms().get(0).operation).isBroadcast());
    assertTrue(shadowOf(alarms().get(0).operation).isImmutable());
    assertEquals("scheduled", call(CORDOVA, "type", 1));
    assertEquals("[1]", call(CORDOVA, "ids", 1).toString());
    assertEquals("[1]", call(CORDOVA, "ids", 0).toString());
    assertEquals(1, ((JSONArray) call(CORDOVA, "notifications", 1)).length());
    assertEquals(0, ((JSONArray) call(CORDOVA, "notifications", 3, new JSONArray("[2]"))).length());
    assertEquals("Later", ((JSONArray) call(CORDOVA, "notifications", 3, new JSONArray("[1]"))).getJSONObject(0).getString("title"));
    ring();
    assertEquals("Later", shown(1).extras.getString(Notification.EXTRA_TITLE));
    assertEquals(0, alarms().size());
    call(CORDOVA, "cancelAll");
    assertNull(shown(1));
    assertTrue(answers("call").length() == 0);
    assertEquals(JSONObject.NULL, call(CORDOVA, "notification", 1));

    call(CORDOVA, "schedule", json("{'id':2,'trigger':{'in':2,'unit':'hour'}}"));
    assertEquals(System.currentTimeMillis() + 2 * HOUR_MS, alarmTime(), 10000.0);
    call(CORDOVA, "cancel", 2);
    assertEquals(0, alarms().size());
  }

  @Test
  public void cordovaRepeats() throws Exception {
    long first = System.currentTimeMillis() - 1000;
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':'day','count':2,'firstAt':" + first + "}}"));
    Calendar tomorrow = Calendar.getInstance();
    tomorrow.setTimeInMillis(first);
    tomorrow.add(Calendar.DAY_OF_MONTH, 1);
    assertEquals(tomorrow.getTimeInMillis(), alarmTime());
    ring();
    assertEquals("triggered", call(CORDOVA, "type", 1));
    assertEquals("[1]", call(CORDOVA, "ids", 1).toString());
    ring();
    assertEquals(0, alarms().size());
    for (String unit : "minute hour week month quarter year second".split(" ")) {
      long before = System.currentTimeMillis();
      call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':'" + unit + "','firstAt':1700000000000}}"));
      assertTrue(unit, alarmTime() > before);
    }
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':15,'unit':'minute'}}"));
    assertEquals(System.currentTimeMillis() + HOUR_MS / 4, alarmTime(), 10000.0);
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':'hour','before':5}}"));
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':'eon'}}"));
    assertEquals(0, alarms().size());
  }

  private Calendar next(String every) throws Exception {
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':" + every + "}}"));
    Calendar time = Calendar.getInstance();
    time.setTimeInMillis(alarmTime());
    assertTrue(every, alarmTime() > System.currentTimeMillis());
    return time;
  }

  @Test
  public void cordovaMatchesDates() throws Exception {
    Calendar birthday = next("{'month':10,'day':27,'hour':9,'minute':5}");
    assertEquals(Calendar.OCTOBER, birthday.get(Calendar.MONTH));
    assertEquals(27, birthday.get(Calendar.DAY_OF_MONTH));
    assertEquals(9, birthday.get(Calendar.HOUR_OF_DAY));
    assertEquals(5, birthday.get(Calendar.MINUTE));
    assertTrue(birthday.getTimeInMillis() < System.currentTimeMillis() + 367 * 24 * HOUR_MS);
    Calendar monday = next("{'weekday':1}");
    assertEquals(Calendar.MONDAY, monday.get(Calendar.DAY_OF_WEEK));
    assertEquals(0, monday.get(Calendar.HOUR_OF_DAY));
    assertEquals(10, next("{'minute':10}").get(Calendar.MINUTE));
    assertTrue(alarmTime() <= System.currentTimeMillis() + HOUR_MS);
    assertEquals(7, next("{'hour':7}").get(Calendar.HOUR_OF_DAY));
    assertTrue(alarmTime() <= System.currentTimeMillis() + 25 * HOUR_MS);
    assertEquals(1, next("{'month':2}").get(Calendar.DAY_OF_MONTH));
    assertEquals(2, next("{'weekOfMonth':2}").get(Calendar.WEEK_OF_MONTH));
    assertEquals(29, next("{'month':2,'day':29}").get(Calendar.DAY_OF_MONTH));
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':{'month':2,'day':30}}}"));
    assertEquals(0, alarms().size());
  }

  @Test
  public void cordovaHearsOfClicksAndActions() throws Exception {
    call(CORDOVA, "actions", 0, "G", new JSONArray("[{\"id\":\"YES\",\"title\":\"Yes\"},{\"id\":\"R\",\"type\":\"input\",\"launch\":true}]"));
    assertEquals(true, call(CORDOVA, "actions", 2, "G"));
    call(CORDOVA, "schedule", json("{'id':1,'title':'A','data':'{\\'a\\':1}','actions':'G'}"));
    assertEquals(0, events().size());
    Notification shown = shown(1);
    assertEquals("Yes", shown.actions[0].title.toString());
    assertTrue(shadowOf(shown.actions[0].actionIntent).isBroadcast());
    assertTrue(shadowOf(shown.actions[0].actionIntent).isImmutable());
    assertTrue(shadowOf(shown.actions[1].actionIntent).isActivity());
    assertEquals(1, shown.actions[1].getRemoteInputs().length);
    // Events wait until the page is ready.
    send(shown.contentIntent);
    assertNull(shown(1));
    assertEquals(0, events().size());
    assertEquals("click", callForObject(CORDOVA, "launch").getString("action"));
    assertEquals(JSONObject.NULL, call(CORDOVA, "launch"));
    call(CORDOVA, "ready");
    assertEquals(List.of("add", "trigger", "click"), events());
    assertEquals(true, lastEvent().getJSONObject(2).getBoolean("queued"));
    assertEquals("{\"a\":1}", lastEvent().getJSONObject(1).getString("data"));

    call(CORDOVA, "schedule", json("{'id':1,'actions':'G'}"));
    send(shown(1).actions[0].actionIntent);
    assertEquals("YES", lastEvent().getJSONObject(2).getString("event"));
    assertEquals(true, lastEvent().getJSONObject(2).getBoolean("foreground"));
    assertNull(shown(1));

    call(CORDOVA, "schedule", json("{'id':1,'actions':'G','androidOngoing':true}"));
    Notification.Action reply = shown(1).actions[1];
    Intent typed = new Intent(shadowOf(reply.actionIntent).getSavedIntent());
    android.os.Bundle results = new android.os.Bundle();
    results.putCharSequence(reply.getRemoteInputs()[0].getResultKey(), "hello");
    android.app.RemoteInput.addResultsToIntent(reply.getRemoteInputs(), typed, results);
    controller.newIntent(typed);
    assertEquals("hello", lastEvent().getJSONObject(2).getString("text"));
    assertNotNull(shown(1));
    call(CORDOVA, "actions", 1, "G");
    assertEquals(false, call(CORDOVA, "actions", 2, "G"));

    call(CORDOVA, "schedule", json("{'id':5}"));
    Intent removed = shadowOf(shown(5).deleteIntent).getSavedIntent();
    manager.cancel(5);
    new LocalNotifications.Alarms().onReceive(activity, removed);
    assertEquals("clear", lastEvent().getJSONObject(2).getString("event"));
    call(CORDOVA, "clearAll");
    assertEquals("clearall", lastEvent().getJSONObject(1).getString("event"));
  }

  /** Tests the interface that older apps use. */
  @Test
  public void cordovaHasTheOldInterface() throws Exception {
    assertEquals(true, call(CORDOVA, "check"));
    assertEquals(true, call(CORDOVA, "request"));
    call(CORDOVA, "actions", json("{'actionGroupId':'G','actions':[{'id':'a','title':'A'}]}"));
    call(
        CORDOVA,
        "schedule",
        json(
            "{'id':0,'title':'T','text':[{'message':'a'},{'message':'b'}],'actions':[],'actionGroupId':'G','summary':null,'icon':null,"
                + "'sticky':true,'sound':false,'badge':2,'progressBar':false,'trigger':{'type':'calendar'},'channel':'old'}"),
        json("{'id':1,'text':'x','trigger':{'type':'calendar','in':1,'unit':'hour'}}"));
    assertEquals(1, shown(0).actions.length);
    assertEquals(2, shown(0).extras.getParcelableArray(Notification.EXTRA_MESSAGES).length);
    assertEquals(2, shown(0).number);
    assertTrue((shown(0).flags & Notification.FLAG_ONGOING_EVENT) != 0);
    assertNull(shown(0).getLargeIcon());
    assertEquals("[1]", call(CORDOVA, "scheduledIds").toString());
    assertEquals("[0]", call(CORDOVA, "triggeredIds").toString());
    assertEquals(2, ((JSONArray) call(CORDOVA, "ids")).length());
    assertEquals(2, ((JSONArray) call(CORDOVA, "notifications")).length());
    assertEquals("x", ((JSONArray) call(CORDOVA, "notifications", 1)).getJSONObject(0).getString("text"));
    assertEquals(1, ((JSONArray) call(CORDOVA, "scheduledNotifications")).length());
    assertEquals("T", ((JSONArray) call(CORDOVA, "triggeredNotifications")).getJSONObject(0).getString("title"));
    send(shown(0).contentIntent);
    assertNotNull(shown(0));
  }

  /** The JavaScript of 2015 and 2016, which uses seconds. */
  @Test
  public void cordovaHasTheFirstInterface() throws Exception {
    assertEquals(JSONObject.NULL, call(CORDOVA, "deviceready"));
    assertEquals(true, call(CORDOVA, "hasPermission"));
    assertEquals(true, call(CORDOVA, "registerPermission"));
    long now = System.currentTimeMillis() / 1000;
    call(CORDOVA, "schedule", json("{'id':0,'title':'T','text':'now','at':" + now + ",'data':'{}','badge':0,'sound':'res://platform_default'}"));
    assertEquals("now", shown(0).extras.getString(Notification.EXTRA_TEXT));
    assertEquals(0, alarms().size());
    JSONArray told = answers("call");
    for (int index = 0; index < told.length(); index++) {
      JSONObject event = told.getJSONArray(index).getJSONObject(2);
      assertEquals(FIRE, event.getString("path"));
      assertEquals(index == 0 ? "schedule" : "trigger", event.getJSONArray("args").getString(0));
      assertEquals("T", event.getJSONArray("args").getJSONObject(1).getString("title"));
      assertEquals("foreground", event.getJSONArray("args").getString(2));
    }
    assertEquals(2, told.length());
    call(CORDOVA, "schedule", json("{'id':5,'text':'later','at':" + (now + 3600) + "}"));
    assertEquals((now + 3600) * 1000, alarmTime());
    assertEquals(true, call(CORDOVA, "isPresent"));
    assertEquals(true, call(CORDOVA, "isPresent", 5));
    assertEquals(true, call(CORDOVA, "isScheduled", 5));
    assertEquals(false, call(CORDOVA, "isTriggered", 5));
    assertEquals(true, call(CORDOVA, "isTriggered"));
    assertEquals(false, call(CORDOVA, "isPresent", 6));
    assertEquals(2, ((JSONArray) call(CORDOVA, "getAllIds")).length());
    assertEquals("[5]", call(CORDOVA, "getScheduledIds").toString());
    assertEquals("[0]", call(CORDOVA, "getTriggeredIds").toString());
    assertEquals(2, ((JSONArray) call(CORDOVA, "getAll")).length());
    assertEquals(now + 3600, ((JSONArray) call(CORDOVA, "getAll", 5)).getJSONObject(0).getLong("at"));
    assertEquals("later", ((JSONArray) call(CORDOVA, "getScheduled")).getJSONObject(0).getString("text"));
    assertEquals("now", ((JSONArray) call(CORDOVA, "getTriggered")).getJSONObject(0).getString("text"));
    assertEquals("later", ((JSONObject) call(CORDOVA, "getSingle", 5)).getString("text"));
    assertEquals("now", ((JSONObject) call(CORDOVA, "getSingleTriggered")).getString("text"));
    assertEquals(JSONObject.NULL, call(CORDOVA, "getSingleScheduled"));
    call(CORDOVA, "cancel", 5);
    call(CORDOVA, "schedule", json("{'id':6,'text':'often','every':'hour','at':" + now + "}"));
    assertTrue(Math.abs(alarmTime() - now * 1000) < 60000);
    ring();
    assertTrue(Math.abs(alarmTime() - now * 1000 - HOUR_MS) < 60000);
    call(CORDOVA, "cancelAll");
    assertEquals("[]", call(CORDOVA, "getAllIds").toString());
  }

  /** Other apps can start the activity, and the system can repeat the intent that started it. */
  @Test
  public void intentsOfOtherAppsAreNothing() throws Exception {
    call(CORDOVA, "ready");
    call(CORDOVA, "schedule", json("{'id':1}"));
    int events = events().size();
    Intent own = shadowOf(shown(1).contentIntent).getSavedIntent();
    String guessed = own.getDataString().replaceFirst("//[^/]+/", "//guess/");
    for (String data : new String[] {guessed, "notification://x/1", "notification:1/click", "notification://x/99999999999/click", "x:y"}) {
      controller.newIntent(new Intent(own).setData(android.net.Uri.parse(data)));
    }
    controller.newIntent(new Intent(own.getAction()));
    controller.newIntent(new Intent(own).addFlags(Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY));
    assertEquals(events, events().size());
    controller.newIntent(own);
    assertEquals(events + 1, events().size());
  }

  @Test
  public void cordovaHasChannelsAndSettings() throws Exception {
    call(
        CORDOVA,
        "createChannel",
        json("{'androidChannelId':'c','androidChannelName':'C','androidChannelImportance':4,'androidChannelSoundUsage':5}"));
    if (Build.VERSION.SDK_INT >= 26) {
      assertEquals(4, manager.getNotificationChannel("c").getImportance());
      assertNull(manager.getNotificationChannel("c").getSound());
    }
    call(CORDOVA, "deleteChannel", "c");
    if (Build.VERSION.SDK_INT >= 26) {
      assertNull(manager.getNotificationChannel("c"));
    }
    assertEquals(true, call(CORDOVA, "hasPermission"));
    assertEquals(true, call(CORDOVA, "canScheduleExactAlarms"));
    call(CORDOVA, "openNotificationSettings");
    assertEquals(
        Build.VERSION.SDK_INT < 26 ? Settings.ACTION_APPLICATION_DETAILS_SETTINGS : Settings.ACTION_APP_NOTIFICATION_SETTINGS,
        shadowOf(activity).getNextStartedActivity().getAction());
    call(CORDOVA, "openAlarmSettings");
    Intent alarms = shadowOf(activity).getNextStartedActivity();
    assertEquals(Build.VERSION.SDK_INT >= 31 ? Settings.ACTION_REQUEST_SCHEDULE_EXACT_ALARM : null, alarms == null ? null : alarms.getAction());
    int restrictions = (Integer) call(CORDOVA, "getUnusedAppRestrictionsStatus");
    assertTrue(Build.VERSION.SDK_INT < 30 ? restrictions == 1 : restrictions == 2 || restrictions >= 4);
    String id = send(CORDOVA, "openManageUnusedAppRestrictions");
    Intent settings = shadowOf(activity).getNextStartedActivityForResult().intent;
    shadowOf(activity).receiveResult(settings, 0, null);
    assertEquals(0, answers(id).getJSONArray(0).getInt(2));
    call(CORDOVA, "clearBadge");
    assertEquals("LocalNotification doesn't have the action nothing.", fail(CORDOVA, "nothing"));
  }

  @Test
  public void cordovaHearsOfRefusals() throws Exception {
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(POST);
    shown().setNotificationsEnabled(false);
    String id = send(CORDOVA, "requestPermission");
    if (Build.VERSION.SDK_INT >= 33) {
      assertEquals(0, answers(id).length());
      activity.onRequestPermissionsResult(2, new String[] {POST}, new int[] {PackageManager.PERMISSION_DENIED});
    }
    assertEquals(false, answers(id).getJSONArray(0).getBoolean(2));
    assertEquals(false, call(CORDOVA, "hasPermission"));
  }

  @Test
  public void cordovaFallsBackToRoughAlarms() throws Exception {
    ShadowAlarmManager.setCanScheduleExactAlarms(false);
    assertEquals(Build.VERSION.SDK_INT < 31, call(CORDOVA, "canScheduleExactAlarms"));
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'in':1,'unit':'hour'}}"));
    assertEquals(Build.VERSION.SDK_INT < 31, isExact());
    assertFalse(alarms().get(0).isAllowWhileIdle());
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'in':1,'unit':'hour'},'androidAllowWhileIdle':true}"));
    assertEquals(Build.VERSION.SDK_INT < 31, isExact());
    assertTrue(alarms().get(0).isAllowWhileIdle());
    ShadowAlarmManager.setCanScheduleExactAlarms(true);
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'in':1,'unit':'hour'},'androidAllowWhileIdle':true}"));
    assertTrue(isExact());
  }

  /** Reports whether Android must trigger the only alarm at the exact time. */
  private boolean isExact() {
    assertEquals(1, alarms().size());
    return alarms().get(0).getWindowLengthMs() == 0;
  }

  @Test
  public void alarmsComeBackAfterBoot() throws Exception {
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'in':1,'unit':'hour'}}"));
    long time = alarmTime();
    ((AlarmManager) activity.getSystemService(Context.ALARM_SERVICE)).cancel(alarms().get(0).operation);
    assertEquals(0, alarms().size());
    new LocalNotifications.Alarms().onReceive(activity, new Intent(Intent.ACTION_BOOT_COMPLETED));
    assertEquals(time, alarmTime());
    close();
    open();
    assertEquals("scheduled", call(CORDOVA, "type", 1));
    assertEquals("[1]", call(CORDOVA, "ids", 1).toString());
  }

  @Test
  public void capacitorSchedules() throws Exception {
    JSONObject result = callForObject(CAPACITOR, "schedule", capacitor("{'id':1,'title':'T','body':'B','extra':{'a':1},'largeBody':'big'}"));
    assertEquals(1, result.getJSONArray("notifications").getJSONObject(0).getInt("id"));
    assertEquals("T", shown(1).extras.getString(Notification.EXTRA_TITLE));
    assertEquals("big", shown(1).extras.getCharSequence(Notification.EXTRA_BIG_TEXT).toString());
    JSONObject delivered = callForObject(CAPACITOR, "getDeliveredNotifications").getJSONArray("notifications").getJSONObject(0);
    assertEquals("B", delivered.getString("body"));
    assertEquals(1, delivered.getInt("id"));
    assertEquals(1, callForObject(CAPACITOR, "getAll", json("{'state':'TRIGGERED'}")).getJSONArray("notifications").length());
    call(CAPACITOR, "removeDeliveredNotifications", capacitor("{'id':1}"));
    assertNull(shown(1));

    String at = new java.text.SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").format(new Date(System.currentTimeMillis() + HOUR_MS));
    java.text.SimpleDateFormat utc = new java.text.SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
    utc.setTimeZone(java.util.TimeZone.getTimeZone("UTC"));
    long time = System.currentTimeMillis() + HOUR_MS;
    at = utc.format(new Date(time));
    call(CAPACITOR, "schedule", capacitor("{'id':2,'title':'T','body':'B','schedule':{'at':'" + at + "','allowWhileIdle':true}}"));
    assertEquals(time, alarmTime());
    assertEquals(2, callForObject(CAPACITOR, "getPending").getJSONArray("notifications").getJSONObject(0).getInt("id"));
    assertEquals(1, callForObject(CAPACITOR, "getByIds", json("{'ids':[2,3]}")).getJSONArray("notifications").length());
    assertEquals(1, callForObject(CAPACITOR, "getAll", json("{'state':'SCHEDULED'}")).getJSONArray("notifications").length());
    assertEquals(0, callForObject(CAPACITOR, "update", capacitor("{'id':9,'title':'T','body':'B'}")).getJSONArray("notifications").length());
    call(CAPACITOR, "update", capacitor("{'id':2,'title':'U','body':'B','schedule':{'every':'hour'}}"));
    assertEquals(System.currentTimeMillis() + HOUR_MS, alarmTime(), 10000.0);
    call(CAPACITOR, "cancel", capacitor("{'id':2}"));
    assertEquals(0, alarms().size());

    for (String every : "year month two-weeks week day hour minute second".split(" ")) {
      long before = System.currentTimeMillis();
      call(CAPACITOR, "schedule", capacitor("{'id':3,'title':'T','body':'B','schedule':{'every':'" + every + "','count':1}}"));
      assertTrue(every, alarmTime() > before);
    }
    ring();
    assertEquals(0, alarms().size());
    call(CAPACITOR, "schedule", capacitor("{'id':3,'title':'T','body':'B','schedule':{'on':{'weekday':1,'hour':8,'minute':30}}}"));
    Calendar sunday = Calendar.getInstance();
    sunday.setTimeInMillis(alarmTime());
    assertEquals(Calendar.SUNDAY, sunday.get(Calendar.DAY_OF_WEEK));
    assertEquals(30, sunday.get(Calendar.MINUTE));
    call(CAPACITOR, "schedule", capacitor("{'id':3,'title':'T','body':'B','schedule':{'at':'" + at + "','repeats':true}}"));
    ring();
    assertEquals(1, alarms().size());
    call(CAPACITOR, "cancelAll");
    assertEquals(0, alarms().size());
    call(CAPACITOR, "schedule", capacitor("{'id':4,'title':'T','body':'B'}"));
    call(CAPACITOR, "removeDeliveredNotificationsById", json("{'ids':[4]}"));
    call(CAPACITOR, "removeAllDeliveredNotifications");
    assertEquals(0, shown().size());
  }

  @Test
  public void capacitorHearsEventsOnceItListens() throws Exception {
    call(CAPACITOR, "registerActionTypes", json("{'types':[{'id':'X','actions':[{'id':'a','title':'A'},{'id':'i','title':'I','input':true}]}]}"));
    call(CAPACITOR, "schedule", capacitor("{'id':1,'title':'T','body':'B','actionTypeId':'X','extra':{'k':'v'}}"));
    assertEquals(2, shown(1).actions.length);
    assertTrue(shadowOf(shown(1).actions[0].actionIntent).isActivity());
    send(shown(1).contentIntent);
    String received = send(CAPACITOR, "addListener", json("{'eventName':'localNotificationReceived'}"));
    assertEquals("T", answers(received).getJSONArray(0).getJSONObject(2).getString("title"));
    String performed = send(CAPACITOR, "addListener", json("{'eventName':'localNotificationActionPerformed'}"));
    JSONObject tap = answers(performed).getJSONArray(0).getJSONObject(2);
    assertEquals("tap", tap.getString("actionId"));
    assertEquals("v", tap.getJSONObject("notification").getJSONObject("extra").getString("k"));
    call(CAPACITOR, "schedule", capacitor("{'id':1,'title':'T','body':'B','actionTypeId':'X'}"));
    send(shown(1).actions[0].actionIntent);
    assertEquals("a", answers(performed).getJSONArray(1).getJSONObject(2).getString("actionId"));
    assertNull(shown(1));
  }

  /** The notification starts the app. */
  @Test
  public void capacitorHearsOfAColdStart() throws Exception {
    call(CAPACITOR, "schedule", capacitor("{'id':1,'title':'T','body':'B'}"));
    Intent intent = shadowOf(shown(1).contentIntent).getSavedIntent();
    close();
    start(Robolectric.buildActivity(MainActivity.class, intent).setup());
    String performed = send(CAPACITOR, "addListener", json("{'eventName':'localNotificationActionPerformed'}"));
    assertEquals("tap", answers(performed).getJSONArray(0).getJSONObject(2).getString("actionId"));
  }

  private String code(String action, JSONObject options) throws Exception {
    return ((JSONObject) fail(CAPACITOR, action, options)).getString("code").replace("OS-PLUG-LNOT-", "");
  }

  @Test
  public void capacitorHearsCodes() throws Exception {
    assertEquals("0001", code("schedule", new JSONObject()));
    assertEquals("0001", code("cancel", new JSONObject()));
    assertEquals("0002", code("schedule", capacitor("{'title':'T'}")));
    assertEquals("0006", code("schedule", capacitor("{'id':1,'iconColor':'red'}")));
    assertEquals("0007", code("schedule", capacitor("1")));
    assertEquals("0008", code("schedule", capacitor("{'id':1,'schedule':{'at':'soon'}}")));
    assertEquals("0009", code("schedule", capacitor("{'id':99999999999}")));
    assertEquals("0011", code("removeDeliveredNotifications", capacitor("1")));
    assertEquals("0012", code("getByIds", new JSONObject()));
    assertEquals("0012", code("removeDeliveredNotificationsById", new JSONObject()));
    assertEquals("0015", code("createChannel", new JSONObject()));
    assertEquals("0016", code("createChannel", json("{'id':'c'}")));
    assertEquals("0015", code("deleteChannel", new JSONObject()));
    assertEquals("Capacitor.LocalNotifications doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
    shown().setNotificationsEnabled(false);
    assertEquals(false, callForObject(CAPACITOR, "areEnabled").getBoolean("value"));
    assertEquals("0005", code("schedule", capacitor("{'id':1}")));
  }

  @Test
  public void capacitorHasChannelsAndPermissions() throws Exception {
    call(
        CAPACITOR,
        "createChannel",
        json("{'id':'c','name':'C','description':'D','importance':5,'visibility':1,'lights':true,'lightColor':'#ff0000'}"));
    JSONArray channels = callForObject(CAPACITOR, "listChannels").getJSONArray("channels");
    if (Build.VERSION.SDK_INT >= 26) {
      assertEquals("C", channels.getJSONObject(0).getString("name"));
      assertEquals("#FFFF0000", channels.getJSONObject(0).getString("lightColor"));
    }
    call(CAPACITOR, "deleteChannel", json("{'id':'c'}"));
    assertEquals(0, callForObject(CAPACITOR, "listChannels").getJSONArray("channels").length());
    assertEquals("granted", callForObject(CAPACITOR, "checkPermissions").getString("display"));
    assertEquals("granted", callForObject(CAPACITOR, "requestPermissions").getString("display"));
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(POST);
    shown().setNotificationsEnabled(false);
    assertFalse(callForObject(CAPACITOR, "checkPermissions").getString("display").equals("granted"));
  }

  @Test
  public void capacitorAsksForExactAlarms() throws Exception {
    assertEquals("granted", callForObject(CAPACITOR, "checkExactNotificationSetting").getString("exact_alarm"));
    if (Build.VERSION.SDK_INT < 31) {
      assertEquals("granted", callForObject(CAPACITOR, "changeExactNotificationSetting").getString("exact_alarm"));
      return;
    }
    ShadowAlarmManager.setCanScheduleExactAlarms(false);
    String change = send(CAPACITOR, "changeExactNotificationSetting", new JSONObject());
    Intent settings = shadowOf(activity).getNextStartedActivityForResult().intent;
    assertEquals("package:" + activity.getPackageName(), settings.getDataString());
    shadowOf(activity).receiveResult(settings, 0, null);
    assertEquals("denied", answers(change).getJSONArray(0).getJSONObject(2).getString("exact_alarm"));
    String later = "'title':'T','body':'B','schedule':{'every':'hour'}";
    JSONObject result = callForObject(CAPACITOR, "schedule", capacitor("{'id':1," + later + "}"));
    assertEquals("OS-PLUG-LNOT-0017", result.getJSONObject("warning").getString("code"));
    assertEquals(1, alarms().size());
    String mandatory = send(CAPACITOR, "schedule", capacitor("{'id':2,'isExactMandatory':true," + later + "}"));
    settings = shadowOf(activity).getNextStartedActivityForResult().intent;
    shadowOf(activity).receiveResult(settings, 0, null);
    assertEquals("OS-PLUG-LNOT-0018", answers(mandatory).getJSONArray(0).getJSONObject(2).getString("code"));
    assertEquals(1, alarms().size());
  }

  @Test
  public void badgesAreKept() throws Exception {
    assertEquals(false, call("Badge", "check"));
    assertEquals(5, call("Badge", "set", 5));
    assertEquals(5, call("Badge", "get"));
    assertEquals(0, call("Badge", "clear"));
    assertEquals(0, call("Badge", "get"));
    call("Badge", "save", json("{'autoClear':true}"));
    assertEquals(true, callForObject("Badge", "load").getBoolean("autoClear"));
    assertEquals("Badge doesn't have the action nothing.", fail("Badge", "nothing"));
  }

  /**
   * A notification that repeats every second would have been shown a hundred million times by now.
   */
  @Test
  public void repeatsOfLongAgoTakeNoTime() throws Exception {
    long before = System.nanoTime();
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':'second','firstAt':1577836800000}}"));
    assertTrue(System.nanoTime() - before < 1000000000L);
    assertEquals(System.currentTimeMillis(), alarmTime(), 2000.0);
    assertEquals(0, alarmTime() % 1000);
  }

  /** The user takes a while to grant the permission, or the page to make the call. */
  @Test
  public void whatHasJustPassedShows() throws Exception {
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'at':" + (System.currentTimeMillis() - 2000) + "}}"));
    ring();
    assertNotNull(shown(1));
    assertEquals(0, alarms().size());
    call(CORDOVA, "schedule", json("{'id':2,'trigger':{'at':" + (System.currentTimeMillis() - 20000) + "}}"));
    assertEquals(0, alarms().size());
  }

  /** The user travels to another time zone, where nine o'clock is another time. */
  @Test
  public void timesOfADayFollowTheZone() throws Exception {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
      call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':{'hour':9,'minute':30}}}"));
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      new LocalNotifications.Alarms().onReceive(activity, new Intent(Intent.ACTION_TIMEZONE_CHANGED));
      Calendar time = Calendar.getInstance();
      time.setTimeInMillis(alarmTime());
      assertEquals(9, time.get(Calendar.HOUR_OF_DAY));
      assertEquals(30, time.get(Calendar.MINUTE));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** The phone was off when the notification was due. */
  @Test
  public void whatWasMissedShowsAfterBoot() throws Exception {
    call(CORDOVA, "schedule", json("{'id':1,'trigger':{'every':'minute'}}"));
    long time = alarmTime();
    android.os.SystemClock.setCurrentTimeMillis(time + 10 * HOUR_MS);
    new LocalNotifications.Alarms().onReceive(activity, new Intent(Intent.ACTION_BOOT_COMPLETED));
    assertEquals(time, alarmTime());
  }

  /** A page without a listener collects no events, and the app runs for weeks. */
  @Test
  public void theLastEventsWait() throws Exception {
    call(CAPACITOR, "schedule", capacitor("{'id':1,'title':'T','body':'B','schedule':{'every':'hour'}}"));
    for (int count = 0; count < 150; count++) {
      ring();
    }
    call(CAPACITOR, "schedule", capacitor("{'id':2,'title':'Last','body':'B'}"));
    String received = send(CAPACITOR, "addListener", json("{'eventName':'localNotificationReceived'}"));
    JSONArray events = answers(received);
    assertEquals(100, events.length());
    assertEquals("Last", events.getJSONArray(99).getJSONObject(2).getString("title"));
  }
}
