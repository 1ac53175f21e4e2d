package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.ClipData;
import android.content.ClipDescription;
import android.content.ClipboardManager;
import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.net.Uri;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.Robolectric;

public class ClipboardTest extends PluginTest {
  private static final String PNG = "data:image/png;base64,iVBORw0KGgo=";
  private static final Uri FOREIGN = Uri.parse("content://com.example.foreign/picture.png");

  private ClipboardManager manager;

  @Before
  public void findClipboard() {
    manager = (ClipboardManager) activity.getSystemService(Context.CLIPBOARD_SERVICE);
    Robolectric.setupContentProvider(AppFiles.class, "com.example.plain.files");
    Robolectric.setupContentProvider(Pictures.class, "com.example.foreign");
  }

  /** Acts as another app's provider of pictures. */
  public static final class Pictures extends ContentProvider {
    @Override
    public boolean onCreate() {
      return true;
    }

    @Override
    public String getType(Uri uri) {
      return uri.toString().endsWith(".png") ? "image/png" : "text/plain";
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
      return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      return null;
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] arguments) {
      return 0;
    }

    @Override
    public int delete(Uri uri, String where, String[] arguments) {
      return 0;
    }
  }

  private static final class Endless extends InputStream {
    @Override
    public int read() {
      return 0;
    }

    @Override
    public int read(byte[] bytes, int start, int count) {
      return count;
    }
  }

  private void write(String name, String value) throws Exception {
    call("Capacitor.Clipboard", "write", new JSONObject().put(name, value).put("label", "Label"));
  }

  private JSONObject read() throws Exception {
    return callForObject("Capacitor.Clipboard", "read");
  }

  @Test
  public void copiesAndPastesText() throws Exception {
    assertEquals("", call("Clipboard", "paste"));
    assertEquals("ü 日本", call("Clipboard", "copy", "ü 日本"));
    assertEquals("ü 日本", manager.getPrimaryClip().getItemAt(0).getText());
    assertEquals("ü 日本", call("Clipboard", "paste"));
    assertEquals(JSONObject.NULL, call("Clipboard", "clear"));
    assertEquals("", call("Clipboard", "paste"));
    assertEquals("Clipboard doesn't have the action cut.", fail("Clipboard", "cut"));
  }

  @Test
  public void writesAndReads() throws Exception {
    assertEquals("There's no data on the clipboard.", fail("Capacitor.Clipboard", "read"));
    write("string", "text");
    assertEquals("Label", manager.getPrimaryClipDescription().getLabel());
    assertEquals("{\"value\":\"text\",\"type\":\"text\\/plain\"}", read().toString());
    write("url", "https://example.com/");
    assertEquals("https://example.com/", read().getString("value"));
    assertEquals("Give string, image or url.", fail("Capacitor.Clipboard", "write", new JSONObject()));
  }

  @Test
  public void otherAppsGetPictures() throws Exception {
    write("image", PNG);
    ClipData clip = manager.getPrimaryClip();
    assertEquals("image/png", clip.getDescription().getMimeType(0));
    assertEquals("content://com.example.plain.files/clipboard.png", clip.getItemAt(0).getUri().toString());
    assertEquals(8, new File(activity.getCacheDir(), "shared/clipboard.png").length());
    for (String wrong : new String[] {"", "iVBORw0KGgo=", "data:text/html;base64,AAAA", "data:image/png,AAAA"}) {
      assertTrue(fail("Capacitor.Clipboard", "write", new JSONObject().put("image", wrong)).toString().contains("data: URL"));
    }
    // A type can't contain a folder.
    write("image", "data:image/../../x;base64,AAAA");
    assertEquals("content://com.example.plain.files/clipboard.", manager.getPrimaryClip().getItemAt(0).getUri().toString());
  }

  @Test
  public void readsPicturesOfOtherApps() throws Exception {
    shadowOf(activity.getContentResolver()).registerInputStream(FOREIGN, new ByteArrayInputStream(new byte[] {1, 2, 3}));
    manager.setPrimaryClip(new ClipData(new ClipDescription("", new String[] {"image/png"}), new ClipData.Item(FOREIGN)));
    JSONObject read = read();
    assertEquals("image/png", read.getString("type"));
    assertEquals("data:image/png;base64,AQID", read.getString("value"));
    shadowOf(activity.getContentResolver()).registerInputStream(FOREIGN, new Endless());
    assertEquals("The image on the clipboard is too large.", fail("Capacitor.Clipboard", "read"));
  }

  @Test
  public void opensNoFilesForTheirText() throws Exception {
    for (String uri : new String[] {"file://" + activity.getFilesDir() + "/secret.png", "content://com.example.foreign/notes.txt"}) {
      manager.setPrimaryClip(ClipData.newRawUri("", Uri.parse(uri)));
      assertEquals(uri, call("Clipboard", "paste"));
      assertEquals(uri, read().getString("value"));
    }
  }

  /** The other app may be slow. */
  @Test
  public void readsPicturesInTheBackground() throws Exception {
    final Thread[] reader = {null};
    InputStream picture =
        new ByteArrayInputStream(new byte[] {1}) {
          @Override
          public synchronized int read(byte[] bytes, int start, int count) {
            reader[0] = Thread.currentThread();
            return super.read(bytes, start, count);
          }
        };
    shadowOf(activity.getContentResolver()).registerInputStream(FOREIGN, picture);
    manager.setPrimaryClip(new ClipData(new ClipDescription("", new String[] {"image/png"}), new ClipData.Item(FOREIGN)));
    assertEquals("data:image/png;base64,AQ==", read().getString("value"));
    assertTrue(reader[0] != Thread.currentThread());
  }
}
