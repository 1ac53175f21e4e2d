package appbuild.shell;

import android.Manifest;
import android.app.Activity;
import android.content.ContentProviderOperation;
import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.provider.ContactsContract;
import android.provider.ContactsContract.CommonDataKinds;
import android.provider.ContactsContract.Data;
import android.util.Base64;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-contacts and @capacitor-community/contacts. */
final class Contacts extends Plugin {
  private static final String READ = Manifest.permission.READ_CONTACTS;
  private static final String WRITE = Manifest.permission.WRITE_CONTACTS;
  /** Error codes of the Cordova plugin. */
  private static final int UNKNOWN = 0;
  private static final int CANCELED = 6;
  private static final int DENIED = 20;
  private static final int MAX_PHOTO_BYTES = 4 << 20;
  /** Maximum number of IDs per query. Limited because SQLite accepts at most 999 values in a statement. */
  private static final int MAX_IDS = 500;

  /** Capacitor's names for Android's types, in the order of their numbers. Number 0 is a custom label. */
  private static final String PHONES =
      "custom home mobile work fax_work fax_home pager other callback car company_main isdn main other_fax radio telex tty_tdd work_mobile "
          + "work_pager assistant mms";
  private static final String EMAILS = "custom home work other mobile";
  private static final String PLACES = "custom home work other";
  private static final String COMPANIES = "custom work other";
  private static final String SITES = "custom homepage blog profile home work ftp other";

  /** Fields with several entries. Maps the names of the field and its parts in Cordova and Capacitor to Android's columns. */
  private enum Kind {
    PHONE("phoneNumbers", "phones", CommonDataKinds.Phone.CONTENT_ITEM_TYPE, PHONES, "value number data1"),
    EMAIL("emails", "emails", CommonDataKinds.Email.CONTENT_ITEM_TYPE, EMAILS, "value address data1"),
    IM("ims", "", CommonDataKinds.Im.CONTENT_ITEM_TYPE, PLACES, "value value data1"),
    SITE("urls", "urls", CommonDataKinds.Website.CONTENT_ITEM_TYPE, SITES, "value value data1"),
    ADDRESS(
        "addresses",
        "postalAddresses",
        CommonDataKinds.StructuredPostal.CONTENT_ITEM_TYPE,
        PLACES,
        "formatted formatted data1 streetAddress street data4 - neighborhood data6 locality city data7 region region data8 "
            + "postalCode postcode data9 country country data10"),
    COMPANY(
        "organizations",
        "organization",
        CommonDataKinds.Organization.CONTENT_ITEM_TYPE,
        COMPANIES,
        "name company data1 title jobTitle data4 department department data5");

    final String cordova;
    final String capacitor;
    final String type;
    final List<String> types;
    /** Groups of three: Cordova's name, Capacitor's name, and a column. */
    final String[] parts;

    Kind(String cordova, String capacitor, String type, String types, String parts) {
      this.cordova = cordova;
      this.capacitor = capacitor;
      this.type = type;
      this.types = Arrays.asList(types.split(" "));
      this.parts = parts.split(" ");
    }

    String name(boolean isCapacitor) {
      return isCapacitor ? capacitor : cordova;
    }
  }

  /** Parts of the name, in the format of {@link Kind#parts}. */
  private static final String[] NAME = {
    "formatted", "display", "data1", "givenName", "given", "data2", "familyName", "family", "data3", "honorificPrefix", "prefix", "data4",
    "middleName", "middle", "data5", "honorificSuffix", "suffix", "data6",
  };

  @Override
  String[] services() {
    return new String[] {"Contacts", "Capacitor.Contacts"};
  }

  @Override
  Map<String, String[]> permissions() {
    return Collections.singletonMap("contacts", new String[] {READ, WRITE});
  }

  @Override
  void call(final Call call) throws Exception {
    boolean isWriting = Arrays.asList("save", "remove", "createContact", "deleteContact").contains(call.action);
    if (!isWriting && !Arrays.asList("search", "pickContact", "getContact", "getContacts").contains(call.action)) {
      throw unknown(call);
    }
    String[] permissions = isWriting ? new String[] {READ, WRITE} : new String[] {READ};
    bridge.ask(
        call,
        permissions,
        permissions.length,
        call.isCapacitor() ? "The user hasn't granted the permission." : (Object) DENIED,
        new Bridge.Granted() {
          @Override
          public void run() {
            if (call.action.equals("pickContact")) {
              bridge.start(call, null, new Intent(Intent.ACTION_PICK, ContactsContract.Contacts.CONTENT_URI));
            } else {
              work(call, null);
            }
          }
        });
  }

