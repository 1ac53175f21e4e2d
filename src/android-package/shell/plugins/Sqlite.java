package appbuild.shell;

import android.database.Cursor;
import android.database.CursorWindow;
import android.database.DatabaseErrorHandler;
import android.database.sqlite.SQLiteConstraintException;
import android.database.sqlite.SQLiteCursor;
import android.database.sqlite.SQLiteCursorDriver;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteException;
import android.database.sqlite.SQLiteFullException;
import android.database.sqlite.SQLiteProgram;
import android.database.sqlite.SQLiteQuery;
import android.os.Build;
import android.util.Log;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-sqlite-storage, cordova-sqlite-ext, @capacitor-community/sqlite, and openDatabase.js. */
final class Sqlite extends Plugin {
  private static final String CAPACITOR = Bridge.CAPACITOR + "CapacitorSQLite";
  /** Suffix that Capacitor's plugin adds to database names. */
  private static final String SUFFIX = "SQLite.db";
  /** Prefix of the keys of Capacitor's read-only connections. */
  private static final String READ_ONLY = "RO/";
  /** The package's folder from which Capacitor's plugin copies databases. */
  private static final String ASSETS = "assets/databases";
  private static final String NO_ENCRYPTION = "This package's SQLite doesn't encrypt databases.";
  /** Size of the cursor window, which limits the size of a row. Android's default is too small for a photo. */
  private static final int WINDOW_BYTES = 32 << 20;
  /** Maximum number of characters in the rows of one statement. */
  private static final int MAX_CHARS = 16 << 20;
  /** Characters per byte of a blob in list format. */
  private static final int CHARS_A_BYTE = 4;
  private static final List<String> ENDS = Arrays.asList("COMMIT", "END", "ROLLBACK");
  /** Statements that are safe to run twice. Android runs a statement again if its rows exceed the window. */
  private static final List<String> REPEATABLE = Arrays.asList("SELECT", "WITH", "VALUES", "PRAGMA", "EXPLAIN");
  /**
   * Names that give access beyond the database, at least on some versions of Android: a function of those versions that deletes files, an
   * SQLite function that accepts memory addresses, and the pragma that can hide either of them in a view.
   */
  private static final Pattern FORBIDDEN = Pattern.compile("_delete_file|fts3_tokenizer|writable_schema", Pattern.CASE_INSENSITIVE);
  /** Codes of WebSQL's SQLError. */
  private static final int UNKNOWN_ERROR = 0;
  private static final int QUOTA_ERROR = 4;
  private static final int SYNTAX_ERROR = 5;
  private static final int CONSTRAINT_ERROR = 6;

  /** A single thread, because a transaction belongs to a thread, and the order of the calls matters. */
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  /** The open databases, keyed by file name, or by {@link #READ_ONLY} and the file name. */
  private final Map<String, Database> databases = new HashMap<>();
  /** Capacitor's connections, with the required version of each database. */
  private final Map<String, Integer> connections = new HashMap<>();
  /** Statements that upgrade Capacitor's databases, keyed by database name and target version. */
  private final Map<String, TreeMap<Integer, JSONArray>> upgrades = new HashMap<>();
  @Override
  String[] services() {
    return new String[] {"SQLitePlugin", CAPACITOR};
  }

  @Override
  void call(final Call call) {
    thread.execute(
        new Runnable() {
          @Override
          public void run() {
            try {
              if (call.isCapacitor()) {
                answer(call, call.options());
              } else {
                answerCordova(call, call.options());
              }
            } catch (Exception error) {
              Log.w(MainActivity.TAG, call.service + "." + call.action, error);
              call.fail(String.valueOf(error.getMessage()));
            } catch (VirtualMachineError error) {
              call.fail("The arguments or the result are too much for the memory.");
            }
          }
        });
  }

  /** Closes the databases, because an open transaction would lock one for the next page. */
  @Override
  void onReset() {
    thread.execute(
        new Runnable() {
          @Override
          public void run() {
            closeAll();
          }
        });
  }

  @Override
  void onDestroy() {
    onReset();
    thread.shutdown();
  }

  private void closeAll() {
    for (Database each : databases.values()) {
      each.close();
    }
    databases.clear();
    connections.clear();
  }

  private void close(String key) {
    Database database = databases.remove(key);
    if (database != null) {
      database.close();
    }
  }

