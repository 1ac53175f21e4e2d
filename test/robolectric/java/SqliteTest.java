package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.os.Build;
import java.io.File;
import java.io.FileOutputStream;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;

public class SqliteTest extends PluginTest {
  private static final String SERVICE = "SQLitePlugin";
  private static final String CAPACITOR = "Capacitor.CapacitorSQLite";

  private static JSONObject object(Object... pairs) throws Exception {
    JSONObject object = new JSONObject();
    for (int index = 0; index < pairs.length; index += 2) {
      object.put((String) pairs[index], pairs[index + 1]);
    }
    return object;
  }

  private void openDatabase(String name) throws Exception {
    call(SERVICE, "open", object("name", name, "dblocation", "nosync"));
  }

  private static JSONObject statement(String sql, Object... params) throws Exception {
    return object("sql", sql, "params", new JSONArray(params));
  }

  private JSONArray run(JSONObject... statements) throws Exception {
    JSONObject batch = object("dbargs", object("dbname", "a.db"), "executes", new JSONArray(List.of(statements)));
    return (JSONArray) call(SERVICE, "backgroundExecuteSqlBatch", batch);
  }

  /** Runs a statement. @return its result */
  private JSONObject sql(String sql, Object... params) throws Exception {
    JSONObject answer = run(statement(sql, params)).getJSONObject(0);
    assertEquals(answer.toString(), "success", answer.getString("type"));
    return answer.getJSONObject("result");
  }

  private JSONObject error(String sql, Object... params) throws Exception {
    JSONObject answer = run(statement(sql, params)).getJSONObject(0);
    assertEquals(answer.toString(), "error", answer.getString("type"));
    return answer.getJSONObject("result");
  }

  private Object value(String sql, Object... params) throws Exception {
    return sql(sql, params).getJSONArray("rows").getJSONObject(0).get("v");
  }

  @Test
  public void echoesAndOpens() throws Exception {
    assertEquals("test-string", call(SERVICE, "echoStringValue", object("value", "test-string")));
    // The plugin's script closes the database before it opens it.
    call(SERVICE, "close", object("path", "a.db"));
    openDatabase("a.db");
    sql("CREATE TABLE t(a)");
    assertEquals(1, sql("SELECT name FROM sqlite_master").getJSONArray("rows").length());
    call(SERVICE, "close", object("path", "a.db"));
    // Each statement gets an answer, because the plugin's script has no other result.
    JSONArray statements = new JSONArray().put(statement("SELECT 1")).put(statement("SELECT 2").put("qid", 12));
    JSONArray answers =
        (JSONArray) call(SERVICE, "backgroundExecuteSqlBatch", object("dbargs", object("dbname", "a.db"), "executes", statements));
    assertEquals(12, answers.getJSONObject(1).getInt("qid"));
    assertEquals("error", answers.getJSONObject(1).getString("type"));
    assertEquals("The database isn't open.", answers.getJSONObject(1).getJSONObject("result").getString("message"));
    openDatabase("a.db");
    assertEquals(0, sql("SELECT * FROM t").getJSONArray("rows").length());
    call(SERVICE, "delete", object("path", "a.db"));
    assertEquals("The database “a.db” doesn't exist.", fail(SERVICE, "delete", object("path", "a.db")));
    assertEquals("SQLitePlugin doesn't have the action attach.", fail(SERVICE, "attach", new JSONObject()));
  }

  @Test
  public void namesStayInTheirFolder() throws Exception {
    for (String name : new String[] {"", "..", ".hidden", "../files/a.db", "/data/a.db", "a/b", "a\0b"}) {
      String reason = "A database can't have the name “" + name + "”.";
      assertEquals(reason, fail(SERVICE, "open", object("name", name)));
      assertEquals(reason, fail(SERVICE, "delete", object("path", name)));
    }
    assertEquals(
        "A database can't have the name “../xSQLite.db”.",
        fail(CAPACITOR, "createConnection", object("database", "../x")));
  }