  /** Answers a call on another thread. @param picked URI of the contact that the user chose, or null for none */
  private void work(final Call call, final Uri picked) {
    bridge.work(
        call,
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            try {
              answer(call, picked);
            } catch (Exception error) {
              if (call.isCapacitor()) {
                throw error;
              }
              call.fail(UNKNOWN);
            }
          }
        });
  }

  private void answer(Call call, Uri picked) throws Exception {
    JSONObject options = call.options();
    JSONObject projection = options.optJSONObject("projection");
    switch (call.action) {
      case "search":
        JSONObject wanted = call.args.optJSONObject(1);
        call.succeed(search(call.args.getJSONArray(0), wanted == null ? new JSONObject() : wanted));
        return;
      case "save":
        String id = save(options, false);
        call.succeed(new Reader(false, null).one(id));
        return;
      case "remove":
        if (remove(call.args.getString(0))) {
          call.succeed(null);
        } else {
          call.fail(UNKNOWN);
        }
        return;
      case "getContacts":
        call.succeed(new JSONObject().put("contacts", new Reader(true, projection).all(null)));
        return;
      case "createContact":
        call.succeed(new JSONObject().put("contactId", save(options.getJSONObject("contact"), true)));
        return;
      case "deleteContact":
        if (remove(options.getString("contactId"))) {
          call.succeed(null);
        } else {
          call.fail("No contact has this ID.");
        }
        return;
      default:
        JSONObject found = new Reader(call.isCapacitor(), projection).one(picked == null ? options.getString("contactId") : idOf(picked));
        if (found == null) {
          call.fail(call.isCapacitor() ? "No contact has this ID." : (Object) UNKNOWN);
        } else {
          call.succeed(call.isCapacitor() ? new JSONObject().put("contact", found) : found);
        }
    }
  }

  @Override
  void onResult(Call call, JSONObject state, int result, Intent data) {
    Uri uri = data == null ? null : data.getData();
    if (result != Activity.RESULT_OK || uri == null || !ContactsContract.AUTHORITY.equals(uri.getAuthority())) {
      call.fail(call.isCapacitor() ? "The user hasn't chosen a contact." : (Object) CANCELED);
      return;
    }
    work(call, uri);
  }

  private String idOf(Uri picked) {
    Cursor cursor = resolver().query(picked, new String[] {ContactsContract.Contacts._ID}, null, null, null);
    String id = "";
    if (cursor != null) {
      id = cursor.moveToFirst() ? cursor.getString(0) : "";
      cursor.close();
    }
    return id;
  }

  private ContentResolver resolver() {
    return activity.getContentResolver();
  }

  private boolean remove(String id) {
    return resolver().delete(ContactsContract.RawContacts.CONTENT_URI, ContactsContract.RawContacts.CONTACT_ID + "=?", new String[] {id}) > 0;
  }

  /** Finds contacts for Cordova's pages. @param fields names of the fields to search, or `*` for all */
  private JSONArray search(JSONArray fields, JSONObject options) throws JSONException {
    String filter = options.optString("filter");
    Set<String> ids = filter.isEmpty() ? null : idsWith(fields, filter);
    if (options.optBoolean("hasPhoneNumber")) {
      Set<String> phoned = ids("mimetype=?", new String[] {Kind.PHONE.type});
      if (ids != null) {
        phoned.retainAll(ids);
      }
      ids = phoned;
    }
    if (ids == null && !options.optBoolean("multiple")) {
      ids = ids(null, null);
    }
    if (ids != null && !options.optBoolean("multiple") && !ids.isEmpty()) {
      ids = Collections.singleton(ids.iterator().next());
    }
    JSONArray desired = options.optJSONArray("desiredFields");
    JSONObject projection = null;
    if (desired != null && desired.length() > 0) {
      projection = new JSONObject();
      for (int index = 0; index < desired.length(); index++) {
        projection.put(desired.optString(index).replaceFirst("\\..*", ""), true);
      }
    }
    return new Reader(false, projection).all(ids);
  }

  private Set<String> idsWith(JSONArray fields, String filter) throws JSONException {
    String like = "%" + filter.replaceAll("[\\\\%_]", "\\\\$0") + "%";
    Set<String> found = new LinkedHashSet<>();
    for (int index = 0; index < fields.length(); index++) {
      String field = fields.getString(index).replaceFirst("\\..*", "");
      boolean isAny = field.equals("*");
      if (field.equals("id")) {
        found.addAll(ids("contact_id=?", new String[] {filter}));
      }
      if (isAny || field.equals("displayName")) {
        found.addAll(ids("display_name LIKE ? ESCAPE '\\'", new String[] {like}));
      }
      StringBuilder columns = new StringBuilder();
      List<String> values = new ArrayList<>();
      String type = typeOf(field);
      if (isAny || type != null) {
        for (int column = 1; column <= 10; column++) {
          // The second column contains the type's number, except for names.
          if (column != 2 || CommonDataKinds.StructuredName.CONTENT_ITEM_TYPE.equals(type)) {
            columns.append(columns.length() == 0 ? "" : " OR ").append("data").append(column).append(" LIKE ? ESCAPE '\\'");
            values.add(like);
          }
        }
        if (!isAny) {
          values.add(type);
        }
        found.addAll(ids("(" + columns + ")" + (isAny ? "" : " AND mimetype=?"), values.toArray(new String[0])));
      }
    }
    return found;
  }

  /** Returns Android's MIME type for a field of Cordova's contacts. @return null for an unknown field */
  private static String typeOf(String field) {
    for (Kind kind : Kind.values()) {
      if (kind.cordova.equals(field)) {
        return kind.type;
      }
    }
    switch (field) {
      case "name":
        return CommonDataKinds.StructuredName.CONTENT_ITEM_TYPE;
      case "nickname":
        return CommonDataKinds.Nickname.CONTENT_ITEM_TYPE;
      case "note":
        return CommonDataKinds.Note.CONTENT_ITEM_TYPE;
      case "birthday":
        return CommonDataKinds.Event.CONTENT_ITEM_TYPE;
      default:
        return null;
    }
  }

  private Set<String> ids(String where, String[] values) {
    Set<String> ids = new LinkedHashSet<>();
    Cursor cursor = resolver().query(Data.CONTENT_URI, new String[] {Data.CONTACT_ID}, where, values, Data.CONTACT_ID);
    while (cursor != null && cursor.moveToNext()) {
      ids.add(cursor.getString(0));
    }
    if (cursor != null) {
      cursor.close();
    }
    return ids;
  }

  /** Converts Android's rows to contacts. */
  private final class Reader {
    private final boolean isCapacitor;
    /** Fields of the result. Null for all. */
    private final JSONObject projection;

    Reader(boolean isCapacitor, JSONObject projection) {
      this.isCapacitor = isCapacitor;
      this.projection = projection;
    }

    /** Returns the contact with an ID, or null if it doesn't exist. */
    JSONObject one(String id) throws JSONException {
      return all(Collections.singleton(id)).optJSONObject(0);
    }

    /** Returns contacts. @param ids IDs of the contacts, or null for all */
    JSONArray all(Set<String> ids) throws JSONException {
      Map<String, JSONObject> contacts = new LinkedHashMap<>();
      if (ids == null) {
        read(contacts, null, null);
      } else {
        List<String> left = new ArrayList<>(ids);
        for (int start = 0; start < left.size(); start += MAX_IDS) {
          String[] part = left.subList(start, Math.min(left.size(), start + MAX_IDS)).toArray(new String[0]);
          read(contacts, "contact_id IN (?" + new String(new char[part.length - 1]).replace("\0", ",?") + ")", part);
        }
      }
      return new JSONArray(contacts.values());
    }

    private void read(Map<String, JSONObject> contacts, String where, String[] values) throws JSONException {
      Cursor cursor = resolver().query(Data.CONTENT_URI, null, where, values, Data.CONTACT_ID);
      while (cursor != null && cursor.moveToNext()) {
        String id = text(cursor, Data.CONTACT_ID);
        JSONObject contact = contacts.get(id);
        if (contact == null) {
          contact = new JSONObject().put(isCapacitor ? "contactId" : "id", id);
          contacts.put(id, contact);
          if (!isCapacitor) {
            contact.put("rawId", text(cursor, Data.RAW_CONTACT_ID));
            put(contact, "displayName", text(cursor, Data.DISPLAY_NAME));
          }
        }
        add(contact, cursor, text(cursor, Data.MIMETYPE));
      }
      if (cursor != null) {
        cursor.close();
      }
    }

    private boolean isWanted(String field) {
      return !field.isEmpty() && (projection == null ? !isCapacitor : projection.optBoolean(field));
    }

    private void put(JSONObject contact, String field, Object value) throws JSONException {
      if (isWanted(field) && value != null) {
        contact.put(field, value);
      }
    }

    private void add(JSONObject contact, Cursor row, String type) throws JSONException {
      for (Kind kind : Kind.values()) {
        if (kind.type.equals(type)) {
          addEntry(contact, row, kind);
          return;
        }
      }
      switch (type) {
        case CommonDataKinds.StructuredName.CONTENT_ITEM_TYPE:
          put(contact, "name", parts(new JSONObject(), row, NAME));
          return;
        case CommonDataKinds.Nickname.CONTENT_ITEM_TYPE:
          if (!isCapacitor) {
            put(contact, "nickname", text(row, "data1"));
          }
          return;
        case CommonDataKinds.Note.CONTENT_ITEM_TYPE:
          put(contact, "note", text(row, "data1"));
          return;
        case CommonDataKinds.Event.CONTENT_ITEM_TYPE:
          if (row.getInt(row.getColumnIndexOrThrow("data2")) == CommonDataKinds.Event.TYPE_BIRTHDAY) {
            put(contact, "birthday", birthday(text(row, "data1")));
          }
          return;
        case CommonDataKinds.Photo.CONTENT_ITEM_TYPE:
          byte[] photo = row.getBlob(row.getColumnIndexOrThrow("data15"));
          if (photo != null) {
            // Uses a data: URL, because a page can't load a file that belongs to another app.
            String url = "data:image/jpeg;base64," + Base64.encodeToString(photo, Base64.NO_WRAP);
            JSONObject field = new JSONObject().put("id", text(row, Data._ID)).put("type", "url").put("value", url).put("pref", false);
            put(contact, isCapacitor ? "image" : "photos", isCapacitor ? new JSONObject().put("base64String", url) : new JSONArray().put(field));
          }
          return;
        default:
      }
    }

    private JSONObject parts(JSONObject entry, Cursor row, String[] parts) throws JSONException {
      for (int index = 0; index < parts.length; index += 3) {
        String name = parts[isCapacitor ? index + 1 : index];
        String value = text(row, parts[index + 2]);
        if (!name.equals("-")) {
          entry.put(name, value == null ? JSONObject.NULL : value);
        }
      }
      return entry;
    }

    private void addEntry(JSONObject contact, Cursor row, Kind kind) throws JSONException {
      String field = kind.name(isCapacitor);
      if (!isWanted(field)) {
        return;
      }
      if (isCapacitor && kind == Kind.COMPANY) {
        contact.put(field, parts(new JSONObject(), row, kind.parts));
        return;
      }
      JSONArray entries = contact.optJSONArray(field);
      if (entries == null) {
        entries = new JSONArray();
        contact.put(field, entries);
      }
      if (isCapacitor && kind == Kind.SITE) {
        entries.put(text(row, "data1"));
        return;
      }
      int number = row.getInt(row.getColumnIndexOrThrow("data2"));
      String label = text(row, "data3");
      String type = number > 0 && number < kind.types.size() ? kind.types.get(number) : "custom";
      boolean isPrimary = row.getInt(row.getColumnIndexOrThrow(Data.IS_PRIMARY)) != 0;
      JSONObject entry = new JSONObject();
      if (isCapacitor) {
        entry.put("type", type).put("label", label == null ? JSONObject.NULL : label).put("isPrimary", isPrimary);
      } else {
        entry.put("id", text(row, Data._ID)).put("pref", isPrimary).put("type", type.equals("custom") && label != null ? label : cordovaType(type));
      }
      entries.put(parts(entry, row, kind.parts));
    }

    /** Returns the parts of a date for Capacitor's pages, or a time for Cordova's. @return null for a string that isn't a date */
    private Object birthday(String text) throws JSONException {
      if (isCapacitor && text != null && text.matches("(\\d{4}|-)-\\d\\d-\\d\\d.*")) {
        String[] parts = text.replaceFirst("^--", "0000-").split("\\D");
        JSONObject birthday = new JSONObject().put("day", Integer.parseInt(parts[2])).put("month", Integer.parseInt(parts[1]));
        return parts[0].equals("0000") ? birthday : birthday.put("year", Integer.parseInt(parts[0]));
      }
      try {
        return isCapacitor || text == null ? null : (Object) dateFormat().parse(text).getTime();
      } catch (ParseException error) {
        return null;
      }
    }
  }

  private static SimpleDateFormat dateFormat() {
    return new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
  }

  /** Converts Capacitor's name of a type to Cordova's, such as `fax_work` to `work fax`. */
  private static String cordovaType(String type) {
    return type.replaceFirst("^fax_(.*)$", "$1 fax").replace('_', ' ');
  }

  private static String text(Cursor cursor, String column) {
    return cursor.getString(cursor.getColumnIndexOrThrow(column));
  }

  /**
   * Adds a contact or changes an existing one. For Cordova's pages, replaces the previous entries of each field in the contact.
   *
   * @return the contact's ID
   */
  private String save(JSONObject contact, boolean isCapacitor) throws Exception {
    String id = isCapacitor ? "" : textOrEmpty(contact, "id");
    String raw = id.isEmpty() ? "" : rawOf(id);
    Writer writer = new Writer(raw, isCapacitor);
    JSONObject name = contact.optJSONObject("name");
    if (name != null) {
      writer.add(CommonDataKinds.StructuredName.CONTENT_ITEM_TYPE, name, NAME, null);
    } else if (!textOrEmpty(contact, "displayName").isEmpty()) {
      writer.addText(CommonDataKinds.StructuredName.CONTENT_ITEM_TYPE, textOrEmpty(contact, "displayName"), null);
    }
    for (Kind kind : Kind.values()) {
      Object entries = contact.opt(kind.name(isCapacitor));
      if (entries instanceof JSONObject) {
        entries = new JSONArray().put(entries);
      }
      if (entries instanceof JSONArray) {
        writer.addAll(kind, (JSONArray) entries);
      }
    }
    writer.addText(CommonDataKinds.Note.CONTENT_ITEM_TYPE, textOrEmpty(contact, "note"), null);
    if (!isCapacitor) {
      writer.addText(CommonDataKinds.Nickname.CONTENT_ITEM_TYPE, textOrEmpty(contact, "nickname"), null);
    }
    writer.addText(CommonDataKinds.Event.CONTENT_ITEM_TYPE, birthdayOf(contact.opt("birthday")), CommonDataKinds.Event.TYPE_BIRTHDAY);
    writer.addPhoto(photoOf(contact, isCapacitor));
    Uri made = resolver().applyBatch(ContactsContract.AUTHORITY, writer.operations)[0].uri;
    String row = raw.isEmpty() ? String.valueOf(ContentUris.parseId(made)) : raw;
    Set<String> ids = ids(Data.RAW_CONTACT_ID + "=?", new String[] {row});
    if (ids.isEmpty()) {
      throw new IOException("A contact without fields isn't kept.");
    }
    return ids.iterator().next();
  }

  private String rawOf(String id) throws IOException {
    Cursor cursor =
        resolver()
            .query(
                ContactsContract.RawContacts.CONTENT_URI,
                new String[] {ContactsContract.RawContacts._ID},
                ContactsContract.RawContacts.CONTACT_ID + "=?",
                new String[] {id},
                null);
    try {
      if (cursor == null || !cursor.moveToFirst()) {
        throw new IOException("No contact has the ID " + id + ".");
      }
      return cursor.getString(0);
    } finally {
      if (cursor != null) {
        cursor.close();
      }
    }
  }

  private static String birthdayOf(Object birthday) {
    if (birthday instanceof Number) {
      return dateFormat().format(new Date(((Number) birthday).longValue()));
    }
    if (!(birthday instanceof JSONObject)) {
      return "";
    }
    JSONObject parts = (JSONObject) birthday;
    String day = String.format(Locale.ROOT, "-%02d-%02d", parts.optInt("month"), parts.optInt("day"));
    return (parts.isNull("year") ? "-" : String.format(Locale.ROOT, "%04d", parts.optInt("year"))) + day;
  }

  /** Reads a contact's photo from a data: URL or from a file of the app. @return null if the contact has no photo */
  private byte[] photoOf(JSONObject contact, boolean isCapacitor) throws IOException {
    JSONObject image = contact.optJSONObject("image");
    JSONArray photos = contact.optJSONArray("photos");
    JSONObject first = isCapacitor ? image : photos == null ? null : photos.optJSONObject(0);
    String url = first == null ? "" : textOrEmpty(first, isCapacitor ? "base64String" : "value");
    if (url.isEmpty()) {
      return null;
    }
    if (isCapacitor || url.startsWith("data:")) {
      return Base64.decode(url.substring(url.indexOf(',') + 1), Base64.DEFAULT);
    }
    File file = bridge.folders.file(url);
    if (file == null) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream stream = new FileInputStream(file)) {
      Files.copy(new Part(stream, MAX_PHOTO_BYTES), bytes);
    }
    return bytes.toByteArray();
  }

  /** Collects the changes to a contact. Android applies either all or none. */
  private static final class Writer {
    final ArrayList<ContentProviderOperation> operations = new ArrayList<>();
    /** ID of the raw contact. Empty for a new contact, which the first operation creates. */
    private final String raw;
    private final boolean isCapacitor;

    Writer(String raw, boolean isCapacitor) {
      this.raw = raw;
      this.isCapacitor = isCapacitor;
      if (raw.isEmpty()) {
        operations.add(
            // Doesn't set an account, so that Android uses the user's default one. Android 16 rejects contacts without it. Sets STARRED,
            // because an operation requires a value.
            ContentProviderOperation.newInsert(ContactsContract.RawContacts.CONTENT_URI)
                .withValue(ContactsContract.RawContacts.STARRED, 0)
                .build());
      }
    }

    private void clear(String type) {
      if (!raw.isEmpty()) {
        operations.add(
            ContentProviderOperation.newDelete(Data.CONTENT_URI)
                .withSelection(Data.RAW_CONTACT_ID + "=? AND " + Data.MIMETYPE + "=?", new String[] {raw, type})
                .build());
      }
    }

    private ContentProviderOperation.Builder insert(String type) {
      ContentProviderOperation.Builder row = ContentProviderOperation.newInsert(Data.CONTENT_URI).withValue(Data.MIMETYPE, type);
      return raw.isEmpty() ? row.withValueBackReference(Data.RAW_CONTACT_ID, 0) : row.withValue(Data.RAW_CONTACT_ID, raw);
    }

    void addAll(Kind kind, JSONArray entries) {
      clear(kind.type);
      for (int index = 0; index < entries.length(); index++) {
        JSONObject entry = entries.optJSONObject(index);
        if (entry == null) {
          operations.add(insert(kind.type).withValue("data1", entries.optString(index)).build());
        } else {
          addEntry(kind.type, entry, kind.parts, kind);
        }
      }
    }

    /** Replaces the entries of a type with one entry. @param kind null for entries without a type */
    void add(String type, JSONObject entry, String[] parts, Kind kind) {
      clear(type);
      addEntry(type, entry, parts, kind);
    }

    private void addEntry(String type, JSONObject entry, String[] parts, Kind kind) {
      ContentProviderOperation.Builder row = insert(type);
      boolean isSplit = false;
      for (int index = parts.length - 3; index >= 0; index -= 3) {
        String value = textOrEmpty(entry, parts[isCapacitor ? index + 1 : index]);
        // Android builds full names and addresses from their parts. If this set both, Android would lose the parts.
        if (!value.isEmpty() && (index > 0 || !isSplit || kind == Kind.COMPANY)) {
          row.withValue(parts[index + 2], value);
          isSplit = true;
        }
      }
      if (kind != null) {
        String named = textOrEmpty(entry, "type");
        int number = -1;
        for (int index = 0; index < kind.types.size(); index++) {
          String each = kind.types.get(index);
          number = each.equals(named) || cordovaType(each).equals(named.toLowerCase(Locale.ROOT)) ? index : number;
        }
        String label = textOrEmpty(entry, "label");
        boolean isPrimary = entry.optBoolean("pref") || entry.optBoolean("isPrimary");
        row.withValue("data2", named.isEmpty() ? kind.types.indexOf("other") : Math.max(0, number))
            .withValue("data3", number > 0 || named.isEmpty() ? null : label.isEmpty() ? named : label)
            .withValue(Data.IS_PRIMARY, isPrimary ? 1 : 0);
      }
      operations.add(row.build());
    }

    /** Replaces the entries of a MIME type with a text. @param type Android's type for the row, or null for none */
    void addText(String mimeType, String text, Integer type) {
      if (!text.isEmpty()) {
        clear(mimeType);
        operations.add(insert(mimeType).withValue("data1", text).withValue("data2", type).build());
      }
    }

    void addPhoto(byte[] photo) {
      if (photo != null) {
        clear(CommonDataKinds.Photo.CONTENT_ITEM_TYPE);
        operations.add(insert(CommonDataKinds.Photo.CONTENT_ITEM_TYPE).withValue("data15", photo).build());
      }
    }
  }
}
