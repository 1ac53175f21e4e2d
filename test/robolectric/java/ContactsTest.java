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
import android.os.Bundle;
import android.provider.ContactsContract;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;

public class ContactsTest extends PluginTest {
  private static final String CAPACITOR = "Capacitor.Contacts";
  private static final String[] PERMISSIONS = {"android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS"};

  /** Stores rows like Android's own provider. */
  public static final class Rows extends ContentProvider {
    private SQLiteDatabase database;

    @Override
    public boolean onCreate() {
      database = SQLiteDatabase.create(null);
      StringBuilder columns = new StringBuilder();
      for (int index = 1; index <= 15; index++) {
        columns.append(", data").append(index);
      }
      database.execSQL("CREATE TABLE raw_contacts (_id INTEGER PRIMARY KEY, contact_id INTEGER, starred)");
      database.execSQL(
          "CREATE TABLE data (_id INTEGER PRIMARY KEY, raw_contact_id INTEGER, contact_id INTEGER, display_name, mimetype, is_primary DEFAULT 0"
              + columns
              + ")");
      return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
      if (uri.getPath().startsWith("/contacts")) {
        return database.rawQuery("SELECT " + ContentUris.parseId(uri) + " AS _id", null);
      }
      return database.query(uri.getPathSegments().get(0), columns, where, values, null, null, order);
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      String table = uri.getPathSegments().get(0);
      if (values.containsKey(ContactsContract.RawContacts.ACCOUNT_NAME) || values.containsKey(ContactsContract.RawContacts.ACCOUNT_TYPE)) {
        // Behaves like Android 16 if the user's contacts belong to an account.
        throw new IllegalArgumentException("Cannot add contacts to local or SIM accounts when default account is set to cloud");
      }
      long id = database.insertOrThrow(table, null, values);
      if (table.equals("raw_contacts")) {
        database.execSQL("UPDATE raw_contacts SET contact_id = _id + 100 WHERE _id = " + id);
      } else {
        database.execSQL("UPDATE data SET contact_id = raw_contact_id + 100 WHERE _id = " + id);
        String name =
            "(SELECT coalesce(data1, data2 || ' ' || data3) FROM data AS d "
                + "WHERE d.raw_contact_id = data.raw_contact_id AND d.mimetype LIKE '%/name')";
        database.execSQL("UPDATE data SET display_name = " + name);
      }
      return ContentUris.withAppendedId(uri, id);
    }

    @Override
    public int delete(Uri uri, String where, String[] values) {
      String table = uri.getPathSegments().get(0);
      if (table.equals("raw_contacts")) {
        database.delete("data", where, values);
      }
      return database.delete(table, where, values);
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] arguments) {
      return 0;
    }