  /** Returns a database's file. @throws IllegalArgumentException for a name that leads out of the app's database folder */
  private File file(String name) {
    if (name.isEmpty() || name.startsWith(".") || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A database can't have the name “" + name + "”.");
    }
    return activity.getDatabasePath(name);
  }

  private Database open(String key, String name, boolean isReadOnly) {
    Database known = databases.get(key);
    if (known == null) {
      known = new Database(file(name), isReadOnly);
      databases.put(key, known);
    }
    return known;
  }

  /* --- cordova-sqlite-storage --- */

  private void answerCordova(Call call, JSONObject options) throws Exception {
    switch (call.action) {
      case "echoStringValue":
        call.succeed(options.getString("value"));
        return;
      case "open":
        String name = options.getString("name");
        if (options.has("createFromResource") && !file(name).exists()) {
          copy(activity.server.open("/" + name), file(name));
        }
        open(name, name, false);
        call.succeed(null);
        return;
      case "close":
        close(options.getString("path"));
        call.succeed(null);
        return;
      case "delete":
        close(options.getString("path"));
        if (SQLiteDatabase.deleteDatabase(file(options.getString("path")))) {
          call.succeed(null);
        } else {
          call.fail("The database “" + options.getString("path") + "” doesn't exist.");
        }
        return;
      case "executeSqlBatch":
      case "backgroundExecuteSqlBatch":
        // Reports failures per statement. The plugin's script ignores a failure of the whole call, and its queue would wait forever.
        JSONArray statements = options.getJSONArray("executes");
        try {
          call.succeed(runAll(databases.get(options.getJSONObject("dbargs").getString("dbname")), statements));
        } catch (OutOfMemoryError error) {
          call.succeed(failAll(statements, new SQLiteException("The results are too large.")));
        }
        return;
      default:
        throw unknown(call);
    }
  }

  private static JSONArray failAll(JSONArray statements, RuntimeException reason) throws JSONException {
    JSONArray results = new JSONArray();
    for (int index = 0; index < statements.length(); index++) {
      JSONObject answer = new JSONObject().put("type", "error").put("result", failure(reason));
      results.put(answer.put("qid", statements.getJSONObject(index).opt("qid")));
    }
    return results;
  }

  private static JSONObject failure(RuntimeException reason) throws JSONException {
    return new JSONObject().put("message", String.valueOf(reason.getMessage())).put("code", codeOf(reason));
  }

  /**
   * Runs all statements, even after a failed one, because the plugin's script decides what to do.
   *
   * @param database null if it isn't open
   */
  private static JSONArray runAll(Database database, JSONArray statements) throws JSONException {
    if (database == null) {
      return failAll(statements, new SQLiteException("The database isn't open."));
    }
    JSONArray results = new JSONArray();
    for (int index = 0; index < statements.length(); index++) {
      JSONObject statement = statements.getJSONObject(index);
      JSONObject answer = new JSONObject();
      JSONObject result = new JSONObject();
      try {
        Result ended = database.run(statement.getString("sql"), statement.optJSONArray("params"), false);
        answer.put("type", "success");
        result.put("rows", ended.rows).put("rowsAffected", ended.changes);
        if (ended.changes > 0) {
          result.put("insertId", ended.lastId);
        }
      } catch (RuntimeException error) {
        answer.put("type", "error");
        result = failure(error);
      }
      // The plugin's scripts from 2016 match results to statements by this ID.
      results.put(answer.put("result", result).put("qid", statement.opt("qid")));
    }
    return results;
  }

  private static int codeOf(RuntimeException error) {
    if (error instanceof SQLiteConstraintException) {
      return CONSTRAINT_ERROR;
    }
    if (error instanceof SQLiteFullException) {
      return QUOTA_ERROR;
    }
    String message = String.valueOf(error.getMessage());
    return message.contains("(code 1)") || message.contains("(code 1 ") ? SYNTAX_ERROR : UNKNOWN_ERROR;
  }

  /* --- @capacitor-community/sqlite --- */

