package appbuild.shell;

import android.content.Context;
import android.content.SharedPreferences;
import android.util.Base64;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.SecureRandom;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Implements @capacitor/preferences and cordova-plugin-nativestorage. Uses the files and formats of the plugins, so that an app built
 * with Cordova or Capacitor keeps its data after an update from this builder.
 */
final class Preferences extends Plugin {
  private static final String NATIVE_STORAGE = "NativeStorage";
  private static final String DEFAULT_GROUP = "CapacitorStorage";
  /** Prefix of the shell's own files. */
  private static final String SHELL = "appbuild.";
  /** The plugin's error code NativeStorageError.ITEM_NOT_FOUND. */
  private static final int NOT_FOUND = 2;
  /** Separator in encrypted items. */
  private static final String DELIMITER = "@~@~@";

  private String group = DEFAULT_GROUP;

  @Override
  String[] services() {
    return new String[] {"Capacitor.Preferences", NATIVE_STORAGE};
  }

  @Override
  void call(Call call) throws Exception {
    if (call.isCapacitor()) {
      callCapacitor(call, file(group));
    } else {
      callCordova(call, file(NATIVE_STORAGE));
    }
  }

  private SharedPreferences file(String name) {
    return activity.getSharedPreferences(name, Context.MODE_PRIVATE);
  }

  private void callCapacitor(Call call, SharedPreferences file) throws Exception {
    switch (call.action) {
      case "configure":
        String wanted = call.options().optString("group", group);
        if (wanted.isEmpty() || wanted.startsWith(SHELL) || wanted.indexOf('/') >= 0) {
          throw new IllegalArgumentException("No group can have the name “" + wanted + "”.");
        }
        group = wanted;
        call.succeed(null);
        return;
      case "get":
        Object value = file.getAll().get(key(call));
        call.succeed(new JSONObject().put("value", value == null ? JSONObject.NULL : value.toString()));
        return;
      case "set":
        // putString removes the key if the value is null.
        file.edit().putString(key(call), call.options().optString("value", null)).apply();
        call.succeed(null);
        return;
      case "remove":
        file.edit().remove(key(call)).apply();
        call.succeed(null);
        return;
      case "keys":
        call.succeed(new JSONObject().put("keys", new JSONArray(file.getAll().keySet())));
        return;
      case "clear":
        file.edit().clear().apply();
        call.succeed(null);
        return;
      case "migrate":
        call.succeed(migrate(file));
        return;
      case "removeOld":
        // Nothing to migrate. On Android, the plugin of Capacitor 2 used the same file.
        call.succeed(null);
        return;
      default:
        throw unknown(call);
    }
  }

  private static String key(Call call) {
    String key = call.options().optString("key");
    if (key.isEmpty()) {
      throw new IllegalArgumentException("Must provide key");
    }
    return key;
  }

  private JSONObject migrate(SharedPreferences file) throws Exception {
    JSONArray migrated = new JSONArray();
    JSONArray existing = new JSONArray();
    for (Map.Entry<String, ?> old : file(DEFAULT_GROUP).getAll().entrySet()) {
      if (file.contains(old.getKey())) {
        existing.put(old.getKey());
      } else {
        file.edit().putString(old.getKey(), String.valueOf(old.getValue())).apply();
        migrated.put(old.getKey());
      }
    }
    return new JSONObject().put("migrated", migrated).put("existing", existing);
  }

  private void callCordova(Call call, SharedPreferences file) throws Exception {
    String key = call.args.optString(0);
    SharedPreferences.Editor editor = file.edit();
    switch (call.action) {
      case "putBoolean":
        editor.putBoolean(key, call.args.getBoolean(1)).apply();
        call.succeed(call.args.get(1));
        return;
      case "putInt":
        editor.putInt(key, call.args.getInt(1)).apply();
        call.succeed(call.args.get(1));
        return;
      case "putDouble":
        // Android's preferences don't support doubles, and a float would lose digits.
        editor.putString(key, String.valueOf(call.args.getDouble(1))).apply();
        call.succeed(call.args.get(1));
        return;
      case "putString":
      case "setItem":
        editor.putString(key, call.args.getString(1)).apply();
        call.succeed(call.args.get(1));
        return;
      case "setItemWithPassword":
        editor.putString(key, encrypt(call.args.getString(1), call.args.getString(2))).apply();
        call.succeed(call.args.get(1));
        return;
      case "getBoolean":
        call.succeed(file.getBoolean(key, false));
        return;
      case "getInt":
        call.succeed(file.getInt(key, -1));
        return;
      case "getDouble":
        Object number = file.getAll().get(key);
        call.succeed(number == null ? "-1" : number.toString());
        return;
      case "getString":
        call.succeed(file.getString(key, "null"));
        return;
      case "getItem":
      case "getItemWithPassword":
        String item = file.getString(key, null);
        if (item == null) {
          call.fail(NOT_FOUND);
        } else {
          call.succeed(call.action.equals("getItem") ? item : decrypt(item, call.args.getString(1)));
        }
        return;
      case "remove":
        editor.remove(key).apply();
        call.succeed(null);
        return;
      case "clear":
        editor.clear().apply();
        call.succeed(null);
        return;
      case "keys":
        call.succeed(new JSONArray(file.getAll().keySet()));
        return;
      default:
        throw unknown(call);
    }
  }

  /** Encrypts a string in the plugin's format: salt, initialization vector, and text, each in Base64. */
  private static String encrypt(String text, String password) throws Exception {
    byte[] salt = new byte[8];
    new SecureRandom().nextBytes(salt);
    Cipher cipher = cipher();
    cipher.init(Cipher.ENCRYPT_MODE, keyOf(password, salt));
    return encode(salt) + DELIMITER + encode(cipher.getIV()) + DELIMITER + encode(cipher.doFinal(text.getBytes("UTF-8")));
  }

  private static String decrypt(String item, String password) throws Exception {
    String[] parts = item.split(DELIMITER);
    if (parts.length != 3) {
      throw new IllegalArgumentException("The item isn't encrypted.");
    }
    Cipher cipher = cipher();
    cipher.init(Cipher.DECRYPT_MODE, keyOf(password, decode(parts[0])), new IvParameterSpec(decode(parts[1])));
    return new String(cipher.doFinal(decode(parts[2])), "UTF-8");
  }

  private static Cipher cipher() throws GeneralSecurityException {
    return Cipher.getInstance("AES/CBC/PKCS5Padding");
  }

  private static Key keyOf(String password, byte[] salt) throws GeneralSecurityException {
    PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, 10000, 256);
    return new SecretKeySpec(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1").generateSecret(spec).getEncoded(), "AES");
  }

  private static String encode(byte[] bytes) {
    return Base64.encodeToString(bytes, Base64.NO_WRAP);
  }

  private static byte[] decode(String text) {
    return Base64.decode(text, Base64.NO_WRAP);
  }
}
