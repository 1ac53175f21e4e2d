package appbuild.shell;

import android.Manifest;
import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.RemoteInput;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.PackageManager;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Color;
import android.media.AudioAttributes;
import android.media.RingtoneManager;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.PowerManager;
import android.provider.Settings;
import android.service.notification.StatusBarNotification;
import android.util.Log;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-local-notification and @capacitor/local-notifications. */
final class LocalNotifications extends Plugin {
  private static final String NAME = "LocalNotifications";
  private static final String STORE = "appbuild.notifications";
  /** Prefix of Capacitor's error numbers. */
  private static final String CODES = "OS-PLUG-LNOT-";
  /** Prefix of the names of action groups in the store. Notifications are stored under their IDs. */
  private static final String ACTIONS = "actions:";
  /** Android limits the number of an app's alarms. */
  private static final int MAX_SCHEDULED = 500;
  private static final int MAX_QUEUED = 100;
  private static final int MAX_IMAGE_BYTES = 8 << 20;
  /** Maximum width and height of a picture, in pixels. A notification with a larger picture can exceed Android's size limit. */
  private static final int MAX_IMAGE_SIDE = 800;
  /** Action of the activity's intents. */
  private static final String OPEN = "appbuild.shell.NOTIFICATION";
  /**
   * Actions of the receiver's intents: an alarm is due, the user removed a notification, or the user chose an action that doesn't open the
   * app.
   */
  private static final String SHOW = "show";
  private static final String CLEAR = "clear";
  private static final String PERFORM = "perform";
  /** Key of the text that the user typed. */
  private static final String INPUT = "input";
  private static final String CLICK = "click";
  /** Event functions of Cordova's page, in the first versions and in the current one. */
  private static final String FIRE = "cordova.plugins.notification.local.core.fireEvent cordova.plugins.notification.local.fireEvent";

  /** The plugin of the current activity. Null if no activity exists. */
  private static LocalNotifications live;
  /** Events that wait until Cordova's page is ready. */
  private static final List<Object[]> QUEUE = new ArrayList<>();
  /** The notification that started the app. Null for none, and after the page has asked for it. */
  private static JSONObject launch;

  /** Names of Capacitor's options, each followed by Cordova's. */
  private static final String CAPACITOR_NAMES =
      "body text summaryText androidSummary group androidGroup groupSummary androidGroupSummary ongoing androidOngoing smallIcon androidSmallIcon "
          + "largeIcon androidLargeIcon iconColor androidColor badge badgeNumber actionTypeId actions largeBody big inboxList lines "
          + "channelId androidChannelId autoCancel androidAutoCancel";
  /** Names in Cordova's plugin before version 1.1, each followed by the current name. */
  private static final String OLD_NAMES =
      "autoClear androidAutoCancel badge badgeNumber channel androidChannelId clock androidShowWhen color androidColor defaults androidDefaults "
          + "group androidGroup groupSummary androidGroupSummary icon androidLargeIcon lockscreen androidLockscreen progressBar androidProgressBar "
          + "smallIcon androidSmallIcon sticky androidOngoing summary androidSummary timeoutAfter androidTimeoutAfter "
          + "vibrate androidChannelEnableVibration wakeup androidWakeUpScreen";

  private boolean isRestored;
  /** Whether the page has the JavaScript of a version before 1.0. */
  private boolean isOld;
  /** Whether that version is 0.8, of 2015. */
  private boolean isFirst;
  private boolean isReady;
  private boolean isResumed;

  @Override
  String[] services() {
    return new String[] {"LocalNotification", "Capacitor." + NAME};
  }

  /** Returns the permission to notify. Android has it only since version 13. On earlier versions, {@link #call} answers. */
  @Override
  Map<String, String[]> permissions() {
    return Build.VERSION.SDK_INT < 33
        ? Collections.<String, String[]>emptyMap()
        : Collections.singletonMap("display", new String[] {Manifest.permission.POST_NOTIFICATIONS});
  }

  @Override
  void call(Call call) throws Exception {
    if (!call.isCapacitor()) {
      callCordova(call);
      return;
    }
    try {
      callCapacitor(call);
    } catch (Refusal refusal) {
      call.fail(refusal.reason);
    }
  }