  private void answer(Call call, JSONObject options) throws Exception {
    String name = options.optString("database");
    if (name.endsWith(".db")) {
      name = name.substring(0, name.length() - 3);
    }
    String key = (options.optBoolean("readonly") ? READ_ONLY : "") + name + SUFFIX;
    switch (call.action) {
      case "echo":
        call.succeed(new JSONObject().put("value", options.optString("value")));
        return;
      case "createConnection":
        if (options.optBoolean("encrypted")) {
          throw new UnsupportedOperationException(NO_ENCRYPTION);
        }
        file(name + SUFFIX);
        if (connections.containsKey(key)) {
          throw new IllegalStateException("The connection to " + name + " exists already.");
        }
        connections.put(key, Math.max(1, options.optInt("version", 1)));
        call.succeed(null);
        return;
      case "closeConnection":
        require(key);
        close(key);
        connections.remove(key);
        call.succeed(null);
        return;
      case "checkConnectionsConsistency":
        call.succeed(result(isConsistent(options)));
        return;
      case "addUpgradeStatement":
        addUpgrades(name, options.getJSONArray("upgrade"));
        call.succeed(null);
        return;
      case "open":
        require(key);
        close(key);
        upgrade(open(key, name + SUFFIX, options.optBoolean("readonly")), name, connections.get(key));
        call.succeed(null);
        return;
      case "close":
        opened(key);
        close(key);
        call.succeed(null);
        return;
      case "beginTransaction":
        opened(key).run("BEGIN", null, false);
        call.succeed(changes(0));
        return;
      case "commitTransaction":
        opened(key).run("COMMIT", null, false);
        call.succeed(changes(0));
        return;
      case "rollbackTransaction":
        opened(key).run("ROLLBACK", null, false);
        call.succeed(changes(0));
        return;
      case "isTransactionActive":
        call.succeed(result(opened(key).db.inTransaction()));
        return;
      case "getUrl":
        require(key);
        call.succeed(new JSONObject().put("url", "file://" + file(name + SUFFIX)));
        return;
      case "getVersion":
        call.succeed(new JSONObject().put("version", opened(key).db.getVersion()));
        return;
      case "execute":
        call.succeed(execute(opened(key), options));
        return;
      case "executeSet":
        call.succeed(executeSet(opened(key), options.getJSONArray("set"), options));
        return;
      case "run":
        call.succeed(executeSet(opened(key), new JSONArray().put(options), options));
        return;
      case "query":
        Result found = opened(key).run(options.getString("statement"), options.optJSONArray("values"), true);
        call.succeed(new JSONObject().put("values", found.rows));
        return;
      case "isDBOpen":
        require(key);
        call.succeed(result(databases.containsKey(key)));
        return;
      case "isDBExists":
        require(key);
        call.succeed(result(file(name + SUFFIX).exists()));
        return;
      case "isDatabase":
        call.succeed(result(file(name + SUFFIX).exists()));
        return;
      case "isTableExists":
        call.succeed(result(namesOfTables(opened(key)).toString().contains(JSONObject.quote(options.getString("table")))));
        return;
      case "getTableList":
        call.succeed(new JSONObject().put("values", namesOfTables(opened(key))));
        return;
      case "getDatabaseList":
        call.succeed(new JSONObject().put("values", namesOfFiles(true)));
        return;
      case "getMigratableDbList":
        call.succeed(new JSONObject().put("values", namesOfFiles(false)));
        return;
      case "addSQLiteSuffix":
      case "moveDatabasesAndAddSuffix":
      case "deleteOldDatabases":
        migrate(call.action, options);
        call.succeed(null);
        return;
      case "deleteDatabase":
        require(key);
        close(key);
        SQLiteDatabase.deleteDatabase(file(name + SUFFIX));
        call.succeed(null);
        return;
      case "copyFromAssets":
        copyFromAssets(options.optBoolean("overwrite", true));
        call.succeed(null);
        return;
      case "isInConfigEncryption":
      case "isInConfigBiometricAuth":
      case "isSecretStored":
      case "isDatabaseEncrypted":
        call.succeed(result(false));
        return;
      case "setEncryptionSecret":
      case "changeEncryptionSecret":
      case "clearEncryptionSecret":
      case "checkEncryptionSecret":
        throw new UnsupportedOperationException(NO_ENCRYPTION);
      default:
        throw unknown(call);
    }
  }

  private static JSONObject result(boolean isTrue) throws JSONException {
    return new JSONObject().put("result", isTrue);
  }

  private static JSONObject changes(long count) throws JSONException {
    return new JSONObject().put("changes", new JSONObject().put("changes", count));
  }

  private void require(String key) {
    if (!connections.containsKey(key)) {
      throw new IllegalStateException("The database has no connection: call createConnection first.");
    }
  }