    @Override
    public String getType(Uri uri) {
      return null;
    }
  }

  @Before
  public void grant() {
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(PERMISSIONS);
    ProviderInfo info = new ProviderInfo();
    info.authority = ContactsContract.AUTHORITY;
    Robolectric.buildContentProvider(Rows.class).create(info);
  }

  private static JSONObject json(String text) throws Exception {
    return new JSONObject(text.replace('\'', '"'));
  }

  private static JSONArray fields(String... names) {
    return new JSONArray(java.util.List.of(names));
  }

  private JSONObject saved(String contact) throws Exception {
    return callForObject("Contacts", "save", json(contact));
  }

  private JSONArray find(String field, String filter) throws Exception {
    return (JSONArray) call("Contacts", "search", fields(field), new JSONObject().put("filter", filter).put("multiple", true));
  }

  @Test
  public void cordovaSavesAndFinds() throws Exception {
    JSONObject ada =
        saved(
            "{'id':null,'name':{'formatted':'x','givenName':'Ada','familyName':'Lovelace','middleName':null},'nickname':'Countess','note':'100%',"
                + "'birthday':-4861900800000,'phoneNumbers':[{'type':'work fax','value':'123','pref':true},{'type':'bat','value':'456'}],"
                + "'emails':[{'type':'home','value':'ada@example.com'}],'urls':[{'type':'blog','value':'https://example.com'}],"
                + "'ims':[{'type':'other','value':'ada'}],'organizations':[{'name':'Engines','title':'Analyst','department':'Notes'}],"
                + "'addresses':[{'type':'home','streetAddress':'St James 1','locality':'London','postalCode':'SW1','country':'UK'}],"
                + "'photos':[{'type':'url','value':'data:image/png;base64,AAEC'}]}");
    assertEquals("Ada", ada.getJSONObject("name").getString("givenName"));
    assertEquals("Ada Lovelace", ada.getString("displayName"));
    assertEquals("Countess", ada.getString("nickname"));
    assertEquals("100%", ada.getString("note"));
    assertEquals(-4861900800000L, ada.getLong("birthday"), 24 * 3600000);
    JSONArray phones = ada.getJSONArray("phoneNumbers");
    assertEquals("work fax", phones.getJSONObject(0).getString("type"));
    assertEquals(true, phones.getJSONObject(0).getBoolean("pref"));
    assertEquals("bat", phones.getJSONObject(1).getString("type"));
    assertEquals("home", ada.getJSONArray("emails").getJSONObject(0).getString("type"));
    assertEquals("blog", ada.getJSONArray("urls").getJSONObject(0).getString("type"));
    assertEquals("Analyst", ada.getJSONArray("organizations").getJSONObject(0).getString("title"));
    assertEquals("London", ada.getJSONArray("addresses").getJSONObject(0).getString("locality"));
    assertEquals("data:image/jpeg;base64,AAEC", ada.getJSONArray("photos").getJSONObject(0).getString("value"));
    saved("{'displayName':'Bob','phoneNumbers':null}");

    assertEquals(2, find("*", "").length());
    assertEquals(1, find("name", "lovelace").length());
    assertEquals(1, find("displayName", "bob").length());
    assertEquals(1, find("phoneNumbers", "45").length());
    assertEquals(0, find("emails", "45").length());
    assertEquals(1, find("*", "example.com").length());
    assertEquals(1, find("note", "%").length());
    assertEquals(0, find("note", "_").length());
    assertEquals(0, find("*", "' OR 1=1 --").length());
    assertEquals(1, find("id", ada.getString("id")).length());
    assertEquals(1, ((JSONArray) call("Contacts", "search", fields("*"), json("{'filter':''}"))).length());
    assertEquals(1, ((JSONArray) call("Contacts", "search", fields("*"), json("{'multiple':true,'hasPhoneNumber':true}"))).length());
    JSONObject desired = json("{'filter':'Ada','multiple':true,'desiredFields':['emails']}");
    JSONObject part = ((JSONArray) call("Contacts", "search", fields("name"), desired)).getJSONObject(0);
    assertTrue(part.has("emails") && part.has("id"));
    assertFalse(part.has("phoneNumbers"));

    JSONObject changed = saved("{'id':'" + ada.getString("id") + "','phoneNumbers':[{'type':'mobile','value':'789'}],'emails':[],'note':null}");
    assertEquals(ada.getString("id"), changed.getString("id"));
    assertEquals(1, changed.getJSONArray("phoneNumbers").length());
    assertFalse(changed.has("emails"));
    assertEquals("100%", changed.getString("note"));
    call("Contacts", "remove", ada.getString("id"));
    assertEquals(0, fail("Contacts", "remove", ada.getString("id")));
    assertEquals(0, fail("Contacts", "save", json("{'id':'999'}")));
    assertEquals(0, fail("Contacts", "save", json("{'id':null}")));
    assertEquals("Contacts doesn't have the action nothing.", fail("Contacts", "nothing"));
  }

  @Test
  public void cordovaPicks() throws Exception {
    JSONObject bob = saved("{'displayName':'Bob'}");
    String id = send("Contacts", "pickContact");
    Intent pick = shadowOf(activity).getNextStartedActivityForResult().intent;
    assertEquals(Intent.ACTION_PICK, pick.getAction());
    Uri chosen = Uri.parse("content://com.android.contacts/contacts/lookup/x/" + bob.getString("id"));
    shadowOf(activity).receiveResult(pick, Activity.RESULT_OK, new Intent().setData(chosen));
    while (answers(id).length() == 0) {
      Thread.yield();
    }
    assertEquals("Bob", answers(id).getJSONArray(0).getJSONObject(2).getString("displayName"));

    id = send("Contacts", "pickContact");
    pick = shadowOf(activity).getNextStartedActivityForResult().intent;
    shadowOf(activity).receiveResult(pick, Activity.RESULT_CANCELED, null);
    assertEquals(6, answers(id).getJSONArray(0).getInt(2));
    // Another app returns something that isn't a contact.
    id = send("Contacts", "pickContact");
    pick = shadowOf(activity).getNextStartedActivityForResult().intent;
    shadowOf(activity).receiveResult(pick, Activity.RESULT_OK, new Intent().setData(Uri.parse("content://com.example.plain.files/1")));
    assertEquals(6, answers(id).getJSONArray(0).getInt(2));
    // A contact that Android can't read.
    id = send("Contacts", "pickContact");
    pick = shadowOf(activity).getNextStartedActivityForResult().intent;
    shadowOf(activity).receiveResult(pick, Activity.RESULT_OK, new Intent().setData(Uri.parse("content://com.android.contacts/contacts/x")));
    while (answers(id).length() == 0) {
      Thread.yield();
    }
    assertEquals(0, answers(id).getJSONArray(0).get(2));
  }

  @Test
  public void cordovaHearsOfRefusals() throws Exception {
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(PERMISSIONS);
    String id = send("Contacts", "search", fields("*"), new JSONObject());
    assertEquals(0, answers(id).length());
    activity.onRequestPermissionsResult(2, PERMISSIONS, new int[] {PackageManager.PERMISSION_DENIED, PackageManager.PERMISSION_DENIED});
    assertEquals(20, answers(id).getJSONArray(0).getInt(2));
  }

  @Test
  public void capacitorMakesAndReads() throws Exception {
    String id =
        callForObject(
                CAPACITOR,
                "createContact",
                json(
                    "{'contact':{'name':{'given':'Ada','family':'Lovelace'},'organization':{'company':'Engines','jobTitle':'Analyst'},"
                        + "'birthday':{'day':10,'month':12,'year':1815},'note':'n',"
                        + "'phones':[{'type':'fax_work','label':null,'number':'123','isPrimary':true}],"
                        + "'emails':[{'type':'custom','label':'bat','address':'a@b.c'}],'urls':['https://example.com'],"
                        + "'postalAddresses':[{'type':'home','street':'St James 1','city':'London'}],'image':{'base64String':'AAEC'}}}"))
            .getString("contactId");
    JSONObject all = new JSONObject();
    for (String field : "name organization birthday note phones emails urls postalAddresses image".split(" ")) {
      all.put(field, true);
    }
    JSONObject ada = callForObject(CAPACITOR, "getContact", new JSONObject().put("contactId", id).put("projection", all)).getJSONObject("contact");
    assertEquals(id, ada.getString("contactId"));
    assertEquals("Lovelace", ada.getJSONObject("name").getString("family"));
    assertTrue(ada.getJSONObject("name").isNull("middle"));
    assertEquals("Analyst", ada.getJSONObject("organization").getString("jobTitle"));
    assertEquals("{\"day\":10,\"month\":12,\"year\":1815}", ada.getJSONObject("birthday").toString());
    assertEquals("fax_work", ada.getJSONArray("phones").getJSONObject(0).getString("type"));
    assertEquals("bat", ada.getJSONArray("emails").getJSONObject(0).getString("label"));
    assertEquals("https://example.com", ada.getJSONArray("urls").getString(0));
    assertEquals("London", ada.getJSONArray("postalAddresses").getJSONObject(0).getString("city"));
    assertTrue(ada.getJSONObject("image").getString("base64String").endsWith("AAEC"));
    JSONArray names = callForObject(CAPACITOR, "getContacts", json("{'projection':{'name':true}}")).getJSONArray("contacts");
    assertEquals(1, names.length());
    assertFalse(names.getJSONObject(0).has("phones"));
    call(CAPACITOR, "createContact", json("{'contact':{'name':{'given':'B'},'birthday':{'day':1,'month':2}}}"));
    JSONArray born = callForObject(CAPACITOR, "getContacts", json("{'projection':{'birthday':true}}")).getJSONArray("contacts");
    assertEquals("{\"day\":1,\"month\":2}", born.getJSONObject(1).getJSONObject("birthday").toString());
    call(CAPACITOR, "deleteContact", new JSONObject().put("contactId", id));
    assertEquals("No contact has this ID.", fail(CAPACITOR, "deleteContact", new JSONObject().put("contactId", id)));
    assertEquals("No contact has this ID.", fail(CAPACITOR, "getContact", new JSONObject().put("contactId", id)));
    assertEquals("granted", callForObject(CAPACITOR, "checkPermissions").getString("contacts"));
    assertEquals("Capacitor.Contacts doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
  }

  /** Android ended the app while the user was choosing. */
  @Test
  public void cordovaPicksAfterAndroidEndedTheApp() throws Exception {
    JSONObject bob = saved("{'displayName':'Bob'}");
    send("Contacts", "pickContact");
    Bundle state = new Bundle();
    controller.saveInstanceState(state);
    close();
    open(state);
    Intent picked = new Intent().setData(Uri.parse("content://com.android.contacts/contacts/lookup/x/" + bob.getString("id")));
    activity.onActivityResult(100, Activity.RESULT_OK, picked);
    while (answers("restored").length() == 0) {
      Thread.yield();
    }
    JSONObject answer = answers("restored").getJSONArray(0).getJSONObject(2);
    assertEquals("pickContact", answer.getString("action"));
    assertEquals("Bob", answer.getJSONObject("value").getString("displayName"));
  }
}