  @Test
  public void reachesNoOtherFile() throws Exception {
    openDatabase("a.db");
    File other = new File(activity.getFilesDir(), "other.db");
    for (String sql :
        new String[] {
          "ATTACH '" + other + "' AS other",
          " ;\n-- a\n/* b */\ufeffattach database '" + other + "' as other",
          "VACUUM INTO '" + other + "'",
          "vacuum main/**/into '" + other + "'",
          "SELECT _Delete_File('/sdcard/a')",
          "SELECT \"FTS3_tokenizer\"('simple', X'00')",
          "PRAGMA [writable_schema] = 1",
        }) {
      assertTrue(sql, error(sql).getString("message").contains("isn't allowed"));
    }
    assertFalse(other.exists());
    sql("VACUUM");
  }

  @Test
  public void valuesKeepTheirTypes() throws Exception {
    openDatabase("a.db");
    assertEquals("integer", value("SELECT typeof(?) AS v", 1));
    assertEquals("integer", value("SELECT typeof(?) AS v", 1234567890123L));
    assertEquals("real", value("SELECT typeof(?) AS v", 1.5));
    assertEquals("text", value("SELECT typeof(?) AS v", "1"));
    assertEquals("null", value("SELECT typeof(?) AS v", JSONObject.NULL));
    assertEquals("null", value("SELECT typeof(?) AS v"));
    assertEquals(9007199254740991L, value("SELECT ? AS v", 9007199254740991L));
    assertEquals(Long.MIN_VALUE, value("SELECT ? AS v", Long.MIN_VALUE));
    assertEquals("日本😀\u2028\"'", value("SELECT ? AS v", "日本😀\u2028\"'"));
    assertEquals(JSONObject.NULL, value("SELECT NULL AS v"));
    assertEquals(JSONObject.NULL, value("SELECT 1e999 AS v"));
    assertEquals("@ABC", value("SELECT X'40414243' AS v"));
    assertEquals(1, value("SELECT ? = 1 AS v", 1));
    assertEquals(0, error("SELECT ? AS v", 1, 2).getInt("code"));
  }

  @Test
  public void tellsChangesAndIds() throws Exception {
    openDatabase("a.db");
    sql("CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE)");
    sql("CREATE TABLE log(a)");
    JSONObject first = sql("INSERT INTO t(a) VALUES (?), (?)", "x", "y");
    assertEquals(2, first.getInt("rowsAffected"));
    assertEquals(2, first.getInt("insertId"));
    assertEquals(3, sql("REPLACE INTO t(a) VALUES ('y')").getInt("insertId"));
    JSONObject ignored = sql("INSERT OR IGNORE INTO t(a) VALUES ('y')");
    assertEquals(0, ignored.getInt("rowsAffected"));
    assertFalse(ignored.has("insertId"));
    assertEquals(2, sql("UPDATE t SET a = a || '!'").getInt("rowsAffected"));
    assertEquals(0, sql("SELECT * FROM t").getInt("rowsAffected"));
    sql("CREATE TRIGGER added AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); INSERT INTO log VALUES ('more'); END");
    JSONObject triggered = sql("INSERT INTO t(a) VALUES ('z')");
    assertEquals(3, triggered.getInt("rowsAffected"));
    assertEquals(4, triggered.getInt("insertId"));
    if (Build.VERSION.SDK_INT >= 36) {
      JSONObject returned = sql("INSERT INTO t(a) VALUES ('r') RETURNING id AS v, a");
      assertEquals(5, returned.getJSONArray("rows").getJSONObject(0).getInt("v"));
      assertEquals(5, returned.getInt("insertId"));
    }
    assertTrue(sql(" ; /* a */ DELETE FROM t WHERE id = ?", 1).getInt("rowsAffected") == 1);
    // A query returns a new column immediately.
    sql("SELECT * FROM log");
    sql("ALTER TABLE log ADD COLUMN b DEFAULT 7");
    assertEquals(7, sql("SELECT * FROM log").getJSONArray("rows").getJSONObject(0).getInt("b"));
  }

