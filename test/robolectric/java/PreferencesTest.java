package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.content.Context;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;

public class PreferencesTest extends PluginTest {
  private static final String CAPACITOR = "Capacitor.Preferences";
  private static final String CORDOVA = "NativeStorage";

  private static JSONObject key(String name) throws Exception {
    return new JSONObject().put("key", name);
  }

  @Test
  public void keepsWhatCapacitorSets() throws Exception {
    call(CAPACITOR, "set", key("a").put("value", "1 ü 😀"));
    assertEquals("1 ü 😀", callForObject(CAPACITOR, "get", key("a")).get("value"));
    assertTrue(callForObject(CAPACITOR, "get", key("b")).isNull("value"));
    assertEquals("[\"a\"]", callForObject(CAPACITOR, "keys").getJSONArray("keys").toString());
    assertEquals("Must provide key", fail(CAPACITOR, "get", new JSONObject()));
    close();
    open(null);
    assertEquals("1 ü 😀", callForObject(CAPACITOR, "get", key("a")).get("value"));
    call(CAPACITOR, "remove", key("a"));
    assertTrue(callForObject(CAPACITOR, "get", key("a")).isNull("value"));
    call(CAPACITOR, "set", key("b").put("value", "2"));
    call(CAPACITOR, "clear");
    assertEquals(0, callForObject(CAPACITOR, "keys").getJSONArray("keys").length());
    assertEquals("Capacitor.Preferences doesn't have the action nothing.", fail(CAPACITOR, "nothing"));
  }

  @Test
  public void groupsAreFilesOfTheirOwn() throws Exception {
    call(CAPACITOR, "set", key("old").put("value", "1"));
    call(CAPACITOR, "configure", new JSONObject().put("group", CORDOVA));
    call(CORDOVA, "putInt", "old", 7);
    assertEquals("7", callForObject(CAPACITOR, "get", key("old")).get("value"));
    call(CAPACITOR, "configure", new JSONObject().put("group", "other"));
    assertEquals("{\"migrated\":[\"old\"],\"existing\":[]}", callForObject(CAPACITOR, "migrate").toString());
    assertEquals("{\"migrated\":[],\"existing\":[\"old\"]}", callForObject(CAPACITOR, "migrate").toString());
    call(CAPACITOR, "removeOld");
    assertEquals("1", callForObject(CAPACITOR, "get", key("old")).get("value"));
    for (String name : new String[] {"appbuild.asked", "../a", "a/b", ""}) {
      assertEquals("No group can have the name “" + name + "”.", fail(CAPACITOR, "configure", new JSONObject().put("group", name)));
    }
  }

  @Test
  public void keepsTheTypesOfCordova() throws Exception {
    assertEquals(true, call(CORDOVA, "putBoolean", "b", true));
    assertEquals(true, call(CORDOVA, "getBoolean", "b"));
    assertEquals(false, call(CORDOVA, "getBoolean", "none"));
    assertEquals(-3, call(CORDOVA, "putInt", "i", -3));
    assertEquals(-3, call(CORDOVA, "getInt", "i"));
    assertEquals(-1, call(CORDOVA, "getInt", "none"));
    assertEquals(0.1234567890123, call(CORDOVA, "putDouble", "d", 0.1234567890123));
    assertEquals("0.1234567890123", call(CORDOVA, "getDouble", "d"));
    assertEquals("-1", call(CORDOVA, "getDouble", "none"));
    assertEquals("text", call(CORDOVA, "putString", "s", "text"));
    assertEquals("text", call(CORDOVA, "getString", "s"));
    assertEquals("null", call(CORDOVA, "getString", "none"));
    assertEquals("{\"a\":1}", call(CORDOVA, "setItem", "o", "{\"a\":1}"));
    assertEquals("{\"a\":1}", call(CORDOVA, "getItem", "o"));
    assertEquals(2, fail(CORDOVA, "getItem", "none"));
    assertEquals(2, fail(CORDOVA, "getItemWithPassword", "none", "p"));
    assertEquals(5, ((JSONArray) call(CORDOVA, "keys")).length());
    call(CORDOVA, "remove", "o");
    assertEquals(2, fail(CORDOVA, "getItem", "o"));
    call(CORDOVA, "clear");
    assertEquals(0, ((JSONArray) call(CORDOVA, "keys")).length());
    assertEquals("NativeStorage doesn't have the action setItemWithKey.", fail(CORDOVA, "setItemWithKey", "o", "1"));
  }

  @Test
  public void encryptsByPassword() throws Exception {
    assertEquals("\"secret\"", call(CORDOVA, "setItemWithPassword", "s", "\"secret\"", "pass"));
    String stored = activity.getSharedPreferences(CORDOVA, Context.MODE_PRIVATE).getString("s", "");
    assertTrue(stored, stored.matches("[\\w+/=]+@~@~@[\\w+/=]+@~@~@[\\w+/=]+"));
    assertEquals("\"secret\"", call(CORDOVA, "getItemWithPassword", "s", "pass"));
    call(CORDOVA, "setItem", "plain", "1");
    assertEquals("The item isn't encrypted.", fail(CORDOVA, "getItemWithPassword", "plain", "pass"));
  }

  @Test
  public void nullRemoves() throws Exception {
    call(CAPACITOR, "set", key("a").put("value", "1"));
    call(CAPACITOR, "set", key("a").put("value", JSONObject.NULL));
    assertTrue(callForObject(CAPACITOR, "get", key("a")).isNull("value"));
    assertEquals(0, callForObject(CAPACITOR, "keys").getJSONArray("keys").length());
  }
}
