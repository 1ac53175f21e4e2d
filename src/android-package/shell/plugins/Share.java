package appbuild.shell;

import android.accounts.Account;
import android.accounts.AccountManager;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.net.Uri;
import android.os.Build;
import android.text.Html;
import android.util.Base64;
import android.util.Patterns;
import android.widget.Toast;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Passes text and files to an app that the user chooses or the page names: cordova-plugin-x-socialsharing, @capacitor/share,
 * cordova-plugin-email-composer, cordova-sms-plugin. The user sends the content in that app.
 */
final class Share extends Plugin {
  /** Maximum size of a file from the network, in bytes. */
  private static final int MAX_FETCHED = 100 << 20;
  private static final int TIMEOUT_MS = 30000;
  private static final String DONE = "OK";
  private static final String NO_APP = "No app on this phone can do that.";
  private static final String MAIL = "mailto:";

  @Override
  String[] services() {
    return new String[] {"SocialSharing", "Capacitor.Share", "EmailComposer", "Sms"};
  }

  @Override
  void call(final Call call) {
    // Copying files takes time.
    bridge.work(
        call,
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            answer(call);
          }
        });
  }

  private void answer(Call call) throws Exception {
    switch (call.service) {
      case "SocialSharing":
        callSocial(call);
        return;
      case "EmailComposer":
        callEmail(call);
        return;
      case "Sms":
        callSms(call);
        return;
      default:
        callCapacitor(call);
    }
  }

  private void callCapacitor(Call call) throws Exception {
    JSONObject options = call.options();
    switch (call.action) {
      case "canShare":
        call.succeed(new JSONObject().put("value", true));
        return;
      case "share":
        String text = text(options, "text");
        String url = text(options, "url");
        JSONArray files = options.optJSONArray("files");
        boolean isFile = url.startsWith("file:");
        if (text.isEmpty() && url.isEmpty() && (files == null || files.length() == 0)) {
          throw new IllegalArgumentException("Must provide a URL or Message or files");
        } else if (!url.isEmpty() && !isFile && Urls.originOf(url) == null) {
          throw new IllegalArgumentException("Unsupported url");
        }
        List<Uri> uris = copyAll(files, "");
        if (isFile) {
          uris.add(AppFiles.uri(activity, SharedFiles.copy(bridge, url)));
        }
        Intent intent = sendIntent(joined(text, isFile ? "" : url), text(options, "title"), uris);
        startChooser(call, intent, text(options, "dialogTitle"));
        return;
      default:
        throw unknown(call);
    }
  }

  private void callSocial(Call call) throws Exception {
    JSONArray args = call.args;
    switch (call.action) {
      case "available":
        call.succeed(true);
        return;
      case "share":
        startChooser(call, sendIntent(args), "");
        return;
      case "shareWithOptions":
        JSONObject options = call.options();
        JSONArray all =
            new JSONArray()
                .put(text(options, "message"))
                .put(text(options, "subject"))
                .put(options.optJSONArray("files"))
                .put(text(options, "url"));
        String app = text(options, "appPackageName");
        if (app.isEmpty()) {
          startChooser(call, sendIntent(all), text(options, "chooserTitle"));
        } else {
          startApp(call, sendIntent(all), app);
        }
        return;
      case "shareVia":
        startApp(call, sendIntent(args), text(args, 4));
        return;
      case "canShareVia":
        JSONArray sources = args.optJSONArray(2);
        Intent peek = new Intent(sources != null && sources.length() > 1 ? Intent.ACTION_SEND_MULTIPLE : Intent.ACTION_SEND);
        peek.setType(sources == null || sources.length() == 0 ? "text/plain" : typeOf(sources.optString(0)));
        if (limitTo(peek, text(args, 4))) {
          call.succeed(DONE);
        } else {
          call.fail(appsFor(peek));
        }
        return;
      case "shareViaTwitter":
        startApp(call, sendIntent(args), "com.twitter.android");
        return;
      case "shareViaFacebookWithPasteMessageHint":
      case "shareViaFacebook":
        startApp(call, sendIntent(args), "com.facebook.katana");
        return;
      case "shareViaInstagram":
        startApp(call, sendIntent(args), "com.instagram.android");
        return;
      case "shareViaWhatsApp":
        String receiver = text(args, 4).isEmpty() ? text(args, 5) : text(args, 4);
        if (receiver.isEmpty()) {
          startApp(call, sendIntent(args), "com.whatsapp");
        } else {
          String url =
              "https://api.whatsapp.com/send?phone="
                  + Uri.encode(receiver)
                  + "&text="
                  + Uri.encode(joined(text(args, 0), text(args, 3)));
          start(call, new Intent(Intent.ACTION_VIEW, Uri.parse(url)), NO_APP);
        }
        return;
      case "shareViaSMS":
        JSONObject message = call.options();
        start(call, smsIntent(text(args, 1), text(message, "message")), NO_APP);
        return;
      case "canShareViaEmail":
        if (emailApps().isEmpty()) {
          throw new IllegalArgumentException("not available");
        }
        call.succeed(DONE);
        return;
      case "shareViaEmail":
        String body = text(args, 0);
        int tag = body.indexOf('<');
        boolean isHtml = tag >= 0 && body.indexOf('>', tag) > tag + 1;
        JSONArray people = new JSONArray().put(args.opt(2)).put(args.opt(3)).put(args.opt(4));
        startChooser(call, emailIntent(body, isHtml, text(args, 1), people, args.optJSONArray(5)), "");
        return;
      default:
        throw unknown(call);
    }
  }

  private void callEmail(Call call) throws Exception {
    switch (call.action) {
      case "check":
      case "request":
        // 1 is the permission to read files, which isn't necessary for the app's own files. 2 is for accounts, and no package declares it.
        call.succeed(call.args.optInt(0) == 1);
        return;
      case "account":
        call.succeed(hasAccount());
        return;
      case "client":
        String wanted = call.args.optString(0);
        call.succeed(wanted.equals(MAIL) ? !emailApps().isEmpty() : emailApps().contains(wanted));
        return;
      case "clients":
        call.succeed(new JSONArray(emailApps()));
        return;
      case "open":
        JSONObject options = call.options();
        JSONArray people = new JSONArray().put(options.opt("to")).put(options.opt("cc")).put(options.opt("bcc"));
        Intent intent =
            emailIntent(
                text(options, "body"),
                options.optBoolean("isHtml"),
                text(options, "subject"),
                people,
                options.optJSONArray("attachments"));
        String app = text(options, "app");
        if (app.contains(".") && emailApps().contains(app)) {
          intent.setSelector(null);
          start(call, intent.setPackage(app), NO_APP);
        } else {
          startChooser(call, intent, text(options, "chooserHeader"));
        }
        return;
      default:
        throw unknown(call);
    }
  }

  private void callSms(Call call) throws Exception {
    switch (call.action) {
      case "has_permission":
      case "request_permission":
        // No permission is necessary, because the user sends the message.
        call.succeed(true);
        return;
      case "send":
        JSONArray numbers = call.args.optJSONArray(0);
        String message = text(call.args, 1);
        if (call.args.optBoolean(3)) {
          message = message.replace("\\n", "\n");
        }
        StringBuilder to = new StringBuilder();
        for (int index = 0; numbers != null && index < numbers.length(); index++) {
          to.append(index == 0 ? "" : ",").append(text(numbers, index));
        }
        start(call, smsIntent(to.toString(), message), "SMS not supported on this platform");
        return;
      default:
        throw unknown(call);
    }
  }

  /** Returns a string, or an empty string if the value is null or missing. */
  private static String text(JSONObject object, String name) {
    return object.isNull(name) ? "" : object.optString(name);
  }

  private static String text(JSONArray array, int index) {
    return array.isNull(index) ? "" : array.optString(index);
  }

  private static String joined(String text, String url) {
    return (text + " " + url).trim();
  }

  /** Returns an intent that shares content. @param args message, subject, files, URL */
  private Intent sendIntent(JSONArray args) throws IOException {
    String subject = text(args, 1);
    return sendIntent(joined(text(args, 0), text(args, 3)), subject, copyAll(args.optJSONArray(2), subject));
  }

  private static Intent sendIntent(String text, String subject, List<Uri> files) {
    Intent intent = new Intent(Intent.ACTION_SEND).setType("text/plain");
    if (!text.isEmpty()) {
      intent.putExtra(Intent.EXTRA_TEXT, text);
    }
    if (!subject.isEmpty()) {
      intent.putExtra(Intent.EXTRA_SUBJECT, subject);
    }
    attach(intent, files);
    return intent;
  }

  private static void attach(Intent intent, List<Uri> files) {
    if (files.isEmpty()) {
      return;
    }
    String type = null;
    ClipData clip = null;
    for (Uri file : files) {
      String each = Server.typeFor(file.getLastPathSegment());
      type = type == null || type.equals(each) ? each : "*/*";
      // The app can read only files in the clip data.
      if (clip == null) {
        clip = ClipData.newRawUri("", file);
      } else {
        clip.addItem(new ClipData.Item(file));
      }
    }
    intent.setType(type).addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
    intent.setClipData(clip);
    if (files.size() > 1) {
      intent.setAction(Intent.ACTION_SEND_MULTIPLE).putParcelableArrayListExtra(Intent.EXTRA_STREAM, new ArrayList<>(files));
    } else {
      intent.putExtra(Intent.EXTRA_STREAM, files.get(0));
    }
  }

  /** Returns an intent for an email. @param people arrays of addresses: to, cc, bcc */
  private Intent emailIntent(String body, boolean isHtml, String subject, JSONArray people, JSONArray files)
      throws IOException {
    Intent intent = sendIntent(isHtml ? "" : body, subject, copyAll(files, ""));
    if (isHtml) {
      intent.putExtra(Intent.EXTRA_TEXT, Html.fromHtml(body, Html.FROM_HTML_MODE_LEGACY)).putExtra(Intent.EXTRA_HTML_TEXT, body);
    }
    String[] names = {Intent.EXTRA_EMAIL, Intent.EXTRA_CC, Intent.EXTRA_BCC};
    for (int index = 0; index < names.length; index++) {
      JSONArray addresses = people.optJSONArray(index);
      String[] list = new String[addresses == null ? 0 : addresses.length()];
      for (int each = 0; each < list.length; each++) {
        list[each] = addresses.optString(each);
      }
      intent.putExtra(names[index], list);
    }
    // Limits the intent to email apps.
    intent.setSelector(new Intent(Intent.ACTION_SENDTO, Uri.parse(MAIL)));
    return intent;
  }

  /** Returns an intent for a text message. @param numbers phone numbers, separated by commas or semicolons */
  private static Intent smsIntent(String numbers, String message) {
    String separator = Build.MANUFACTURER.equalsIgnoreCase("samsung") ? "," : ";";
    String to = Uri.encode(numbers.replaceAll("[,;]", separator), "+,;");
    return new Intent(Intent.ACTION_SENDTO, Uri.parse("smsto:" + to)).putExtra("sms_body", message);
  }

  /** Copies files for another app. @param sources paths or URLs, or null for none @return the URIs of the copies */
  private List<Uri> copyAll(JSONArray sources, String subject) throws IOException {
    List<Uri> uris = new ArrayList<>();
    for (int index = 0; sources != null && index < sources.length(); index++) {
      if (!text(sources, index).isEmpty()) {
        uris.add(AppFiles.uri(activity, copy(sources.optString(index), subject)));
      }
    }
    return uris;
  }

  /** Copies a file for another app. @param subject file name for a `data:` URL; may be empty */
  private File copy(String source, String subject) throws IOException {
    if (source.startsWith("data:")) {
      return decode(source, subject.isEmpty() ? "file" : subject);
    } else if (source.startsWith("df:") && source.contains(";data:")) {
      int end = source.indexOf(";data:");
      return decode(source.substring(end + 1), source.substring("df:".length(), end));
    } else if (source.startsWith("base64:") && source.contains("//")) {
      int end = source.indexOf("//");
      byte[] bytes = Base64.decode(source.substring(end + 2), Base64.DEFAULT);
      return write(new ByteArrayInputStream(bytes), source.substring("base64:".length(), end), "");
    } else if (source.startsWith("www/")) {
      return SharedFiles.copy(bridge, activity.origin + source.substring("www".length()));
    } else if (Urls.originOf(source) != null && !activity.origin.equals(Urls.originOf(source))) {
      URLConnection connection = new URL(source).openConnection();
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      try (InputStream from = connection.getInputStream()) {
        String type = connection.getContentType();
        return write(from, Uri.parse(source).getPath(), type == null ? "" : type.split(";")[0]);
      }
    } else if (source.startsWith("app://databases/")) {
      String name = source.substring("app://databases/".length());
      if (name.indexOf('/') < 0) {
        try (InputStream from = new FileInputStream(activity.getDatabasePath(name))) {
          return write(from, name, "");
        }
      }
    } else if (source.startsWith("app://")) {
      return SharedFiles.copy(bridge, activity.getFilesDir().getParent() + source.substring("app:/".length()));
    } else if (source.startsWith("file://") && !source.startsWith("file:///")) {
      return SharedFiles.copy(bridge, activity.origin + source.substring("file:/".length()));
    }
    return SharedFiles.copy(bridge, source);
  }

  /** Returns the MIME type of a source before it's copied. */
  private static String typeOf(String source) {
    int data = source.indexOf("data:");
    int end = source.indexOf(';', data);
    String path = Uri.parse(source).getPath();
    return data >= 0 && end > data ? source.substring(data + "data:".length(), end) : Server.typeFor(path == null ? "" : path);
  }

  private File decode(String url, String name) throws IOException {
    int end = url.indexOf(";base64,");
    if (end < 0) {
      throw new IOException("A file that begins with data: has to be in Base64.");
    }
    byte[] bytes = Base64.decode(url.substring(end + ";base64,".length()), Base64.DEFAULT);
    return write(new ByteArrayInputStream(bytes), name, url.substring("data:".length(), end));
  }

  private File write(InputStream from, String name, String type) throws IOException {
    File file = SharedFiles.unused(activity, name, type);
    byte[] buffer = new byte[65536];
    try (OutputStream to = new FileOutputStream(file)) {
      for (int count = from.read(buffer), size = 0; count > 0; count = from.read(buffer)) {
        size += count;
        if (size > MAX_FETCHED) {
          file.delete();
          throw new IOException("The file is too large to share.");
        }
        to.write(buffer, 0, count);
      }
      return file;
    }
  }

  /** Starts the other app. Runs on the main thread after the files are copied. */
  private final class Start implements Bridge.Granted {
    private final Call call;
    private final Intent intent;
    /** Title of a chooser. Null for none. */
    private final String title;
    /** Reason for the failure if no app handles the intent. */
    private final Object noApp;

    Start(Call call, Intent intent, String title, Object noApp) {
      this.call = call;
      this.intent = intent;
      this.title = title;
      this.noApp = noApp;
    }

    @Override
    public void run() {
      boolean hasHint = call.action.equals("shareViaFacebookWithPasteMessageHint");
      String message = text(call.args, 0);
      if (!message.isEmpty() && (hasHint || call.action.equals("shareViaInstagram"))) {
        // Copies the message, because these apps don't accept text with files.
        ClipboardManager clipboard = (ClipboardManager) activity.getSystemService(Context.CLIPBOARD_SERVICE);
        clipboard.setPrimaryClip(ClipData.newPlainText("", message));
      }
      if (title == null) {
        bridge.start(call, null, intent, noApp);
      } else {
        bridge.startChooser(call, null, intent, title.isEmpty() ? null : title);
      }
      if (hasHint) {
        Toast.makeText(activity, text(call.args, 4), Toast.LENGTH_LONG).show();
      }
    }
  }

  private void startChooser(Call call, Intent intent, String title) {
    bridge.post(call, new Start(call, intent, title, null));
  }

  private void start(Call call, Intent intent, Object noApp) {
    bridge.post(call, new Start(call, intent, null, noApp));
  }

  private void startApp(Call call, Intent intent, String wanted) {
    JSONArray apps = appsFor(intent);
    if (!limitTo(intent, wanted)) {
      // Android may hide an app from this one but still start it.
      intent.setPackage(wanted.split("/")[0]);
    }
    start(call, intent, apps);
  }

  /**
   * Limits an intent to one of the apps that accept it.
   *
   * @param wanted a part of the package name, optionally followed by a slash and an activity's name
   * @return false if no such app accepts the intent
   */
  private boolean limitTo(Intent intent, String wanted) {
    String[] names = wanted.split("/");
    for (ResolveInfo info : activity.getPackageManager().queryIntentActivities(intent, 0)) {
      boolean isActivity = names.length == 1 || info.activityInfo.name.equals(names[1]);
      if (!names[0].isEmpty() && info.activityInfo.packageName.contains(names[0]) && isActivity) {
        if (names.length > 1) {
          intent.setClassName(info.activityInfo.packageName, info.activityInfo.name);
        } else {
          intent.setPackage(info.activityInfo.packageName);
        }
        return true;
      }
    }
    return false;
  }

  private JSONArray appsFor(Intent intent) {
    JSONArray names = new JSONArray();
    for (ResolveInfo info : activity.getPackageManager().queryIntentActivities(intent, 0)) {
      names.put(info.activityInfo.packageName);
    }
    return names;
  }

  private List<String> emailApps() {
    List<String> names = new ArrayList<>();
    PackageManager packages = activity.getPackageManager();
    for (ResolveInfo info : packages.queryIntentActivities(new Intent(Intent.ACTION_SENDTO, Uri.parse(MAIL)), 0)) {
      names.add(info.activityInfo.packageName);
    }
    return names;
  }

  /** Reports whether the phone has an email account that this app can see. */
  private boolean hasAccount() {
    for (Account account : AccountManager.get(activity).getAccounts()) {
      if (Patterns.EMAIL_ADDRESS.matcher(account.name).matches()) {
        return true;
      }
    }
    return false;
  }

  @Override
  void onResult(Call call, JSONObject state, int result, Intent data) throws JSONException {
    ComponentName chosen = data == null ? null : (ComponentName) data.getParcelableExtra(Intent.EXTRA_CHOSEN_COMPONENT);
    String app = chosen == null ? "" : chosen.getPackageName();
    if (call.isCapacitor()) {
      if (chosen == null) {
        call.fail("Share canceled");
      } else {
        call.succeed(new JSONObject().put("activityType", app));
      }
    } else if (call.action.equals("share")) {
      call.succeed(chosen != null);
    } else if (call.action.equals("shareWithOptions")) {
      call.succeed(new JSONObject().put("completed", chosen != null).put("app", app));
    } else {
      call.succeed(DONE);
    }
  }
}
