package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.content.pm.PackageManager;
import android.net.Uri;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/** Tests plugins that read and write files. */
@Config(shadows = FilesTest.Grants.class)
public abstract class FilesTest extends PluginTest {
  /** Denies URI permissions that aren't granted, unlike Robolectric's default. */
  @Implements(className = "android.app.ContextImpl")
  public static final class Grants extends ShadowContextImpl {
    static final Set<Uri> GRANTED = new HashSet<>();

    @Implementation
    protected int checkUriPermission(Uri uri, int process, int user, int mode) {
      return GRANTED.contains(uri) ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED;
    }
  }

  static final JSONObject NONE = new JSONObject();
  static final long PATIENCE_MS = 10000;

  @Before
  public void revoke() {
    Grants.GRANTED.clear();
  }

  /** Waits for a call's last answer, and returns it. */
  JSONArray end(String id) throws Exception {
    long end = System.nanoTime() + PATIENCE_MS * 1000000;
    while (true) {
      JSONArray all = answers(id);
      if (all.length() > 0 && all.getJSONArray(all.length() - 1).getInt(1) != Call.KEPT) {
        return all.getJSONArray(all.length() - 1);
      }
      assertTrue(id + " isn't answered", System.nanoTime() < end);
      Thread.yield();
    }
  }

  JSONObject good(String id) throws Exception {
    JSONArray answer = end(id);
    assertEquals(answer.toString(), 0, answer.getInt(1));
    return answer.optJSONObject(2);
  }

  Object bad(String id) throws Exception {
    JSONArray answer = end(id);
    assertEquals(answer.toString(), 1, answer.getInt(1));
    return answer.get(2);
  }

  static void write(File file, String text) throws IOException {
    file.getParentFile().mkdirs();
    try (FileOutputStream stream = new FileOutputStream(file)) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  static String read(File file) throws IOException {
    return new String(java.nio.file.Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
  }
}
