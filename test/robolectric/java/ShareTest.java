package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.accounts.Account;
import android.accounts.AccountManager;
import android.app.Activity;
import android.content.ClipboardManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.Uri;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowToast;

public class ShareTest extends PluginTest {
  private static final String SOCIAL = "SocialSharing";
  private static final String CAPACITOR = "Capacitor.Share";
  private static final String EMAIL = "EmailComposer";
  private static final String SMS = "Sms";
  private static final ComponentName CHAT = new ComponentName("com.whatsapp", "com.whatsapp.Chat");
  private static final String NO_APP = "No app on this phone can do that.";

  private ShadowActivity.IntentForResult last;

  /** Waits for the intent that a call starts, and returns it. */
  private Intent started(String id) {
    long end = System.nanoTime() + 10_000_000_000L;
    for (last = null; last == null && answers(id).length() == 0 && System.nanoTime() < end; Thread.yield()) {
      last = shadowOf(activity).getNextStartedActivityForResult();
    }
    if (last == null) {
      last = shadowOf(activity).getNextStartedActivityForResult();
    }
    assertTrue(answers(id).toString(), last != null);
    return last.intent;
  }

  /** Returns the intent in the chooser that a call opens. */
  private Intent chosen(String id) {
    Intent chooser = started(id);
    assertEquals(Intent.ACTION_CHOOSER, chooser.getAction());
    return chooser.getParcelableExtra(Intent.EXTRA_INTENT);
  }

  /** Chooses an app, or none, and returns to this one. */
  private JSONArray finish(String id, ComponentName app) throws Exception {
    if (app != null) {
      Intent data = new Intent().putExtra(Intent.EXTRA_CHOSEN_COMPONENT, app);
      activity.onActivityResult(last.requestCode, Activity.RESULT_OK, data);
    }
    activity.onActivityResult(last.requestCode, Activity.RESULT_CANCELED, null);
    assertEquals(1, answers(id).length());
    return answers(id).getJSONArray(0);
  }

  private void install(ComponentName component, String action, String scheme, String type) throws Exception {
    ShadowPackageManager packages = shadowOf(activity.getPackageManager());
    packages.addActivityIfNotPresent(component);
    IntentFilter filter = new IntentFilter(action);
    filter.addCategory(Intent.CATEGORY_DEFAULT);
    if (scheme != null) {
      filter.addDataScheme(scheme);
    }
    if (type != null) {
      filter.addDataType(type);
    }
    packages.addIntentFilterForActivity(component, filter);
  }

  private String text(Uri uri) throws Exception {
    assertTrue(uri.toString(), uri.toString().startsWith("content://com.example.plain.files/"));
    try (InputStream stream = activity.getContentResolver().openInputStream(uri)) {
      return new String(stream.readAllBytes(), "UTF-8");
    }
  }

  private static JSONArray list(Object... values) {
    return new JSONArray(List.of(values));
  }