  @Test
  public void tellsErrors() throws Exception {
    openDatabase("a.db");
    sql("CREATE TABLE t(a UNIQUE)");
    JSONArray answers =
        run(statement("INSERT INTO t VALUES (1)"), statement("INSERT INTO t VALUES (1)"), statement("SELECT 1 AS v"));
    assertEquals("success", answers.getJSONObject(0).getString("type"));
    assertEquals(6, answers.getJSONObject(1).getJSONObject("result").getInt("code"));
    assertEquals("success", answers.getJSONObject(2).getString("type"));
    JSONObject syntax = error("SELEC 1");
    assertEquals(5, syntax.getInt("code"));
    assertTrue(syntax.toString(), syntax.getString("message").contains("syntax error"));
    assertEquals(5, error("SELECT * FROM absent").getInt("code"));
    assertEquals(5, error(" ; -- nothing").getInt("code"));
    // The plugin's scripts from 2016 match results to statements by this ID.
    assertEquals(12, run(statement("SELECT 1").put("qid", 12)).getJSONObject(0).getInt("qid"));
  }

  @Test
  public void keepsTransactions() throws Exception {
    openDatabase("a.db");
    sql("CREATE TABLE t(a)");
    sql("BEGIN");
    assertEquals(5, error("BEGIN").getInt("code"));
    sql("INSERT INTO t VALUES (1)");
    sql("ROLLBACK");
    assertEquals(0, value("SELECT count(*) AS v FROM t"));
    assertEquals(5, error("COMMIT").getInt("code"));
    sql(" begin immediate");
    sql("INSERT INTO t VALUES (1)");
    sql("SAVEPOINT s");
    sql("INSERT INTO t VALUES (2)");
    sql("ROLLBACK TO s");
    sql("RELEASE s");
    sql("END TRANSACTION");
    assertEquals(1, value("SELECT count(*) AS v FROM t"));
    // A failed commit leaves no transaction open.
    sql("PRAGMA foreign_keys = ON");
    sql("CREATE TABLE p(id PRIMARY KEY)");
    sql("CREATE TABLE c(p REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED)");
    sql("BEGIN");
    sql("INSERT INTO c VALUES (1)");
    assertEquals(6, error("COMMIT").getInt("code"));
    sql("BEGIN");
    sql("COMMIT");
    assertEquals(0, value("SELECT count(*) AS v FROM c"));
  }

  @Test
  public void theNextPageFindsNothingLocked() throws Exception {
    openDatabase("a.db");
    sql("CREATE TABLE t(a)");
    sql("BEGIN");
    sql("INSERT INTO t VALUES (1)");
    connect();
    openDatabase("a.db");
    sql("INSERT INTO t VALUES (2)");
    assertEquals(1, value("SELECT count(*) AS v FROM t"));
  }

  @Test
  public void theNextPageFindsWhatTheOneBeforeCouldNotOpen() throws Exception {
    openDatabase("a.db");
    sql("CREATE TABLE p(id INTEGER PRIMARY KEY)");
    sql("CREATE TABLE c(p REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED)");
    sql("PRAGMA foreign_keys = ON");
    sql("BEGIN");
    sql("INSERT INTO c VALUES (1)");
    File file = activity.getDatabasePath("a.db");
    File elsewhere = new File(activity.getFilesDir(), "a.db");
    assertTrue(file.renameTo(elsewhere) && file.mkdir());
    error("COMMIT");
    connect();
    finishWork();
    assertTrue(file.delete() && elsewhere.renameTo(file));
    openDatabase("a.db");
    sql("SELECT * FROM p");
  }