  private Database opened(String key) {
    require(key);
    Database database = databases.get(key);
    if (database == null) {
      throw new IllegalStateException("The database isn't open.");
    }
    return database;
  }

  /** Reports whether the page and the plugin have the same connections. If not, as after the page restarts, closes all databases. */
  private boolean isConsistent(JSONObject options) {
    JSONArray names = options.optJSONArray("dbNames");
    JSONArray modes = options.optJSONArray("openModes");
    List<String> keys = new ArrayList<>();
    for (int index = 0; names != null && modes != null && index < names.length(); index++) {
      keys.add((modes.optString(index).equals("RO") ? READ_ONLY : "") + names.optString(index) + SUFFIX);
    }
    boolean isSame = !keys.isEmpty() && keys.size() == connections.size() && connections.keySet().containsAll(keys);
    if (!isSame) {
      closeAll();
    }
    return isSame;
  }

  private void addUpgrades(String name, JSONArray added) throws JSONException {
    TreeMap<Integer, JSONArray> known = upgrades.get(name);
    if (known == null) {
      known = new TreeMap<>();
      upgrades.put(name, known);
    }
    for (int index = 0; index < added.length(); index++) {
      known.put(added.getJSONObject(index).getInt("toVersion"), added.getJSONObject(index).getJSONArray("statements"));
    }
  }

  private void upgrade(Database database, String name, int version) throws JSONException {
    int current = database.db.getVersion();
    if (current >= version || database.isReadOnly) {
      return;
    }
    database.run("BEGIN", null, false);
    boolean isDone = false;
    try {
      TreeMap<Integer, JSONArray> known = upgrades.get(name);
      for (JSONArray statements : known == null ? new ArrayList<JSONArray>() : known.subMap(current + 1, version + 1).values()) {
        for (int index = 0; index < statements.length(); index++) {
          for (String statement : split(statements.getString(index))) {
            database.run(statement, null, false);
          }
        }
      }
      database.db.setVersion(version);
      isDone = true;
    } finally {
      database.run(isDone ? "COMMIT" : "ROLLBACK", null, false);
    }
  }

  private static JSONObject execute(Database database, JSONObject options) throws JSONException {
    JSONArray set = new JSONArray();
    for (String statement : split(options.getString("statements"))) {
      set.put(new JSONObject().put("statement", statement));
    }
    JSONObject result = executeSet(database, set, options);
    return changes(result.getJSONObject("changes").getLong("changes"));
  }

  /** Runs a set of statements, in a transaction unless the page disables it or has already started one. */
  private static JSONObject executeSet(Database database, JSONArray set, JSONObject options) throws JSONException {
    boolean isTransaction = options.optBoolean("transaction", true) && !database.db.inTransaction();
    String mode = options.optString("returnMode", "no");
    JSONArray rows = new JSONArray();
    long changes = 0;
    long lastId = -1;
    boolean isDone = false;
    if (isTransaction) {
      database.run("BEGIN", null, false);
    }
    try {
      for (int index = 0; index < set.length(); index++) {
        JSONArray values = set.getJSONObject(index).optJSONArray("values");
        // A set can have several rows of values for one statement.
        boolean hasRows = options.has("set") && values != null && values.opt(0) instanceof JSONArray;
        for (int row = 0; row < (hasRows ? values.length() : 1); row++) {
          JSONArray bound = hasRows ? values.getJSONArray(row) : values;
          Result ended = database.run(set.getJSONObject(index).getString("statement"), bound, true);
          changes += ended.changes;
          lastId = ended.lastId;
          for (int each = 0; each < ended.rows.length() && (mode.equals("all") || rows.length() == 0); each++) {
            rows.put(ended.rows.get(each));
          }
        }
      }
      isDone = true;
    } finally {
      if (isTransaction) {
        database.run(isDone ? "COMMIT" : "ROLLBACK", null, false);
      }
    }
    JSONObject result = changes(changes);
    result.getJSONObject("changes").put("lastId", lastId).put("values", mode.equals("no") ? new JSONArray() : rows);
    return result;
  }

  private static JSONArray namesOfTables(Database database) throws JSONException {
    String tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    JSONArray rows = database.run(tables, null, false).rows;
    JSONArray names = new JSONArray();
    for (int index = 0; index < rows.length(); index++) {
      names.put(rows.getJSONObject(index).get("name"));
    }
    return names;
  }