  @Test
  public void sharesTextsOfCapacitor() throws Exception {
    assertEquals(true, callForObject(CAPACITOR, "canShare").get("value"));
    JSONObject options =
        new JSONObject().put("title", "T").put("text", "a").put("url", "https://x.example/").put("dialogTitle", "Where?");
    String id = send(CAPACITOR, "share", options);
    Intent intent = chosen(id);
    assertEquals("Where?", last.intent.getStringExtra(Intent.EXTRA_TITLE));
    assertEquals(Intent.ACTION_SEND, intent.getAction());
    assertEquals("text/plain", intent.getType());
    assertEquals("a https://x.example/", intent.getStringExtra(Intent.EXTRA_TEXT));
    assertEquals("T", intent.getStringExtra(Intent.EXTRA_SUBJECT));
    assertNull(intent.getComponent());
    JSONArray answer = finish(id, CHAT);
    assertEquals("{\"activityType\":\"com.whatsapp\"}", answer.get(2).toString());
    id = send(CAPACITOR, "share", new JSONObject().put("text", "a"));
    chosen(id);
    answer = finish(id, null);
    assertEquals(1, answer.getInt(1));
    assertEquals("Share canceled", answer.get(2));
    assertEquals("Must provide a URL or Message or files", fail(CAPACITOR, "share", new JSONObject().put("title", "x")));
    assertEquals("Unsupported url", fail(CAPACITOR, "share", new JSONObject().put("url", "intent:#Intent;end")));
    assertEquals("Capacitor.Share doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
  }

  @Test
  public void sharesFilesOfTheApp() throws Exception {
    File own = new File(activity.getCacheDir(), "a b.txt");
    try (java.io.FileWriter writer = new java.io.FileWriter(own)) {
      writer.write("own");
    }
    String id = send(CAPACITOR, "share", new JSONObject().put("url", Uri.fromFile(own).toString()));
    Intent intent = chosen(id);
    assertEquals("text/plain", intent.getType());
    assertEquals("own", text(intent.getParcelableExtra(Intent.EXTRA_STREAM)));
    assertEquals("own", text(intent.getClipData().getItemAt(0).getUri()));
    assertTrue((intent.getFlags() & Intent.FLAG_GRANT_READ_URI_PERMISSION) != 0);
    assertFalse(intent.hasExtra(Intent.EXTRA_TEXT));
    finish(id, CHAT);
    JSONArray files =
        list(own.getPath(), "www/a.js", "https://localhost/dir/%C3%BC%20b.txt", "data:text/plain;base64,Yg==", "df:n.csv;data:x/y;base64,Yw==");
    id = send(SOCIAL, "share", "m", "Subject", files, "https://x.example/");
    intent = chosen(id);
    assertEquals(Intent.ACTION_SEND_MULTIPLE, intent.getAction());
    assertEquals("*/*", intent.getType());
    List<Uri> streams = intent.getParcelableArrayListExtra(Intent.EXTRA_STREAM);
    List<String> texts = new ArrayList<>();
    for (Uri uri : streams) {
      texts.add(text(uri));
    }
    assertEquals("[own, document.title = \"ran\", b, b, c]", texts.toString());
    assertEquals("Subject.txt", streams.get(3).getLastPathSegment());
    assertEquals("n.csv", streams.get(4).getLastPathSegment());
    // Another app may still be reading the first copy.
    assertEquals("1-a b.txt", streams.get(0).getLastPathSegment());
    assertEquals(5, intent.getClipData().getItemCount());
    assertEquals("m https://x.example/", intent.getStringExtra(Intent.EXTRA_TEXT));
    assertEquals(true, finish(id, CHAT).get(2));
  }

  @Test
  public void sharesFilesOfTheNetwork() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", exchange -> {
      boolean isThere = exchange.getRequestURI().getPath().equals("/there");
      exchange.getResponseHeaders().set("Content-Type", "text/csv; charset=utf-8");
      exchange.sendResponseHeaders(isThere ? 200 : 404, isThere ? 3 : -1);
      if (isThere) {
        exchange.getResponseBody().write("net".getBytes("UTF-8"));
      }
      exchange.close();
    });
    server.start();
    try {
      String site = "http://127.0.0.1:" + server.getAddress().getPort();
      String id = send(SOCIAL, "share", "", "", list(site + "/there?x"), "");
      Uri file = chosen(id).getParcelableExtra(Intent.EXTRA_STREAM);
      assertEquals("there.csv", file.getLastPathSegment());
      assertEquals("net", text(file));
      assertEquals(site + "/absent", fail(SOCIAL, "share", "", "", list(site + "/absent"), ""));
    } finally {
      server.stop(0);
    }
  }

  @Test
  public void sharesNothingElse() throws Exception {
    String data = activity.getFilesDir().getParent();
    String[] foreign = {
      "/etc/hosts", "file:///etc/hosts", data + "/shared_prefs/x.xml", "file://" + activity.getFilesDir() + "/../shared_prefs/x.xml",
      "content://com.android.contacts/contacts", "https://localhost/../shell.json", "www/../shell.json", "www/absent.png",
      "file:///android_asset/shell.json", "file:///android_asset/www/../shell.json", "ftp://x.example/a", "app://databases/../shared_prefs/x.xml",
      "data:text/plain,x", "df:x", "base64:x",
    };
    for (String source : foreign) {
      String id = send(SOCIAL, "share", "", "", list(source), "");
      while (answers(id).length() == 0) {
        Thread.yield();
      }
      assertEquals(source, 1, answers(id).getJSONArray(0).getInt(1));
      assertNull(source, shadowOf(activity).getNextStartedActivityForResult());
    }
    assertEquals("file:///etc/hosts", fail(CAPACITOR, "share", new JSONObject().put("files", list("file:///etc/hosts"))));
  }

  @Test
  public void sharesByOptions() throws Exception {
    assertEquals(true, call(SOCIAL, "available"));
    JSONObject options = new JSONObject().put("message", "m").put("url", "https://x.example/").put("chooserTitle", "Where?");
    String id = send(SOCIAL, "shareWithOptions", options);
    assertEquals("m https://x.example/", chosen(id).getStringExtra(Intent.EXTRA_TEXT));
    assertEquals("Where?", last.intent.getStringExtra(Intent.EXTRA_TITLE));
    assertEquals("{\"completed\":true,\"app\":\"com.whatsapp\"}", finish(id, CHAT).get(2).toString());
    id = send(SOCIAL, "shareWithOptions", new JSONObject().put("subject", "s"));
    chosen(id);
    assertEquals("{\"completed\":false,\"app\":\"\"}", finish(id, null).get(2).toString());
    id = send(SOCIAL, "shareWithOptions", options.put("appPackageName", "com.absent"));
    assertEquals("com.absent", started(id).getPackage());
    assertEquals("{\"completed\":false,\"app\":\"\"}", finish(id, null).get(2).toString());
    id = send(SOCIAL, "share", "m", "", list(), "");
    chosen(id);
    assertEquals(false, finish(id, null).get(2));
    assertEquals("SocialSharing doesn't have the action saveToPhotoAlbum.", fail(SOCIAL, "saveToPhotoAlbum", list()));
    assertEquals("SocialSharing doesn't have the action setIPadPopupCoordinates.", fail(SOCIAL, "setIPadPopupCoordinates", "1"));
  }

  @Test
  public void sharesViaAnApp() throws Exception {
    assertEquals("[]", fail(SOCIAL, "canShareVia", "m", "", list(), "", "whatsapp").toString());
    install(CHAT, Intent.ACTION_SEND, null, "text/plain");
    assertEquals("OK", call(SOCIAL, "canShareVia", "m", "", list(), "", "whatsapp"));
    assertEquals("OK", call(SOCIAL, "canShareVia", "m", "", list(), "", "com.whatsapp/com.whatsapp.Chat"));
    assertEquals("[\"com.whatsapp\"]", fail(SOCIAL, "canShareVia", "m", "", list(), "", "twitter").toString());
    assertEquals("[]", fail(SOCIAL, "canShareVia", "m", "", list("data:image/png;base64,AA=="), "", "whatsapp").toString());
    String id = send(SOCIAL, "shareVia", "m", "", list(), "", "whatsapp");
    assertEquals("com.whatsapp", started(id).getPackage());
    assertEquals("OK", finish(id, null).get(2));
    id = send(SOCIAL, "shareVia", "m", "", list(), "", "com.whatsapp/com.whatsapp.Chat");
    assertEquals(CHAT, started(id).getComponent());
    // Only activities that accept the shared content are started.
    id = send(SOCIAL, "shareVia", "m", "", list(), "", "com.whatsapp/com.whatsapp.Secret");
    assertNull(started(id).getComponent());
    assertEquals("com.whatsapp", last.intent.getPackage());
    id = send(SOCIAL, "shareViaWhatsApp", "m", "", list(), "");
    assertEquals("com.whatsapp", started(id).getPackage());
    id = send(SOCIAL, "shareViaWhatsApp", "m", "", list(), "https://x.example/?a", "", "+49 1");
    assertEquals(
        "https://api.whatsapp.com/send?phone=%2B49%201&text=m%20https%3A%2F%2Fx.example%2F%3Fa", started(id).getDataString());
    id = send(SOCIAL, "shareViaTwitter", "m", "", list(), "");
    assertEquals("com.twitter.android", started(id).getPackage());
    id = send(SOCIAL, "shareViaFacebook", "m", "", list(), "");
    assertEquals("com.facebook.katana", started(id).getPackage());
    id = send(SOCIAL, "shareViaInstagram", "caption", "", list("www/a.js"), "");
    assertEquals("com.instagram.android", started(id).getPackage());
    assertEquals("caption", pasted());
    id = send(SOCIAL, "shareViaFacebookWithPasteMessageHint", "text", "", list(), "", "Paste it");
    assertEquals("com.facebook.katana", started(id).getPackage());
    assertEquals("text", pasted());
    assertEquals("Paste it", ShadowToast.getTextOfLatestToast());
  }

  private String pasted() {
    ClipboardManager clipboard = (ClipboardManager) activity.getSystemService(Context.CLIPBOARD_SERVICE);
    return clipboard.getPrimaryClip().getItemAt(0).getText().toString();
  }

  @Test
  public void writesEmails() throws Exception {
    assertEquals("not available", fail(SOCIAL, "canShareViaEmail"));
    assertEquals(false, call(EMAIL, "client", "mailto:"));
    install(new ComponentName("com.mail", "com.mail.Write"), Intent.ACTION_SENDTO, "mailto", null);
    assertEquals("OK", call(SOCIAL, "canShareViaEmail"));
    assertEquals(true, call(EMAIL, "client", "mailto:"));
    assertEquals(true, call(EMAIL, "client", "com.mail"));
    assertEquals(false, call(EMAIL, "client", "com.other"));
    assertEquals("[\"com.mail\"]", call(EMAIL, "clients").toString());
    String id = send(SOCIAL, "shareViaEmail", "<b>x</b>", "S", list("a@x"), list("b@x", "c@x"), list(), list("www/a.js"));
    Intent intent = chosen(id);
    assertEquals(Intent.ACTION_SENDTO, intent.getSelector().getAction());
    assertEquals("mailto:", intent.getSelector().getDataString());
    assertEquals("x", intent.getCharSequenceExtra(Intent.EXTRA_TEXT).toString().trim());
    assertEquals("<b>x</b>", intent.getStringExtra(Intent.EXTRA_HTML_TEXT));
    assertEquals("a@x", String.join(",", intent.getStringArrayExtra(Intent.EXTRA_EMAIL)));
    assertEquals("b@x,c@x", String.join(",", intent.getStringArrayExtra(Intent.EXTRA_CC)));
    assertEquals(0, intent.getStringArrayExtra(Intent.EXTRA_BCC).length);
    assertEquals("document.title = \"ran\"", text(intent.getParcelableExtra(Intent.EXTRA_STREAM)));
    assertEquals("OK", finish(id, null).get(2));
    JSONArray attachments = list("base64:a.png//AAAA", "file://dir/ü b.txt");
    JSONObject options =
        new JSONObject()
            .put("app", "com.mail")
            .put("subject", "S")
            .put("body", "<b>")
            .put("to", list("a@x"))
            .put("cc", list())
            .put("bcc", list())
            .put("attachments", attachments);
    id = send(EMAIL, "open", options);
    intent = started(id);
    assertEquals("com.mail", intent.getPackage());
    assertEquals("<b>", intent.getStringExtra(Intent.EXTRA_TEXT));
    List<Uri> streams = intent.getParcelableArrayListExtra(Intent.EXTRA_STREAM);
    assertEquals("a.png", streams.get(0).getLastPathSegment());
    assertEquals("b", text(streams.get(1)));
    assertEquals("OK", finish(id, null).get(2));
    id = send(EMAIL, "open", options.put("app", "mailto:").put("attachments", list()).put("chooserHeader", "With?"));
    assertEquals(Intent.ACTION_SEND, chosen(id).getAction());
    assertEquals("With?", last.intent.getStringExtra(Intent.EXTRA_TITLE));
    assertEquals("OK", finish(id, CHAT).get(2));
    assertEquals("EmailComposer doesn't have the action nothing.", fail(EMAIL, "nothing"));
  }

  @Test
  public void attachesADatabase() throws Exception {
    activity.openOrCreateDatabase("a.db", Context.MODE_PRIVATE, null).close();
    String id = send(EMAIL, "open", new JSONObject().put("attachments", list("app://databases/a.db")));
    Intent intent = chosen(id);
    assertEquals("a.db", ((Uri) intent.getParcelableExtra(Intent.EXTRA_STREAM)).getLastPathSegment());
  }

  @Test
  public void tellsOfAccounts() throws Exception {
    assertEquals(true, call(EMAIL, "check", 1));
    assertEquals(true, call(EMAIL, "request", 1));
    assertEquals(false, call(EMAIL, "check", 2));
    assertEquals(false, call(EMAIL, "check", 3));
    assertEquals(false, call(EMAIL, "request", 2));
    assertEquals(false, call(EMAIL, "account"));
    shadowOf(AccountManager.get(activity)).addAccount(new Account("a@x.example", "x"));
    assertEquals(true, call(EMAIL, "account"));
  }

  @Test
  public void writesMessages() throws Exception {
    assertEquals(true, call(SMS, "has_permission"));
    assertEquals(true, call(SMS, "request_permission"));
    String id = send(SMS, "send", list("+49 1", "2"), "a\\nb", "", true, "");
    Intent intent = started(id);
    assertEquals(Intent.ACTION_SENDTO, intent.getAction());
    assertEquals("smsto:+49%201;2", intent.getDataString());
    assertEquals("a\nb", intent.getStringExtra("sms_body"));
    assertEquals("OK", finish(id, null).get(2));
    id = send(SMS, "send", list("1"), "a\\nb", "INTENT", false, "");
    assertEquals("a\\nb", started(id).getStringExtra("sms_body"));
    id = send(SOCIAL, "shareViaSMS", new JSONObject().put("message", "m"), "1,2");
    assertEquals("smsto:1;2", started(id).getDataString());
    assertEquals("OK", finish(id, null).get(2));
    assertEquals("Sms doesn't have the action nothing.", fail(SMS, "nothing"));
  }

  @Test
  public void failsWhereNoAppIs() throws Exception {
    shadowOf(activity.getApplication()).checkActivities(true);
    assertEquals("SMS not supported on this platform", fail(SMS, "send", list("1"), "m", "", false, ""));
    assertEquals(NO_APP, fail(SOCIAL, "shareViaSMS", new JSONObject().put("message", "m"), "1"));
    assertEquals("[]", fail(SOCIAL, "shareVia", "m", "", list(), "", "whatsapp").toString());
    assertEquals(NO_APP, fail(SOCIAL, "shareViaWhatsApp", "m", "", list(), "", "1", ""));
  }
}