  @Test
  public void largeRowsAndManyRows() throws Exception {
    openDatabase("a.db");
    String photo = "x".repeat(3 << 20);
    if (Build.VERSION.SDK_INT >= 28) {
      assertEquals(photo, value("SELECT ? AS v", photo));
    }
    JSONArray rows =
        sql("WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 20000) SELECT v, hex(zeroblob(200)) AS h FROM n")
            .getJSONArray("rows");
    assertEquals(20000, rows.length());
    assertEquals(20000, rows.getJSONObject(19999).getInt("v"));
    String message = error("SELECT hex(zeroblob(9000000)) AS v UNION ALL SELECT hex(zeroblob(8000000))").getString("message");
    assertTrue(message, !message.isEmpty());
  }

  @Test
  public void beginsWithADatabaseOfThePackage() throws Exception {
    call(SERVICE, "open", object("name", "seed.db", "createFromResource", "1"));
    JSONObject select = object("dbargs", object("dbname", "seed.db"), "executes", new JSONArray().put(statement("SELECT a FROM t")));
    String found = ((JSONArray) call(SERVICE, "backgroundExecuteSqlBatch", select)).toString();
    assertTrue(found, found.contains("seed"));
    fail(SERVICE, "open", object("name", "absent.db", "createFromResource", "1"));
    assertFalse(activity.getDatabasePath("absent.db").exists());
  }

  @Test
  public void aDamagedFileStays() throws Exception {
    File file = activity.getDatabasePath("a.db");
    file.getParentFile().mkdirs();
    try (FileOutputStream stream = new FileOutputStream(file)) {
      stream.write("This is no database, and longer than the header of one would be: a hundred characters and some more."
          .repeat(20).getBytes("UTF-8"));
    }
    long size = file.length();
    JSONArray answer = answers(send(SERVICE, "open", object("name", "a.db")));
    assertTrue(String.valueOf(answer), file.exists());
    fail(SERVICE, "delete", object("path", "b.db"));
    assertEquals(size, file.length());
  }

  @Test
  public void splitsStatements() {
    assertEquals(
        List.of("SELECT ';' ;", " -- a;\n SELECT \";\", `;`, [;] /* ; */;", "\nSELECT 1"),
        Sqlite.split("SELECT ';' ; -- a;\n SELECT \";\", `;`, [;] /* ; */;;\nSELECT 1"));
    String trigger = "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM b; END;";
    assertEquals(List.of(trigger, " SELECT 1;"), Sqlite.split(trigger + " SELECT 1;"));
    assertEquals(List.of(), Sqlite.split(" ; -- only this"));
  }

  private JSONObject named(Object... pairs) throws Exception {
    return object(pairs).put("database", "app");
  }

  private void openCapacitor(int version) throws Exception {
    call(CAPACITOR, "createConnection", named("version", version, "encrypted", false, "mode", "no-encryption"));
    call(CAPACITOR, "open", named());
  }