  private void callCordova(Call call) throws Exception {
    JSONArray args = call.args;
    switch (call.action) {
      case "launch":
        call.succeed(launch);
        launch = null;
        return;
      case "deviceready":
      case "ready":
        isReady = true;
        isFirst = call.action.equals("deviceready");
        isOld |= isFirst;
        call.succeed(null);
        for (Object[] event : QUEUE) {
          tell(event);
        }
        QUEUE.clear();
        return;
      case "check":
      case "hasPermission":
        call.succeed(areEnabled());
        return;
      case "registerPermission":
      case "request":
      case "requestPermission":
        isOld = !call.action.equals("requestPermission");
        requestPermission(call);
        return;
      case "canScheduleExactAlarms":
        call.succeed(canBeExact(activity));
        return;
      case "schedule":
        requireRoom(args);
        for (int index = 0; index < args.length(); index++) {
          Notice notice = new Notice(activity, withTrigger(args.getJSONObject(index)), false);
          fire("add", notice, new JSONObject());
          notice.start();
        }
        call.succeed(areEnabled());
        return;
      case "update":
        for (int index = 0; index < args.length(); index++) {
          Notice notice = Notice.read(activity, args.getJSONObject(index).optInt("id", 1));
          if (notice != null) {
            notice.update(args.getJSONObject(index));
            fire("update", notice, new JSONObject());
          }
        }
        call.succeed(areEnabled());
        return;
      case "clear":
      case "cancel":
        for (int index = 0; index < args.length(); index++) {
          Notice notice = Notice.read(activity, args.optInt(index));
          if (notice != null) {
            remove(notice, call.action.equals("cancel"));
            fire(call.action, notice, new JSONObject());
          }
        }
        call.succeed(null);
        return;
      case "clearAll":
      case "cancelAll":
        for (Notice notice : Notice.all(activity)) {
          remove(notice, call.action.equals("cancelAll"));
        }
        manager(activity).cancelAll();
        fire(call.action.toLowerCase(Locale.ROOT), null, new JSONObject());
        call.succeed(null);
        return;
      case "type":
        Notice asked = Notice.read(activity, args.optInt(0));
        call.succeed(asked == null ? "unknown" : shown(activity).contains(asked.id) ? "triggered" : asked.next() > 0 ? "scheduled" : "unknown");
        return;
      case "isPresent":
      case "isScheduled":
      case "isTriggered":
        call.succeed(withIds(ofState(stateOf(call)), idIn(args)).length() > 0);
        return;
      case "ids":
      case "scheduledIds":
      case "triggeredIds":
      case "getAllIds":
      case "getScheduledIds":
      case "getTriggeredIds":
        JSONArray ids = new JSONArray();
        for (Notice notice : ofState(stateOf(call))) {
          ids.put(notice.id);
        }
        call.succeed(ids);
        return;
      case "notification":
        Notice found = Notice.read(activity, args.optInt(0));
        call.succeed(found == null ? null : found.options);
        return;
      case "getSingle":
      case "getSingleScheduled":
      case "getSingleTriggered":
        call.succeed(withIds(ofState(stateOf(call)), idIn(args)).opt(0));
        return;
      case "notifications":
      case "scheduledNotifications":
      case "triggeredNotifications":
      case "getAll":
      case "getScheduled":
      case "getTriggered":
        List<Notice> notices = ofState(stateOf(call));
        JSONArray wanted = isOld ? args : args.optJSONArray(1);
        call.succeed(wanted == null || wanted.length() == 0 ? optionsOf(notices) : withIds(notices, wanted));
        return;
      case "actions":
        changeActions(call);
        return;
      case "createChannel":
        createChannel(activity, args.getJSONObject(0));
        call.succeed(null);
        return;
      case "deleteChannel":
        deleteChannel(args.getString(0));
        call.succeed(null);
        return;
      case "openNotificationSettings":
        activity.startActivity(
            Build.VERSION.SDK_INT < 26
                ? ofApp(Settings.ACTION_APPLICATION_DETAILS_SETTINGS)
                : new Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS).putExtra(Settings.EXTRA_APP_PACKAGE, activity.getPackageName()));
        call.succeed(null);
        return;
      case "openAlarmSettings":
        if (Build.VERSION.SDK_INT >= 31) {
          activity.startActivity(ofApp(Settings.ACTION_REQUEST_SCHEDULE_EXACT_ALARM));
        }
        call.succeed(null);
        return;
      case "getUnusedAppRestrictionsStatus":
        call.succeed(unusedAppRestrictions());
        return;
      case "openManageUnusedAppRestrictions":
        bridge.start(
            call,
            null,
            ofApp(Build.VERSION.SDK_INT == 30 ? Intent.ACTION_AUTO_REVOKE_PERMISSIONS : Settings.ACTION_APPLICATION_DETAILS_SETTINGS));
        return;
      case "clearBadge":
        call.succeed(null);
        return;
      default:
        throw unknown(call);
    }
  }

  private void callCapacitor(final Call call) throws Exception {
    JSONObject options = call.options();
    switch (call.action) {
      case "checkPermissions":
      case "requestPermissions":
        call.succeed(new JSONObject().put("display", areEnabled() ? "granted" : "denied"));
        return;
      case "areEnabled":
        call.succeed(new JSONObject().put("value", areEnabled()));
        return;
      case "schedule":
      case "update":
        require(options.optJSONArray("notifications") != null, "0001", "Must provide a notifications array as the notifications option.");
        bridge.ask(
            wanted(),
            wanted().length,
            new Questions.Listener() {
              @Override
              public void onAnswer(boolean isGranted) {
                try {
                  require(areEnabled(), "0005", "Notifications are not enabled on this device.");
                  scheduleCapacitor(call, false);
                } catch (Refusal refusal) {
                  call.fail(refusal.reason);
                } catch (JSONException | RuntimeException error) {
                  call.fail(String.valueOf(error.getMessage()));
                }
              }
            });
        return;
      case "getPending":
        call.succeed(notifications(optionsOf(ofState(1))));
        return;
      case "getAll":
        String state = options.optString("state");
        call.succeed(notifications(optionsOf(ofState(state.equals("SCHEDULED") ? 1 : state.equals("TRIGGERED") ? 2 : 0))));
        return;
      case "getByIds":
        call.succeed(notifications(withIds(Notice.all(activity), idsOf(options))));
        return;
      case "getDeliveredNotifications":
        call.succeed(notifications(delivered()));
        return;
      case "cancel":
      case "removeDeliveredNotifications":
        JSONArray given = options.optJSONArray("notifications");
        require(given != null, "0001", "Must provide a notifications array as the notifications option.");
        JSONArray ids = new JSONArray();
        for (int index = 0; index < given.length(); index++) {
          require(given.optJSONObject(index) != null, "0011", "Expected notifications to be a list of notification objects.");
          ids.put(given.getJSONObject(index).optInt("id"));
        }
        removeAll(call, ids, call.action.equals("cancel"));
        return;
      case "removeDeliveredNotificationsById":
        removeAll(call, idsOf(options), false);
        return;
      case "cancelAll":
        for (Notice notice : ofState(1)) {
          remove(notice, true);
        }
        call.succeed(null);
        return;
      case "removeAllDeliveredNotifications":
        for (Notice notice : ofState(2)) {
          remove(notice, false);
        }
        manager(activity).cancelAll();
        call.succeed(null);
        return;
      case "registerActionTypes":
        JSONArray types = options.getJSONArray("types");
        SharedPreferences.Editor editor = store(activity).edit();
        for (int index = 0; index < types.length(); index++) {
          JSONObject type = types.getJSONObject(index);
          JSONArray actions = type.optJSONArray("actions");
          editor.putString(ACTIONS + type.getString("id"), String.valueOf(actions == null ? new JSONArray() : actions));
        }
        editor.apply();
        call.succeed(null);
        return;
      case "createChannel":
        require(!options.optString("id").isEmpty(), "0015", "Channel is missing an identifier.");
        require(!options.optString("name").isEmpty(), "0016", "Channel is missing a name.");
        createChannel(activity, cordovaChannel(options));
        call.succeed(null);
        return;
      case "deleteChannel":
        require(!options.optString("id").isEmpty(), "0015", "Channel is missing an identifier.");
        deleteChannel(options.getString("id"));
        call.succeed(null);
        return;
      case "listChannels":
        call.succeed(new JSONObject().put("channels", channels()));
        return;
      case "checkExactNotificationSetting":
        call.succeed(exactState());
        return;
      case "changeExactNotificationSetting":
        if (Build.VERSION.SDK_INT < 31) {
          call.succeed(exactState());
        } else {
          bridge.start(call, null, ofApp(Settings.ACTION_REQUEST_SCHEDULE_EXACT_ALARM));
        }
        return;
      default:
        throw unknown(call);
    }
  }

  /** Continues a call after the user returns from the settings. */
  @Override
  void onResult(Call call, JSONObject state, int result, Intent data) throws Exception {
    if (call.action.equals("schedule")) {
      try {
        scheduleCapacitor(call, true);
      } catch (Refusal refusal) {
        call.fail(refusal.reason);
      }
    } else if (call.isCapacitor()) {
      call.succeed(exactState());
    } else {
      call.succeed(result);
    }
  }

  /** Schedules the notifications of Capacitor's page. @param isAsked whether the user has already seen the settings for exact alarms */
  private void scheduleCapacitor(Call call, boolean isAsked) throws JSONException, Refusal {
    JSONArray given = call.options().getJSONArray("notifications");
    boolean isUpdate = call.action.equals("update");
    boolean isInexact = false;
    for (int index = 0; index < given.length(); index++) {
      JSONObject options = given.optJSONObject(index);
      require(options != null, "0007", "Provided notification format is invalid.");
      check(options);
      boolean wantsExact = !isUpdate && options.optBoolean("isExactNotification", true) && !canBeExact(activity);
      isInexact |= wantsExact;
      if (wantsExact && options.optBoolean("isExactMandatory")) {
        require(!isAsked, "0018", "Unable to schedule an exact alarm due to lack of permissions.");
        bridge.start(call, null, ofApp(Settings.ACTION_REQUEST_SCHEDULE_EXACT_ALARM));
        return;
      }
    }
    requireRoom(given);
    JSONArray scheduled = new JSONArray();
    for (int index = 0; index < given.length(); index++) {
      JSONObject options = given.getJSONObject(index);
      Notice known = isUpdate ? Notice.read(activity, options.getInt("id")) : null;
      if (!isUpdate || known != null && known.next() > 0) {
        new Notice(activity, options, true).start();
        scheduled.put(new JSONObject().put("id", options.getInt("id")));
      }
    }
    JSONObject result = notifications(scheduled);
    if (isInexact) {
      result.put("warning", reason(CODES + "0017", "Unable to schedule an exact alarm due to lack of permissions. Scheduled as an inexact alarm instead."));
    }
    call.succeed(result);
  }

  private static void check(JSONObject options) throws Refusal {
    require(options.has("id"), "0002", "Notification is missing an identifier.");
    Object id = options.opt("id");
    require(id instanceof Integer, "0009", "The identifier must be a 32-bit integer.");
    JSONObject schedule = options.optJSONObject("schedule");
    require(schedule == null || !schedule.has("at") || timeOf(schedule.opt("at")) > 0, "0008", "Invalid date format sent to the plugin.");
    require(
        !options.has("iconColor") || colorOf(options.optString("iconColor")) != null,
        "0006",
        "Invalid color provided. Must be a hex string (e.g. #ff0000).");
  }

  private void requireRoom(JSONArray more) throws JSONException {
    if (more.length() + ofState(1).size() > MAX_SCHEDULED) {
      throw new JSONException("An app can't schedule more than " + MAX_SCHEDULED + " notifications.");
    }
  }

  /** An error in the format that Capacitor's pages expect. */
  private static final class Refusal extends Exception {
    final JSONObject reason;

    Refusal(JSONObject reason) {
      super(reason.optString("message"));
      this.reason = reason;
    }
  }

  private static void require(boolean isTrue, String code, String message) throws Refusal {
    if (!isTrue) {
      throw new Refusal(reason(CODES + code, message));
    }
  }

  private static JSONObject notifications(JSONArray notifications) throws JSONException {
    return new JSONObject().put("notifications", notifications);
  }

  private static JSONArray idsOf(JSONObject options) throws Refusal {
    JSONArray ids = options.optJSONArray("ids");
    require(ids != null, "0012", "Must provide an ids array.");
    return ids;
  }

  /** Returns the state in a call of Cordova's page, as in {@link #ofState}. Before version 1.0, every state has a separate action. */
  private int stateOf(Call call) {
    String action = call.action.toLowerCase(Locale.ROOT);
    return action.contains("scheduled") ? 1 : action.contains("triggered") ? 2 : isOld ? 0 : call.args.optInt(0);
  }

  /** Returns the ID in the arguments as a list. Version 0.8 omits an ID of 0. */
  private static JSONArray idIn(JSONArray args) {
    return new JSONArray().put(args.optInt(0));
  }

  /** Adds the trigger to options of version 0.8, which contain a time in seconds and an interval. */
  private static JSONObject withTrigger(JSONObject options) throws JSONException {
    long at = options.optLong("at") * 1000;
    if (at <= 0 || options.has("trigger")) {
      return options;
    }
    long now = System.currentTimeMillis();
    if (!options.isNull("every")) {
      // Starts after now. Otherwise, an interval that has already begun would fire only at its end.
      options.put("trigger", new JSONObject().put("every", options.get("every")).put("firstAt", Math.max(at, now + 1000)));
    } else if (at > now) {
      options.put("trigger", new JSONObject().put("at", at));
    }
    return options;
  }

  /** Returns the notifications in a state. @param state 0 for all, 1 for those with an alarm, 2 for the visible ones */
  private List<Notice> ofState(int state) {
    Set<Integer> shown = shown(activity);
    List<Notice> found = new ArrayList<>();
    for (Notice notice : Notice.all(activity)) {
      boolean isShown = shown.contains(notice.id);
      if (state == 1 ? notice.next() > 0 : state == 2 ? isShown : isShown || notice.next() > 0) {
        found.add(notice);
      }
    }
    return found;
  }

  private static JSONArray optionsOf(List<Notice> notices) {
    JSONArray all = new JSONArray();
    for (Notice notice : notices) {
      all.put(notice.options);
    }
    return all;
  }

  private static JSONArray withIds(List<Notice> notices, JSONArray ids) {
    Set<Integer> wanted = new HashSet<>();
    for (int index = 0; index < ids.length(); index++) {
      wanted.add(ids.optInt(index));
    }
    List<Notice> found = new ArrayList<>();
    for (Notice notice : notices) {
      if (wanted.contains(notice.id)) {
        found.add(notice);
      }
    }
    return optionsOf(found);
  }

  private void removeAll(Call call, JSONArray ids, boolean isCancel) {
    for (int index = 0; index < ids.length(); index++) {
      Notice notice = Notice.read(activity, ids.optInt(index));
      if (notice != null) {
        remove(notice, isCancel);
      }
    }
    call.succeed(null);
  }

  /** Removes a notification from the screen. @param isCancel whether to also end its alarms */
  private void remove(Notice notice, boolean isCancel) {
    manager(activity).cancel(notice.id);
    if (isCancel) {
      notice.cancel();
    } else {
      notice.forgetIfDone();
    }
  }

  private JSONArray delivered() throws JSONException {
    JSONArray delivered = new JSONArray();
    for (StatusBarNotification each : manager(activity).getActiveNotifications()) {
      Notification shown = each.getNotification();
      Notice notice = Notice.read(activity, each.getId());
      delivered.put(
          new JSONObject()
              .put("id", each.getId())
              .put("tag", each.getTag())
              .put("title", text(shown.extras.getCharSequence(Notification.EXTRA_TITLE)))
              .put("body", text(shown.extras.getCharSequence(Notification.EXTRA_TEXT)))
              .put("group", shown.getGroup())
              .put("groupSummary", (shown.flags & Notification.FLAG_GROUP_SUMMARY) != 0)
              .put("extra", notice == null ? null : notice.options.opt("extra")));
    }
    return delivered;
  }

  private static String text(CharSequence value) {
    return value == null ? "" : value.toString();
  }

  /** Changes Cordova's action groups: 0 adds a group, 1 removes it, 2 asks whether it exists. */
  private void changeActions(Call call) throws JSONException {
    JSONObject group = call.args.optJSONObject(0);
    if (group != null) {
      store(activity).edit().putString(ACTIONS + group.getString("actionGroupId"), group.getJSONArray("actions").toString()).apply();
      call.succeed(null);
      return;
    }
    String key = ACTIONS + call.args.getString(1);
    switch (call.args.getInt(0)) {
      case 0:
        store(activity).edit().putString(key, call.args.getJSONArray(2).toString()).apply();
        call.succeed(null);
        return;
      case 1:
        store(activity).edit().remove(key).apply();
        call.succeed(null);
        return;
      default:
        call.succeed(store(activity).contains(key));
    }
  }

  private boolean areEnabled() {
    return manager(activity).areNotificationsEnabled();
  }

  /** Returns the permissions to request. */
  private static String[] wanted() {
    return Build.VERSION.SDK_INT < 33 ? new String[0] : new String[] {Manifest.permission.POST_NOTIFICATIONS};
  }

  private void requestPermission(final Call call) {
    bridge.ask(
        wanted(),
        wanted().length,
        new Questions.Listener() {
          @Override
          public void onAnswer(boolean isGranted) {
            call.succeed(areEnabled());
          }
        });
  }

  private JSONObject exactState() throws JSONException {
    return new JSONObject().put("exact_alarm", canBeExact(activity) ? "granted" : "denied");
  }

  private static boolean canBeExact(Context context) {
    return Build.VERSION.SDK_INT < 31 || ((AlarmManager) context.getSystemService(Context.ALARM_SERVICE)).canScheduleExactAlarms();
  }

  private Intent ofApp(String settings) {
    return new Intent(settings, Uri.fromParts("package", activity.getPackageName(), null));
  }

  /** Returns Cordova's number for the phone's setting that removes the permissions of unused apps. */
  private int unusedAppRestrictions() {
    if (Build.VERSION.SDK_INT < 30) {
      return 1;
    }
    return activity.getPackageManager().isAutoRevokeWhitelisted() ? 2 : Build.VERSION.SDK_INT == 30 ? 4 : 5;
  }

  private static NotificationManager manager(Context context) {
    return (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
  }

  private static SharedPreferences store(Context context) {
    return context.getSharedPreferences(STORE, Context.MODE_PRIVATE);
  }

  private static Set<Integer> shown(Context context) {
    Set<Integer> ids = new HashSet<>();
    for (StatusBarNotification shown : manager(context).getActiveNotifications()) {
      ids.add(shown.getId());
    }
    return ids;
  }

  /* --- Channels, since Android 8. --- */

  /** Creates a channel on Android 8 and later. @param options options in Cordova's format */
  private static void createChannel(Context context, JSONObject options) {
    if (Build.VERSION.SDK_INT >= 26) {
      Channels.create(context, options);
    }
  }

  private void deleteChannel(String id) {
    if (Build.VERSION.SDK_INT >= 26) {
      manager(activity).deleteNotificationChannel(id);
    }
  }

  private JSONArray channels() throws JSONException {
    return Build.VERSION.SDK_INT >= 26 ? Channels.list(activity) : new JSONArray();
  }

  /** Converts Capacitor's options to Cordova's names. */
  private static JSONObject cordovaChannel(JSONObject options) throws JSONException {
    return new JSONObject()
        .put("androidChannelId", options.getString("id"))
        .put("androidChannelName", options.getString("name"))
        .put("androidChannelDescription", options.optString("description"))
        .put("androidChannelImportance", options.opt("importance"))
        .put("androidChannelEnableLights", options.optBoolean("lights"))
        .put("androidChannelEnableVibration", options.optBoolean("vibration"))
        .put("lightColor", options.opt("lightColor"))
        .put("visibility", options.opt("visibility"))
        .put("sound", "default");
  }

  /** Creates channels. A separate class, because Android before 8 doesn't have the classes that it uses. */
  private static final class Channels {
    static void create(Context context, JSONObject options) {
      NotificationChannel channel =
          new NotificationChannel(
              options.optString("androidChannelId", "default_channel"),
              options.optString("androidChannelName", "Default channel"),
              Math.min(options.optInt("androidChannelImportance", NotificationManager.IMPORTANCE_DEFAULT), NotificationManager.IMPORTANCE_HIGH));
      channel.setDescription(options.optString("androidChannelDescription"));
      channel.enableLights(options.optBoolean("androidChannelEnableLights"));
      channel.enableVibration(options.optBoolean("androidChannelEnableVibration"));
      Integer color = colorOf(options.optString("lightColor"));
      if (color != null) {
        channel.setLightColor(color);
      }
      if (options.has("visibility")) {
        channel.setLockscreenVisibility(options.optInt("visibility"));
      }
      // The system plays the sound and can't read the app's files.
      if (!options.has("sound")) {
        channel.setSound(null, null);
      } else if (options.has("androidChannelSoundUsage")) {
        channel.setSound(
            RingtoneManager.getDefaultUri(RingtoneManager.TYPE_NOTIFICATION),
            new AudioAttributes.Builder().setUsage(options.optInt("androidChannelSoundUsage")).build());
      }
      manager(context).createNotificationChannel(channel);
    }

    static JSONArray list(Context context) throws JSONException {
      JSONArray list = new JSONArray();
      for (NotificationChannel channel : manager(context).getNotificationChannels()) {
        list.put(
            new JSONObject()
                .put("id", channel.getId())
                .put("name", text(channel.getName()))
                .put("description", channel.getDescription())
                .put("importance", channel.getImportance())
                .put("visibility", channel.getLockscreenVisibility())
                .put("sound", channel.getSound() == null ? null : channel.getSound().toString())
                .put("vibration", channel.shouldVibrate())
                .put("lights", channel.shouldShowLights())
                .put("lightColor", String.format("#%08X", channel.getLightColor())));
      }
      return list;
    }
  }

  /* --- Events. --- */

  @Override
  void onResume() {
    isResumed = true;
    live = this;
    if (!isRestored) {
      isRestored = true;
      // Android removes all alarms if the user stops the app or disallows exact alarms.
      restore(activity);
    }
  }

  @Override
  void onPause() {
    isResumed = false;
  }

  @Override
  void onReset() {
    isReady = false;
  }

  @Override
  void onDestroy() {
    if (live == this) {
      live = null;
    }
  }

  /** Handles the intent of a notification or action that the user chose. */
  @Override
  void onIntent(Intent intent) {
    boolean isOld = (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0;
    if (!OPEN.equals(intent.getAction()) || isOld) {
      return;
    }
    live = this;
    Notice notice = Notice.of(activity, intent);
    if (notice != null) {
      notice.perform(intent);
    }
  }

  /** Sends an event to Cordova's page. @param notice null for an event about all notifications */
  private static void fire(String event, Notice notice, JSONObject data) {
    try {
      boolean isReady = live != null && live.isReady;
      data.put("event", event).put("foreground", live != null && live.isResumed).put("queued", !isReady);
      if (notice != null) {
        data.put("notification", notice.id);
      }
      Object[] args = notice == null ? new Object[] {event, data} : new Object[] {event, notice.options, data};
      if ((!isReady || !live.tell(args)) && QUEUE.size() < MAX_QUEUED) {
        QUEUE.add(args);
      }
    } catch (JSONException error) {
      Log.e(MainActivity.TAG, event, error);
    }
  }

  /**
   * Sends an event to Cordova's page. Version 0.8 has another name for one event, and passes only the notification and the app's state.
   *
   * @return whether a page is connected
   */
  private boolean tell(Object[] event) {
    Object[] args = event.clone();
    if (isFirst) {
      int last = args.length - 1;
      args[0] = args[0].equals("add") ? "schedule" : args[0];
      args[last] = ((JSONObject) args[last]).optBoolean("foreground") ? "foreground" : "background";
    }
    return bridge.callPage(FIRE, args);
  }

  /** Restores alarms, which end when the phone restarts or the app is updated. */
  private static void restore(Context context) {
    Set<Integer> shown = shown(context);
    for (Notice notice : Notice.all(context)) {
      if (notice.next() > 0) {
        notice.setAlarmAgain();
      } else if (!shown.contains(notice.id)) {
        notice.forgetIfDone();
      }
    }
  }

  /** Receives the system's broadcasts, even while the app isn't running. Only the system and the app itself can reach it. */
  public static final class Alarms extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
      if (intent.getData() == null) {
        // The phone has started, its clock or time zone has changed, the app was updated, or the user has allowed exact alarms.
        restore(context);
        return;
      }
      Notice notice = Notice.of(context, intent);
      if (notice == null) {
        return;
      }
      if (SHOW.equals(intent.getAction())) {
        notice.due();
      } else if (CLEAR.equals(intent.getAction())) {
        notice.forgetIfDone();
        if (!notice.isCapacitor()) {
          fire("clear", notice, new JSONObject());
        }
      } else {
        notice.perform(intent);
      }
    }
  }

  /* --- One notification. --- */

  /** A stored notification. */
  private static final class Notice {
    final Context context;
    final int id;
    /** Options from the page, unchanged. */
    final JSONObject options;
    /**
     * The stored data: `options`, `isCapacitor`, `token` (a secret that marks intents as this app's own), `base` (when it was scheduled),
     * `next` (the time of its alarm, 0 for none), and `count` (how often it was shown).
     */
    private final JSONObject record;

    Notice(Context context, JSONObject options, boolean isCapacitor) throws JSONException {
      this(
          context,
          new JSONObject()
              .put("options", options)
              .put("isCapacitor", isCapacitor)
              .put("token", UUID.randomUUID().toString())
              .put("base", System.currentTimeMillis()));
    }

    private Notice(Context context, JSONObject record) throws JSONException {
      this.context = context.getApplicationContext();
      this.record = record;
      options = record.getJSONObject("options");
      id = options.optInt("id", 1);
    }

    /** Returns the stored notification with an ID. @return null for none */
    static Notice read(Context context, int id) {
      try {
        String text = store(context).getString(String.valueOf(id), null);
        return text == null ? null : new Notice(context, new JSONObject(text));
      } catch (JSONException error) {
        Log.e(MainActivity.TAG, STORE, error);
        return null;
      }
    }

    /** Returns the notification of an intent from this app. @return null for other intents, and if the notification no longer exists */
    static Notice of(Context context, Intent intent) {
      Uri uri = intent.getData();
      List<String> parts = uri == null ? Collections.<String>emptyList() : uri.getPathSegments();
      if (parts.size() != 2 || !parts.get(0).matches("-?\\d{1,10}")) {
        return null;
      }
      long id = Long.parseLong(parts.get(0));
      Notice notice = id == (int) id ? read(context, (int) id) : null;
      return notice != null && notice.record.optString("token").equals(uri.getAuthority()) ? notice : null;
    }

    static List<Notice> all(Context context) {
      List<Notice> all = new ArrayList<>();
      for (String key : store(context).getAll().keySet()) {
        Notice notice = key.startsWith(ACTIONS) ? null : read(context, Integer.parseInt(key));
        if (notice != null) {
          all.add(notice);
        }
      }
      return all;
    }

    boolean isCapacitor() {
      return record.optBoolean("isCapacitor");
    }

    long next() {
      return record.optLong("next");
    }

    private void save() {
      store(context).edit().putString(String.valueOf(id), record.toString()).apply();
    }

    private void put(String name, long value) {
      try {
        record.put(name, value);
      } catch (JSONException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /** Shows the notification or sets its first alarm. Replaces a notification with the same ID. */
    void start() throws JSONException {
      Notice known = read(context, id);
      if (known != null) {
        known.cancel();
        manager(context).cancel(id);
      }
      JSONObject trigger = trigger();
      if (trigger == null) {
        due();
      } else {
        advance(trigger, System.currentTimeMillis());
        forgetIfDone();
      }
    }

    private void advance(JSONObject trigger, long after) {
      put("next", Times.next(trigger, record.optLong("base"), after, record.optInt("count")));
      if (next() > 0) {
        save();
        setAlarm();
      }
    }

    /** Shows the notification when its alarm is due, and sets the next alarm. */
    void due() {
      // Android may fire an alarm early. Keeps the due time, so that the next alarm isn't set for the same time.
      long due = next();
      put("count", record.optInt("count") + 1);
      put("next", 0);
      save();
      try {
        show(true);
        JSONObject trigger = trigger();
        if (trigger != null) {
          advance(trigger, Math.max(System.currentTimeMillis(), due));
        }
      } catch (JSONException | RuntimeException error) {
        Log.e(MainActivity.TAG, "Notification " + id, error);
      }
      if (!isCapacitor()) {
        fire("trigger", this, new JSONObject());
      } else if (live != null) {
        live.bridge.emitOrWait(NAME, "localNotificationReceived", options);
      }
    }

    /** Changes the options, for Cordova. Updates the visible notification, and keeps the alarms. */
    void update(JSONObject changes) throws JSONException {
      for (Iterator<String> names = changes.keys(); names.hasNext(); ) {
        String name = names.next();
        JSONArray messages = name.equals("androidMessages") ? options.optJSONArray(name) : null;
        JSONArray more = changes.optJSONArray(name);
        if (messages != null && more != null) {
          for (int index = 0; index < more.length(); index++) {
            messages.put(more.get(index));
          }
        } else if (!name.equals("trigger")) {
          options.put(name, changes.get(name));
        }
      }
      save();
      if (shown(context).contains(id)) {
        show(false);
      }
    }

    void cancel() {
      alarms().cancel(alarm());
      store(context).edit().remove(String.valueOf(id)).apply();
    }

    /** Deletes the stored notification if it has no further alarm. Ignores whether it's visible, because Android reports that late. */
    void forgetIfDone() {
      if (next() == 0) {
        store(context).edit().remove(String.valueOf(id)).apply();
      }
    }

    private AlarmManager alarms() {
      return (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
    }

    private PendingIntent alarm() {
      return broadcast(SHOW, "", false);
    }

    void setAlarm() {
      JSONObject schedule = options.optJSONObject("schedule");
      boolean isIdleAllowed = isCapacitor() ? schedule != null && schedule.optBoolean("allowWhileIdle") : options.optBoolean("androidAllowWhileIdle");
      int type = options.optInt("androidAlarmType") == AlarmManager.RTC ? AlarmManager.RTC : AlarmManager.RTC_WAKEUP;
      boolean isExact = canBeExact(context) && options.optBoolean("isExactNotification", true);
      if (isExact && isIdleAllowed) {
        alarms().setExactAndAllowWhileIdle(type, next(), alarm());
      } else if (isExact) {
        alarms().setExact(type, next(), alarm());
      } else if (isIdleAllowed) {
        alarms().setAndAllowWhileIdle(type, next(), alarm());
      } else {
        alarms().set(type, next(), alarm());
      }
    }

    /** Sets the alarm again, because a time of day depends on the time zone. A missed alarm fires immediately. */
    void setAlarmAgain() {
      try {
        JSONObject trigger = trigger();
        long now = System.currentTimeMillis();
        if (next() > now && trigger != null && trigger.opt("every") instanceof JSONObject) {
          advance(trigger, now);
          return;
        }
      } catch (JSONException error) {
        Log.e(MainActivity.TAG, "Notification " + id, error);
      }
      setAlarm();
    }

    /** Returns a URI that identifies the notification in intents. @param action name of one of its actions, or an empty string */
    private Uri uri(String action) {
      return new Uri.Builder()
          .scheme("notification")
          .encodedAuthority(record.optString("token"))
          .appendPath(String.valueOf(id))
          .appendPath(action.isEmpty() ? CLICK : action)
          .build();
    }

    private PendingIntent broadcast(String what, String action, boolean isInput) {
      return PendingIntent.getBroadcast(context, 0, new Intent(what, uri(action), context, Alarms.class), flags(isInput));
    }

    private PendingIntent open(String action, boolean isInput) {
      Intent intent =
          new Intent(OPEN, uri(action), context, MainActivity.class)
              .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_SINGLE_TOP | Intent.FLAG_ACTIVITY_CLEAR_TOP);
      return PendingIntent.getActivity(context, 0, intent, flags(isInput));
    }

    /** Returns the flags of an intent. An intent with input is mutable, because Android adds the text that the user types. */
    private static int flags(boolean isInput) {
      int access = !isInput ? PendingIntent.FLAG_IMMUTABLE : Build.VERSION.SDK_INT >= 31 ? PendingIntent.FLAG_MUTABLE : 0;
      return PendingIntent.FLAG_UPDATE_CURRENT | access;
    }

    /** Handles the user's choice of the notification or of one of its actions. */
    void perform(Intent intent) {
      String action = intent.getData().getLastPathSegment();
      Bundle typed = RemoteInput.getResultsFromIntent(intent);
      CharSequence input = typed == null ? null : typed.getCharSequence(INPUT);
      try {
        if (input != null) {
          // Until the notification is updated, Android shows a progress indicator for the text.
          show(false);
        }
        if (!look().optBoolean("androidOngoing")) {
          manager(context).cancel(id);
          forgetIfDone();
        }
        JSONObject data = new JSONObject();
        if (isCapacitor()) {
          data.put("actionId", action.equals(CLICK) ? "tap" : action)
              .put("inputValue", input == null ? null : input.toString())
              .put("notification", options);
          if (live != null) {
            live.bridge.emitOrWait(NAME, "localNotificationActionPerformed", data);
          }
        } else {
          if (live != null && !live.isReady && OPEN.equals(intent.getAction())) {
            launch = new JSONObject().put("id", id).put("action", action);
          }
          fire(action, this, data.put("text", input == null ? null : input.toString()));
        }
      } catch (JSONException error) {
        Log.e(MainActivity.TAG, "Notification " + id, error);
      }
    }

    /** Returns the trigger in the format of Cordova's plugin. @return null to show the notification immediately */
    private JSONObject trigger() throws JSONException {
      if (!isCapacitor()) {
        JSONObject trigger = options.optJSONObject("trigger");
        return trigger == null || !trigger.has("at") && !trigger.has("in") && !trigger.has("every") ? null : trigger;
      }
      JSONObject schedule = options.optJSONObject("schedule");
      if (schedule == null || !schedule.has("at") && !schedule.has("on") && !schedule.has("every")) {
        return null;
      }
      JSONObject trigger = new JSONObject().put("count", schedule.optInt("count"));
      if (schedule.has("at")) {
        long at = timeOf(schedule.get("at"));
        return schedule.optBoolean("repeats")
            ? trigger.put("every", Math.max(1, (at - record.optLong("base")) / 1000)).put("unit", "second").put("firstAt", at)
            : trigger.put("at", at);
      }
      JSONObject on = schedule.optJSONObject("on");
      if (on == null) {
        return trigger.put("every", schedule.getString("every"));
      }
      JSONObject fields = new JSONObject(on.toString());
      if (on.has("weekday")) {
        // Capacitor's week starts on Sunday, Cordova's on Monday.
        fields.put("weekday", (on.getInt("weekday") + 5) % 7 + 1);
      }
      return trigger.put("every", fields);
    }

    /** Returns the appearance, with the names of Cordova's plugin. Omits nulls, which Android reads as strings. */
    private JSONObject look() throws JSONException {
      JSONObject look = new JSONObject();
      for (Iterator<String> names = options.keys(); names.hasNext(); ) {
        String name = names.next();
        if (!options.isNull(name)) {
          look.put(name, options.get(name));
        }
      }
      String[] names = (isCapacitor() ? CAPACITOR_NAMES : OLD_NAMES).split(" ");
      for (int index = 0; index < names.length; index += 2) {
        if (look.has(names[index]) && !look.has(names[index + 1])) {
          look.put(names[index + 1], look.get(names[index]));
        }
      }
      if (!isCapacitor()) {
        if (look.opt("text") instanceof JSONArray) {
          look.put("androidMessages", look.remove("text"));
        }
        return Boolean.FALSE.equals(look.opt("sound")) ? removed(look, "sound") : look;
      }
      if (!look.has("androidChannelId")) {
        look.put("androidChannelId", "default").put("androidChannelName", "Default");
      }
      JSONArray attachments = options.optJSONArray("attachments");
      JSONObject first = attachments == null ? null : attachments.optJSONObject(0);
      return removed(look, "silent")
          .put("sound", "default")
          .put("attachments", first == null ? null : new JSONArray().put(first.optString("url")))
          .put("priority", options.optBoolean("foreground") ? Notification.PRIORITY_HIGH : Notification.PRIORITY_DEFAULT);
    }

    private static JSONObject removed(JSONObject from, String name) {
      from.remove(name);
      return from;
    }

    /** Shows the notification. @param isLoud whether it may wake the phone */
    private void show(boolean isLoud) throws JSONException {
      JSONObject look = look();
      if (look.optBoolean("silent")) {
        return;
      }
      Notification.Builder builder = builder(look);
      CharSequence app = context.getApplicationInfo().loadLabel(context.getPackageManager());
      String title = look.optString("title");
      String text = look.optString("text");
      Bitmap large = image(look.optString("androidLargeIcon"));
      Integer color = colorOf(look.optString("androidColor"));
      builder
          .setContentTitle(title.isEmpty() ? app : title)
          .setContentText(text)
          .setSmallIcon(smallIcon(look.optString("androidSmallIcon")))
          .setLargeIcon(large)
          .setAutoCancel(look.optBoolean("androidAutoCancel", true))
          .setOngoing(look.optBoolean("androidOngoing"))
          .setOnlyAlertOnce(!isLoud || look.optBoolean("androidOnlyAlertOnce"))
          .setShowWhen(look.optBoolean("androidShowWhen", true))
          .setUsesChronometer(look.optBoolean("androidUsesChronometer"))
          .setVisibility(look.optBoolean("androidLockscreen", true) ? Notification.VISIBILITY_PUBLIC : Notification.VISIBILITY_SECRET)
          .setNumber(look.optInt("badgeNumber", 1))
          .setContentIntent(look.optBoolean("launch", true) ? open("", false) : broadcast(PERFORM, "", false))
          .setDeleteIntent(broadcast(CLEAR, "", false));
      if (color != null) {
        builder.setColor(color);
      }
      if (!look.optString("androidGroup").isEmpty()) {
        builder.setGroup(look.getString("androidGroup")).setGroupSummary(look.optBoolean("androidGroupSummary"));
      }
      JSONObject progress = look.optJSONObject("androidProgressBar");
      if (progress != null) {
        builder.setProgress(progress.optInt("maxValue", 100), progress.optInt("value"), progress.optBoolean("indeterminate"));
      }
      setStyle(builder, look, text);
      JSONArray actions = actionsOf(look);
      for (int index = 0; index < actions.length(); index++) {
        builder.addAction(action(actions.getJSONObject(index)));
      }
      if (isLoud && look.optBoolean("androidWakeUpScreen")) {
        wakeUp();
      }
      manager(context).notify(id, builder.build());
    }

    private Notification.Builder builder(JSONObject look) {
      if (Build.VERSION.SDK_INT >= 26) {
        createChannelOnce(look);
        return new Notification.Builder(context, look.optString("androidChannelId", "default_channel"))
            .setTimeoutAfter(look.optLong("androidTimeoutAfter"));
      }
      int importance = look.optInt("androidChannelImportance", NotificationManager.IMPORTANCE_DEFAULT);
      int sound = look.has("sound") ? Notification.DEFAULT_SOUND : 0;
      int vibration = look.optBoolean("androidChannelEnableVibration") ? Notification.DEFAULT_VIBRATE : 0;
      return new Notification.Builder(context)
          .setDefaults(look.optInt("androidDefaults") | sound | vibration)
          .setPriority(look.optInt("priority", Math.min(importance - NotificationManager.IMPORTANCE_DEFAULT, Notification.PRIORITY_MAX)));
    }

    /** Creates the notification's channel if it's missing. Capacitor's pages create all channels except the default one. */
    private void createChannelOnce(JSONObject look) {
      String channel = look.optString("androidChannelId", "default_channel");
      boolean isMade = isCapacitor() && !channel.equals("default");
      if (!isMade && manager(context).getNotificationChannel(channel) == null) {
        createChannel(context, look);
      }
    }

    private void setStyle(Notification.Builder builder, JSONObject look, String text) throws JSONException {
      String summary = look.optString("androidSummary", null);
      JSONArray attachments = look.optJSONArray("attachments");
      Bitmap picture = attachments == null ? null : image(attachments.optString(0));
      JSONArray messages = look.optJSONArray("androidMessages");
      JSONArray lines = look.optJSONArray("lines");
      if (lines == null && text.indexOf('\n') >= 0) {
        lines = new JSONArray();
        for (String line : text.split("\n")) {
          lines.put(line);
        }
      }
      if (messages != null) {
        Notification.MessagingStyle style = new Notification.MessagingStyle("");
        for (int index = 0; index < messages.length(); index++) {
          JSONObject message = messages.getJSONObject(index);
          style.addMessage(
              message.optString("message"),
              message.optLong("date", System.currentTimeMillis()),
              message.optString("person", null));
        }
        String count = look.optString("androidTitleCount", "%n%").replace("%n%", String.valueOf(messages.length()));
        style.setConversationTitle(look.optString("title") + (messages.length() > 1 ? " " + count : ""));
        builder.setStyle(style);
      } else if (picture != null) {
        builder.setStyle(new Notification.BigPictureStyle().bigPicture(picture).setSummaryText(summary == null ? text : summary));
      } else if (lines != null && lines.length() > 0) {
        Notification.InboxStyle style = new Notification.InboxStyle();
        for (int index = 0; index < lines.length(); index++) {
          style.addLine(lines.optString(index));
        }
        builder.setStyle(summary == null ? style : style.setSummaryText(summary));
      } else if (look.has("big") || text.length() > 44) {
        Notification.BigTextStyle style = new Notification.BigTextStyle().bigText(look.optString("big", text));
        builder.setStyle(summary == null ? style : style.setSummaryText(summary));
      }
    }

    /** Returns the notification's own actions, or the actions of the group that it names. */
    private JSONArray actionsOf(JSONObject look) throws JSONException {
      JSONArray own = look.optJSONArray("actions");
      if (own != null && own.length() > 0) {
        return own;
      }
      String group = own == null ? look.optString("actions") : look.optString("actionGroupId");
      return new JSONArray(store(context).getString(ACTIONS + group, "[]"));
    }

    private Notification.Action action(JSONObject action) {
      String name = action.optString("id");
      boolean isInput = action.optBoolean("input") || action.optString("type").equals("input");
      // Capacitor's actions open the app, because its pages handle them.
      PendingIntent intent = isCapacitor() || action.optBoolean("launch") ? open(name, isInput) : broadcast(PERFORM, name, isInput);
      Notification.Action.Builder builder = new Notification.Action.Builder(null, action.optString("title"), intent);
      if (isInput) {
        JSONArray choices = action.optJSONArray("choices");
        CharSequence[] texts = new CharSequence[choices == null ? 0 : choices.length()];
        for (int index = 0; index < texts.length; index++) {
          texts[index] = choices.optString(index);
        }
        builder.addRemoteInput(
            new RemoteInput.Builder(INPUT)
                .setLabel(action.optString("emptyText", action.optString("inputPlaceholder")))
                .setChoices(texts)
                .setAllowFreeFormInput(action.optBoolean("editable", true))
                .build());
      }
      return builder.build();
    }

    @SuppressWarnings("deprecation")
    private void wakeUp() {
      PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
      if (!power.isInteractive() && context.checkSelfPermission(Manifest.permission.WAKE_LOCK) == PackageManager.PERMISSION_GRANTED) {
        power.newWakeLock(PowerManager.SCREEN_BRIGHT_WAKE_LOCK | PowerManager.ACQUIRE_CAUSES_WAKEUP, "appbuild:notification").acquire(1000);
      }
    }

    /** Returns the resource of a single-color picture. @param name name in the package or in Android */
    private int smallIcon(String name) {
      int icon = resource(name);
      return icon == 0 ? android.R.drawable.ic_popup_reminder : icon;
    }

    /** Returns the ID of a picture resource, or 0 for none. */
    private int resource(String name) {
      String plain = name.replaceFirst("^res://", "").replaceFirst("\\.\\w+$", "");
      if (!plain.matches("\\w+")) {
        return 0;
      }
      int own = context.getResources().getIdentifier(plain, "drawable", context.getPackageName());
      return own != 0 ? own : context.getResources().getIdentifier(plain, "drawable", "android");
    }

    /** Reads a picture. @param name `res://name`, a page's file, or a file of the app @return null if it's missing or isn't a picture */
    private Bitmap image(String name) {
      if (name.isEmpty()) {
        return null;
      }
      try {
        int resource = name.startsWith("res:///") ? 0 : resource(name);
        if (resource != 0) {
          return BitmapFactory.decodeResource(context.getResources(), resource);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream stream = openFile(name)) {
          Files.copy(new Part(stream, MAX_IMAGE_BYTES), bytes);
        }
        BitmapFactory.Options size = new BitmapFactory.Options();
        size.inJustDecodeBounds = true;
        BitmapFactory.decodeByteArray(bytes.toByteArray(), 0, bytes.size(), size);
        BitmapFactory.Options smaller = new BitmapFactory.Options();
        smaller.inSampleSize = Math.max(1, Math.max(size.outWidth, size.outHeight) / MAX_IMAGE_SIDE);
        return BitmapFactory.decodeByteArray(bytes.toByteArray(), 0, bytes.size(), smaller);
      } catch (IOException error) {
        Log.w(MainActivity.TAG, "No picture " + name, error);
        return null;
      }
    }

    private InputStream openFile(String name) throws IOException {
      if (name.startsWith("shared://")) {
        return new FileInputStream(own(new File(context.getFilesDir(), "shared_files/" + name.substring("shared://".length()))));
      }
      if (name.startsWith("file:///") && !name.startsWith("file:///android_asset/")) {
        return new FileInputStream(own(new File(Uri.parse(name).getPath())));
      }
      String path = name.replaceFirst("^(file:///android_asset/|file://|res://|https?://localhost)", "").replaceFirst("^/?(www/)?", "/");
      List<String> assets = Files.assetsOf(Uri.decode(path), false, "");
      return context.getAssets().open(assets.isEmpty() ? "" : assets.get(0));
    }

    /** Returns a file in the app's folders. @throws IOException for any other file */
    private File own(File file) throws IOException {
      File own = new AppFolders(context, "").own(file.getPath());
      if (own == null) {
        throw new IOException(file + " isn't one of the app's files");
      }
      return own;
    }
  }

  /** Parses a color. @param text `#RRGGBB` or `#RRGGBBAA`, with or without `#` @return null for other strings */
  private static Integer colorOf(String text) {
    String digits = text == null ? "" : text.replace("#", "");
    if (!digits.matches("[0-9a-fA-F]{6}([0-9a-fA-F]{2})?")) {
      return null;
    }
    String alpha = digits.length() == 8 ? digits.substring(6) : "ff";
    return Color.parseColor("#" + alpha + digits.substring(0, 6));
  }

  /** Returns a time in milliseconds. @param date a date in JSON's format, or milliseconds @return 0 for other values */
  private static long timeOf(Object date) {
    if (date instanceof Number) {
      return ((Number) date).longValue();
    }
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    try {
      return format.parse(String.valueOf(date)).getTime();
    } catch (ParseException error) {
      return 0;
    }
  }

  /** Calculates when a trigger of Cordova's plugin fires. */
  private static final class Times {
    /** Maximum number of days to search. Every date recurs on the same weekday within this period. */
    private static final int MAX_DAYS = 366 * 40;
    /**
     * Names of date fields in `every`. Units larger than the largest given field can have any value. Smaller units that aren't given have
     * their first value.
     */
    private static final String[] DATES = {"year", "month", "week", "weekOfMonth", "day", "weekday"};

    /** Maximum age of a time that still counts, because the page may have waited for the user's permission. */
    private static final long LATE_MS = 5000;
    /** Upper limit for intervals of constant length. Days are longer, and differ in length when the clocks change. */
    private static final long SHORT_MS = 20 * 3600000L;

    private Times() {}

    /**
     * Returns the next time at which a trigger fires, in milliseconds.
     *
     * @param base time when the notification was scheduled
     * @param count how often the trigger has fired
     * @return the first time after `after`, or 0 for never
     */
    static long next(JSONObject trigger, long base, long after, int count) {
      long time;
      if (trigger.has("at")) {
        time = count > 0 ? 0 : trigger.optLong("at");
        return time > after - LATE_MS ? time : 0;
      }
      if (trigger.has("in")) {
        return count > 0 ? 0 : plus(base, trigger.optString("unit", "minute"), trigger.optInt("in"));
      }
      int most = trigger.optInt("count");
      if (most > 0 && count >= most) {
        return 0;
      }
      JSONObject fields = trigger.optJSONObject("every");
      if (fields != null) {
        time = match(fields, Math.max(after, trigger.optLong("after") - 1));
      } else if (trigger.opt("every") instanceof Number) {
        time = repeat(trigger, base, after, trigger.optString("unit", "minute"), Math.max(1, trigger.optInt("every")));
      } else {
        time = repeat(trigger, base, after, trigger.optString("every"), 1);
      }
      long before = trigger.optLong("before");
      return before > 0 && time > before ? 0 : time;
    }

    private static long repeat(JSONObject trigger, long base, long after, String unit, int step) {
      long first = trigger.optLong("firstAt");
      long start = first > 0 ? first : base;
      long length = plus(start, unit, step) - start;
      if (length <= 0) {
        return 0;
      }
      long past = (after - start) / length;
      // Days and months can be longer or shorter than the first one, so start a little earlier.
      long rounds = Math.max(first > 0 ? 0 : 1, length < SHORT_MS ? past : past * 9 / 10);
      if (rounds * step > Integer.MAX_VALUE - 1000000) {
        return 0;
      }
      long time = plus(start, unit, (int) rounds * step);
      while (time <= after) {
        rounds++;
        time = plus(start, unit, (int) rounds * step);
      }
      return time;
    }

    private static long plus(long time, String unit, int count) {
      Calendar calendar = Calendar.getInstance();
      calendar.setTimeInMillis(time);
      switch (unit) {
        case "second":
          return time + count * 1000L;
        case "minute":
          return time + count * 60000L;
        case "hour":
          return time + count * 3600000L;
        case "day":
          calendar.add(Calendar.DAY_OF_MONTH, count);
          break;
        case "week":
          calendar.add(Calendar.WEEK_OF_YEAR, count);
          break;
        case "two-weeks":
          calendar.add(Calendar.WEEK_OF_YEAR, 2 * count);
          break;
        case "month":
          calendar.add(Calendar.MONTH, count);
          break;
        case "quarter":
          calendar.add(Calendar.MONTH, 3 * count);
          break;
        case "year":
          calendar.add(Calendar.YEAR, count);
          break;
        default:
          return 0;
      }
      return calendar.getTimeInMillis();
    }

    private static long match(JSONObject fields, long after) {
      boolean isDated = false;
      for (String name : DATES) {
        isDated |= fields.has(name);
      }
      boolean isAnyHour = !isDated && !fields.has("hour");
      boolean isAnyMinute = isAnyHour && !fields.has("minute");
      if (isAnyMinute && !fields.has("second")) {
        return 0;
      }
      Calendar day = Calendar.getInstance();
      day.setTimeInMillis(after);
      for (int days = 0; days < MAX_DAYS; days++) {
        if (isDay(fields, day)) {
          for (int hour = isAnyHour ? 0 : fields.optInt("hour"); hour < 24; hour++) {
            for (int minute = isAnyMinute ? 0 : fields.optInt("minute"); minute < 60; minute++) {
              Calendar time = (Calendar) day.clone();
              time.set(Calendar.HOUR_OF_DAY, hour);
              time.set(Calendar.MINUTE, minute);
              time.set(Calendar.SECOND, fields.optInt("second"));
              time.set(Calendar.MILLISECOND, 0);
              if (time.getTimeInMillis() > after) {
                return time.getTimeInMillis();
              }
              if (!isAnyMinute) {
                break;
              }
            }
            if (!isAnyHour) {
              break;
            }
          }
        }
        day.add(Calendar.DAY_OF_MONTH, 1);
      }
      return 0;
    }

    private static boolean isDay(JSONObject fields, Calendar day) {
      int weekday = (day.get(Calendar.DAY_OF_WEEK) + 5) % 7 + 1;
      boolean isWeek = fields.has("week") || fields.has("weekOfMonth");
      boolean isDayNamed = fields.has("day") || fields.has("weekday");
      int firstDay = fields.has("month") || fields.has("year") && !isWeek ? 1 : 0;
      if (!isDayNamed && !isWeek && firstDay == 1 && day.get(Calendar.DAY_OF_MONTH) != 1) {
        return false;
      }
      if (!isDayNamed && isWeek && day.get(Calendar.DAY_OF_WEEK) != day.getFirstDayOfWeek()) {
        return false;
      }
      boolean isFirstMonth = fields.has("year") && !fields.has("month") && !isDayNamed && !isWeek;
      return (!isFirstMonth || day.get(Calendar.MONTH) == 0)
          && fields.optInt("year", day.get(Calendar.YEAR)) == day.get(Calendar.YEAR)
          && fields.optInt("month", day.get(Calendar.MONTH) + 1) == day.get(Calendar.MONTH) + 1
          && fields.optInt("week", day.get(Calendar.WEEK_OF_YEAR)) == day.get(Calendar.WEEK_OF_YEAR)
          && fields.optInt("weekOfMonth", day.get(Calendar.WEEK_OF_MONTH)) == day.get(Calendar.WEEK_OF_MONTH)
          && fields.optInt("day", day.get(Calendar.DAY_OF_MONTH)) == day.get(Calendar.DAY_OF_MONTH)
          && fields.optInt("weekday", weekday) == weekday;
    }
  }
}