  /** Returns the names of database files. @param areOwn true for those of Capacitor's plugin, false for all others */
  private JSONArray namesOfFiles(boolean areOwn) {
    JSONArray names = new JSONArray();
    String[] all = activity.databaseList();
    Arrays.sort(all);
    for (String name : all) {
      if (name.endsWith(SUFFIX) == areOwn && !name.matches(".*-(journal|wal|shm)")) {
        names.put(name);
      }
    }
    return names;
  }

  /** Converts databases of other plugins to Capacitor's, or deletes them. */
  private void migrate(String action, JSONObject options) throws IOException {
    if (!options.optString("folderPath", "default").equals("default")) {
      throw new IllegalArgumentException("Databases can only come from the folder “default”.");
    }
    JSONArray all = namesOfFiles(false);
    JSONArray wanted = options.optJSONArray("dbNameList");
    for (int index = 0; index < all.length(); index++) {
      String name = all.optString(index);
      File target = file(name.replaceFirst("\\.db$", "") + SUFFIX);
      if (wanted != null && wanted.length() > 0 && !wanted.toString().contains(JSONObject.quote(name))) {
        continue;
      }
      close(name);
      if (!action.equals("deleteOldDatabases") && !target.exists()) {
        copy(new FileInputStream(file(name)), target);
      }
      if (!action.equals("addSQLiteSuffix")) {
        SQLiteDatabase.deleteDatabase(file(name));
      }
    }
  }

  private void copyFromAssets(boolean isOverwriting) throws IOException {
    for (String name : activity.getAssets().list("www/" + ASSETS)) {
      String target = name.endsWith(SUFFIX) ? name : name.replaceFirst("\\.db$", "") + SUFFIX;
      if (name.endsWith(".db") && (isOverwriting || !file(target).exists())) {
        close(target);
        close(READ_ONLY + target);
        SQLiteDatabase.deleteDatabase(file(target));
        copy(activity.server.open("/" + ASSETS + "/" + name), file(target));
      }
    }
  }

  /** Copies a file atomically. */
  private static void copy(InputStream from, File to) throws IOException {
    to.getParentFile().mkdirs();
    File part = new File(to.getPath() + ".part");
    try (InputStream source = from;
        OutputStream target = new FileOutputStream(part)) {
      Files.copy(source, target);
    }
    if (!part.renameTo(to)) {
      throw new IOException("Not copied: " + to.getName());
    }
  }

  /** Splits a string into statements by the rules of sqlite3_complete, where a trigger ends with `; END;`. */
  static List<String> split(String text) {
    List<String> statements = new ArrayList<>();
    // The words and signs of the current statement. The first three show whether it creates a trigger, and the last two whether it ends.
    List<String> tokens = new ArrayList<>();
    int start = 0;
    for (int from = 0; from < text.length(); ) {
      int end = endOfToken(text, from);
      String token = text.substring(from, end);
      from = end;
      if (token.equals(";") && isWhole(tokens)) {
        if (!tokens.isEmpty()) {
          statements.add(text.substring(start, end));
        }
        tokens.clear();
        start = end;
      } else if (!isBlank(token)) {
        tokens.add(token.length() > 9 ? "" : token.toUpperCase(Locale.ROOT));
      }
    }
    if (!tokens.isEmpty()) {
      statements.add(text.substring(start));
    }
    return statements;
  }

  private static boolean isWhole(List<String> tokens) {
    int count = tokens.size();
    boolean isTrigger = count > 3 && tokens.get(0).equals("CREATE") && tokens.subList(1, 3).contains("TRIGGER");
    return !isTrigger || tokens.get(count - 1).equals("END") && tokens.get(count - 2).equals(";");
  }

  private static boolean isBlank(String token) {
    return token.startsWith("--") || token.startsWith("/*") || " \t\n\f\r\ufeff".contains(token.substring(0, 1));
  }