  @Test
  public void capacitorConnects() throws Exception {
    assertEquals("a", callForObject(CAPACITOR, "echo", object("value", "a")).getString("value"));
    assertTrue(((String) fail(CAPACITOR, "open", named())).contains("createConnection"));
    assertTrue(((String) fail(CAPACITOR, "createConnection", named("encrypted", true))).contains("encrypt"));
    assertTrue(((String) fail(CAPACITOR, "setEncryptionSecret", object("passphrase", "a"))).contains("encrypt"));
    assertFalse(callForObject(CAPACITOR, "isSecretStored").getBoolean("result"));
    assertFalse(callForObject(CAPACITOR, "isDatabase", named()).getBoolean("result"));
    call(CAPACITOR, "createConnection", named());
    fail(CAPACITOR, "createConnection", named());
    assertFalse(callForObject(CAPACITOR, "isDBOpen", named()).getBoolean("result"));
    assertEquals("The database isn't open.", fail(CAPACITOR, "query", named("statement", "SELECT 1")));
    call(CAPACITOR, "open", named());
    assertTrue(callForObject(CAPACITOR, "isDBOpen", named()).getBoolean("result"));
    assertTrue(callForObject(CAPACITOR, "isDBExists", named()).getBoolean("result"));
    assertTrue(callForObject(CAPACITOR, "getUrl", named()).getString("url").endsWith("/databases/appSQLite.db"));
    assertEquals(1, callForObject(CAPACITOR, "getVersion", named()).getInt("version"));
    assertEquals("[\"appSQLite.db\"]", callForObject(CAPACITOR, "getDatabaseList").getJSONArray("values").toString());
    JSONObject same = object("dbNames", new JSONArray().put("app"), "openModes", new JSONArray().put("RW"));
    assertTrue(callForObject(CAPACITOR, "checkConnectionsConsistency", same).getBoolean("result"));
    call(CAPACITOR, "close", named());
    call(CAPACITOR, "closeConnection", named());
    fail(CAPACITOR, "closeConnection", named());
    openCapacitor(1);
    JSONObject none = object("dbNames", new JSONArray(), "openModes", new JSONArray());
    assertFalse(callForObject(CAPACITOR, "checkConnectionsConsistency", none).getBoolean("result"));
    openCapacitor(1);
    call(CAPACITOR, "deleteDatabase", named());
    assertFalse(callForObject(CAPACITOR, "isDatabase", named()).getBoolean("result"));
    assertTrue(((String) fail(CAPACITOR, "importFromJson", object("jsonstring", "{}"))).contains("importFromJson"));
  }

  @Test
  public void listsOfBytesHaveALimit() throws Exception {
    openCapacitor(1);
    // Rows on older Android versions are limited to two megabytes.
    String reason = Build.VERSION.SDK_INT < 28 ? "Row too big" : "the result is too large";
    String found = (String) fail(CAPACITOR, "query", named("statement", "SELECT zeroblob(5000000) AS v"));
    assertTrue(found, found.contains(reason));
  }

  @Test
  public void capacitorRunsStatements() throws Exception {
    openCapacitor(1);
    JSONObject made =
        callForObject(
            CAPACITOR,
            "execute",
            named("statements", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t(a) VALUES (';'); INSERT INTO t(a) VALUES (2);"));
    assertEquals(2, made.getJSONObject("changes").getInt("changes"));
    JSONArray values = new JSONArray().put(true).put(new JSONObject("{\"0\":1,\"1\":255}"));
    JSONObject added = callForObject(CAPACITOR, "run", named("statement", "INSERT INTO t(a, b) VALUES (?, ?)", "values", values));
    assertEquals(3, added.getJSONObject("changes").getInt("lastId"));
    assertEquals(1, added.getJSONObject("changes").getInt("changes"));
    JSONObject found = named("statement", "SELECT a, b FROM t WHERE id = ?", "values", new JSONArray().put(3));
    assertEquals("[{\"a\":1,\"b\":[1,255]}]", callForObject(CAPACITOR, "query", found).getJSONArray("values").toString());
    JSONArray set =
        new JSONArray()
            .put(object("statement", "INSERT INTO t(a) VALUES (?)", "values", new JSONArray("[[4],[5]]")))
            .put(object("statement", "DELETE FROM t WHERE id = ?", "values", new JSONArray("[1]")));
    JSONObject done = callForObject(CAPACITOR, "executeSet", named("set", set)).getJSONObject("changes");
    assertEquals(3, done.getInt("changes"));
    // All statements succeed, or none.
    set.put(object("statement", "INSERT INTO absent VALUES (1)", "values", new JSONArray()));
    fail(CAPACITOR, "executeSet", named("set", set));
    JSONObject count = named("statement", "SELECT count(*) AS n FROM t");
    assertEquals("[{\"n\":4}]", callForObject(CAPACITOR, "query", count).getJSONArray("values").toString());
    call(CAPACITOR, "beginTransaction", named());
    assertTrue(callForObject(CAPACITOR, "isTransactionActive", named()).getBoolean("result"));
    call(CAPACITOR, "run", named("statement", "DELETE FROM t", "transaction", false));
    call(CAPACITOR, "rollbackTransaction", named());
    call(CAPACITOR, "beginTransaction", named());
    call(CAPACITOR, "commitTransaction", named());
    assertFalse(callForObject(CAPACITOR, "isTransactionActive", named()).getBoolean("result"));
    assertEquals("[{\"n\":4}]", callForObject(CAPACITOR, "query", count).getJSONArray("values").toString());
    assertTrue(callForObject(CAPACITOR, "isTableExists", named("table", "t")).getBoolean("result"));
    assertFalse(callForObject(CAPACITOR, "isTableExists", named("table", "x")).getBoolean("result"));
    assertEquals("[\"t\"]", callForObject(CAPACITOR, "getTableList", named()).getJSONArray("values").toString());
    fail(CAPACITOR, "execute", named("statements", "SELECT 1; ATTACH 'x' AS y"));
    call(CAPACITOR, "createConnection", named("readonly", true));
    call(CAPACITOR, "open", named("readonly", true));
    assertEquals("[{\"n\":4}]", callForObject(CAPACITOR, "query", count.put("readonly", true)).getJSONArray("values").toString());
    fail(CAPACITOR, "run", named("statement", "DELETE FROM t", "transaction", false, "readonly", true));
  }

  @Test
  public void capacitorUpgrades() throws Exception {
    JSONArray upgrade =
        new JSONArray()
            .put(object("toVersion", 1, "statements", new JSONArray().put("CREATE TABLE t(a)")))
            .put(object("toVersion", 2, "statements", new JSONArray().put("ALTER TABLE t ADD COLUMN b;")));
    call(CAPACITOR, "addUpgradeStatement", named("upgrade", upgrade));
    openCapacitor(1);
    call(CAPACITOR, "closeConnection", named());
    openCapacitor(2);
    assertEquals(2, callForObject(CAPACITOR, "getVersion", named()).getInt("version"));
    call(CAPACITOR, "run", named("statement", "INSERT INTO t VALUES (1, 2)"));
    call(CAPACITOR, "closeConnection", named());
    upgrade.put(object("toVersion", 3, "statements", new JSONArray().put("DROP TABLE t").put("SELEC")));
    call(CAPACITOR, "addUpgradeStatement", named("upgrade", upgrade));
    call(CAPACITOR, "createConnection", named("version", 3));
    fail(CAPACITOR, "open", named());
    call(CAPACITOR, "closeConnection", named());
    openCapacitor(2);
    assertEquals("[\"t\"]", callForObject(CAPACITOR, "getTableList", named()).getJSONArray("values").toString());
  }

  @Test
  public void capacitorTakesOtherDatabases() throws Exception {
    call(CAPACITOR, "copyFromAssets", object("overwrite", true));
    call(CAPACITOR, "createConnection", object("database", "ready"));
    call(CAPACITOR, "open", object("database", "ready"));
    JSONObject all = object("database", "ready", "statement", "SELECT a FROM t");
    assertEquals("[{\"a\":\"seed\"}]", callForObject(CAPACITOR, "query", all).getJSONArray("values").toString());
    openDatabase("old.db");
    assertEquals("[\"old.db\"]", callForObject(CAPACITOR, "getMigratableDbList", object("folderPath", "default")).getJSONArray("values").toString());
    call(CAPACITOR, "addSQLiteSuffix", object("folderPath", "default", "dbNameList", new JSONArray()));
    assertTrue(activity.getDatabasePath("old.db").exists());
    call(CAPACITOR, "deleteOldDatabases", object("folderPath", "default", "dbNameList", new JSONArray().put("old.db")));
    assertFalse(activity.getDatabasePath("old.db").exists());
    assertEquals(
        "[\"oldSQLite.db\",\"readySQLite.db\"]", callForObject(CAPACITOR, "getDatabaseList").getJSONArray("values").toString());
    fail(CAPACITOR, "addSQLiteSuffix", object("folderPath", "/sdcard"));
  }
}