  /** Returns the end of the comment, word, quoted text, or sign that starts at a position. */
  private static int endOfToken(String text, int from) {
    char first = text.charAt(from);
    if (text.startsWith("--", from)) {
      return endBehind(text, "\n", from);
    }
    if (text.startsWith("/*", from)) {
      return endBehind(text, "*/", from + 2);
    }
    if (first == '\'' || first == '"' || first == '`') {
      return endBehind(text, String.valueOf(first), from + 1);
    }
    if (first == '[') {
      return endBehind(text, "]", from);
    }
    int end = from + 1;
    while (isOfWord(first) && end < text.length() && isOfWord(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int endBehind(String text, String sign, int from) {
    int found = text.indexOf(sign, from);
    return found < 0 ? text.length() : found + sign.length();
  }

  private static boolean isOfWord(char character) {
    return character == '_' || character == '$' || Character.isLetterOrDigit(character);
  }

  /** Returns the first word of a statement in upper case, or an empty string. */
  private static String firstWord(String sql) {
    int from = 0;
    while (from < sql.length()) {
      int end = endOfToken(sql, from);
      String token = sql.substring(from, end);
      if (!token.equals(";") && !isBlank(token)) {
        return token.toUpperCase(Locale.ROOT);
      }
      from = end;
    }
    return "";
  }

  private static final class Result {
    final JSONArray rows;
    /** Number of rows changed by the statement and its triggers. */
    final long changes;
    /** ID of the last inserted row. */
    final long lastId;

    Result(JSONArray rows, long changes, long lastId) {
      this.rows = rows;
      this.changes = changes;
      this.lastId = lastId;
    }
  }

  /** An open database. */
  private static final class Database implements DatabaseErrorHandler {
    private final File file;
    final boolean isReadOnly;
    SQLiteDatabase db;
    /** Number of changes since it was opened. */
    private long totalChanges;

    Database(File file, boolean isReadOnly) {
      this.file = file;
      this.isReadOnly = isReadOnly;
      file.getParentFile().mkdirs();
      open();
    }

    private void open() {
      int mode = isReadOnly ? SQLiteDatabase.OPEN_READONLY : SQLiteDatabase.CREATE_IF_NECESSARY;
      // Without this flag, Android would add a table for collations.
      db = SQLiteDatabase.openDatabase(file.getPath(), null, mode | SQLiteDatabase.NO_LOCALIZED_COLLATORS, this);
      // A statement that was compiled before a table changed can return the previous columns.
      db.setMaxSqlCacheSize(1);
      totalChanges = 0;
    }

    /** Keeps a damaged file, which Android's default handler would delete. */
    @Override
    public void onCorruption(SQLiteDatabase damaged) {
      Log.e(MainActivity.TAG, "Damaged, or no database: " + file.getName());
    }

    /** Rolls back an open transaction. A database that couldn't be reopened doesn't have one. */
    void close() {
      try {
        while (db.inTransaction()) {
          db.endTransaction();
        }
      } catch (SQLiteException | IllegalStateException error) {
        Log.w(MainActivity.TAG, file.getName(), error);
      }
      db.close();
    }

    /** Runs one statement. @param hasBytes true to return blobs as lists of bytes, false for strings */
    Result run(String sql, JSONArray values, boolean hasBytes) throws JSONException {
      String word = firstWord(sql);
      String upper = word.equals("ROLLBACK") || word.equals("VACUUM") ? sql.toUpperCase(Locale.ROOT) : word;
      if (word.isEmpty()) {
        throw new SQLiteException("no SQL statement (code 1)");
      }
      if (word.equals("ATTACH") || word.equals("VACUUM") && upper.contains("INTO") || FORBIDDEN.matcher(sql).find()) {
        throw new SQLiteException("This statement isn't allowed (code 23)");
      }
      JSONArray rows = new JSONArray();
      if (word.equals("ROLLBACK") && upper.contains(" TO ")) {
        // The comment keeps old versions of Android from treating this statement as the end of their transaction.
        query(word, "/**/" + sql, rows, rows, hasBytes);
      } else if (ENDS.contains(word) || word.equals("BEGIN")) {
        beginOrEnd(word);
      } else {
        query(word, sql, values == null ? rows : values, rows, hasBytes);
      }
      if (word.equals("SELECT")) {
        return new Result(rows, 0, 0);
      }
      long before = totalChanges;
      try (Cursor cursor = db.rawQuery("SELECT total_changes(), last_insert_rowid()", null)) {
        cursor.moveToFirst();
        totalChanges = cursor.getLong(0);
        return new Result(rows, totalChanges - before, cursor.getLong(1));
      }
    }

    private void beginOrEnd(String word) {
      if (db.inTransaction() == word.equals("BEGIN")) {
        String reason = db.inTransaction() ? "cannot start a transaction within a transaction" : "no transaction is active";
        throw new SQLiteException(reason + " (code 1)");
      }
      if (word.equals("BEGIN")) {
        db.beginTransactionNonExclusive();
        return;
      }
      if (!word.equals("ROLLBACK")) {
        db.setTransactionSuccessful();
      }
      try {
        db.endTransaction();
      } catch (SQLiteException error) {
        // SQLite's transaction may continue after Android's has ended. A new connection has neither.
        db.close();
        open();
        throw error;
      }
    }

    private void query(String word, String sql, final JSONArray values, JSONArray rows, boolean hasBytes) throws JSONException {
      SQLiteDatabase.CursorFactory typed =
          new SQLiteDatabase.CursorFactory() {
            @Override
            public Cursor newCursor(SQLiteDatabase db, SQLiteCursorDriver driver, String table, SQLiteQuery query) {
              for (int index = 0; index < values.length(); index++) {
                bind(query, index + 1, values.opt(index));
              }
              SQLiteCursor cursor = new SQLiteCursor(driver, table, query);
              if (Build.VERSION.SDK_INT >= 28) {
                cursor.setWindow(new CursorWindow(null, WINDOW_BYTES));
              }
              return cursor;
            }
          };
      try (SQLiteCursor cursor = (SQLiteCursor) db.rawQueryWithFactory(typed, sql, null, null)) {
        boolean isRow = cursor.moveToFirst();
        if (isRow && !REPEATABLE.contains(word) && cursor.getCount() > cursor.getWindow().getNumRows()) {
          // To read the rows that don't fit, Android would run the statement again.
          throw new SQLiteException("too many rows are returned");
        }
        int size = 0;
        for (; isRow; isRow = cursor.moveToNext()) {
          JSONObject row = new JSONObject();
          for (int column = 0; column < cursor.getColumnCount(); column++) {
            Object value = valueOf(cursor, column, hasBytes);
            row.put(cursor.getColumnName(column), value);
            size += 16 + (value instanceof String ? ((String) value).length() : 0);
            size += value instanceof JSONArray ? CHARS_A_BYTE * ((JSONArray) value).length() : 0;
            if (size > MAX_CHARS) {
              throw new SQLiteException("the result is too large");
            }
          }
          rows.put(row);
        }
      }
    }

    private static Object valueOf(Cursor cursor, int column, boolean hasBytes) throws JSONException {
      switch (cursor.getType(column)) {
        case Cursor.FIELD_TYPE_NULL:
          return JSONObject.NULL;
        case Cursor.FIELD_TYPE_INTEGER:
          return cursor.getLong(column);
        case Cursor.FIELD_TYPE_FLOAT:
          double number = cursor.getDouble(column);
          // JSON doesn't support infinite numbers.
          return Double.isInfinite(number) ? JSONObject.NULL : (Object) number;
        case Cursor.FIELD_TYPE_BLOB:
          byte[] bytes = cursor.getBlob(column);
          if (!hasBytes) {
            return new String(bytes, StandardCharsets.UTF_8);
          }
          JSONArray list = new JSONArray();
          for (byte each : bytes) {
            list.put(each & 255);
          }
          return list;
        default:
          return cursor.getString(column);
      }
    }

    /** Binds a value. Android's usual methods bind numbers as strings, which aren't equal to numbers in SQLite. */
    private static void bind(SQLiteProgram program, int index, Object value) {
      if (value == null || value == JSONObject.NULL) {
        program.bindNull(index);
      } else if (value instanceof Double || value instanceof Float) {
        program.bindDouble(index, ((Number) value).doubleValue());
      } else if (value instanceof Number) {
        program.bindLong(index, ((Number) value).longValue());
      } else if (value instanceof Boolean) {
        program.bindLong(index, (Boolean) value ? 1 : 0);
      } else if (value instanceof String) {
        program.bindString(index, (String) value);
      } else {
        program.bindBlob(index, bytesOf(value));
      }
    }

    /** Returns the bytes of a value. @param value a list, or a Uint8Array or Buffer in JSON's format */
    private static byte[] bytesOf(Object value) {
      JSONArray list = value instanceof JSONArray ? (JSONArray) value : ((JSONObject) value).optJSONArray("data");
      byte[] bytes = new byte[list == null ? ((JSONObject) value).length() : list.length()];
      for (int index = 0; index < bytes.length; index++) {
        bytes[index] = (byte) (list == null ? ((JSONObject) value).optInt(String.valueOf(index)) : list.optInt(index));
      }
      return bytes;
    }
  }
}
