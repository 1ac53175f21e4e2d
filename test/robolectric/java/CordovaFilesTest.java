package appbuild.shell;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.OpenableColumns;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;

public class CordovaFilesTest extends FilesTest {
  private static JSONObject create(boolean isExclusive) throws Exception {
    return new JSONObject().put("create", true).put("exclusive", isExclusive);
  }

  private static byte[] bytes(Object value) throws Exception {
    return Base64.getDecoder().decode(((JSONObject) value).getString("$bytes"));
  }

  @Test
  public void listsFileSystems() throws Exception {
    JSONArray systems = (JSONArray) call("File", "requestAllFileSystems");
    StringBuilder names = new StringBuilder();
    for (int index = 0; index < systems.length(); index++) {
      names.append(systems.getJSONObject(index).getString("filesystemName")).append(' ');
      assertEquals("/", systems.getJSONObject(index).getString("fullPath"));
    }
    assertEquals("persistent temporary documents files cache files-external cache-external assets content ", names.toString());
    JSONObject paths = callForObject("File", "requestAllPaths");
    assertEquals("file://" + activity.getFilesDir() + "/", paths.getString("dataDirectory"));
    assertEquals("file://" + activity.getCacheDir() + "/", paths.getString("cacheDirectory"));
    assertEquals("file://" + activity.getExternalFilesDir(null) + "/", paths.getString("externalDataDirectory"));
    assertEquals("file:///android_asset/", paths.getString("applicationDirectory"));
    for (String name : new String[] {"applicationStorageDirectory", "externalApplicationStorageDirectory", "externalCacheDirectory"}) {
      assertTrue(paths.getString(name).endsWith("/"));
    }
    JSONObject persistent = callForObject("File", "requestFileSystem", 1, 1024);
    assertEquals("persistent", persistent.getString("name"));
    assertTrue(persistent.getJSONObject("root").getBoolean("isDirectory"));
    assertEquals("temporary", callForObject("File", "requestFileSystem", 0, 0).getString("name"));
    assertEquals(8, fail("File", "requestFileSystem", 2, 0));
    assertEquals(10, fail("File", "requestFileSystem", 1, Long.MAX_VALUE));
    assertTrue(((Number) call("File", "getFreeDiskSpace")).longValue() >= 0);
    assertEquals(true, call("File", "testSaveLocationExists"));
    assertEquals("File doesn't have the action setMetadata.", fail("File", "setMetadata", HOME + "__cdvfile_files__/"));
  }

  @Test
  public void makesAndFindsEntries() throws Exception {
    String root = HOME + "__cdvfile_persistent__/";
    callForObject("File", "requestFileSystem", 1, 0);
    JSONObject folder = callForObject("File", "getDirectory", root, "a b", create(true));
    assertEquals("a b", folder.getString("name"));
    assertEquals("/a b/", folder.getString("fullPath"));
    assertEquals("file://" + activity.getFilesDir() + "/files/a%20b/", folder.getString("nativeURL"));
    assertEquals("persistent", folder.getString("filesystemName"));
    JSONObject file = callForObject("File", "getFile", root + "a%20b/", "ü#%.txt", create(false));
    assertEquals("ü#%.txt", file.getString("name"));
    assertEquals("/a b/ü#%.txt", file.getString("fullPath"));
    assertTrue(file.getBoolean("isFile"));
    String native_ = file.getString("nativeURL");
    for (String url : new String[] {native_, root + "a%20b/%C3%BC%23%25.txt", "cdvfile://localhost/persistent/a%20b/%C3%BC%23%25.txt",
        Uri.parse(native_).getPath(), native_.replace("file://", HOME + "_app_file_"), native_.replace("file://", HOME + "_capacitor_file_")}) {
      assertEquals(url, "/a b/ü#%.txt", callForObject("File", "resolveLocalFileSystemURI", url).getString("fullPath"));
    }
    assertEquals(Uri.parse(native_).getPath(), new File((String) call("File", "_getLocalFilesystemPath", native_)).getPath());
    assertEquals(true, call("File", "testFileExists", native_));
    assertEquals(false, call("File", "testDirectoryExists", native_));
    assertEquals("/", callForObject("File", "getParent", root).getString("fullPath"));
    assertEquals("/a b/", callForObject("File", "getParent", native_).getString("fullPath"));
    assertEquals("/a b/", callForObject("File", "getDirectory", native_.substring(0, native_.lastIndexOf('/')), "/a b", NONE).getString("fullPath"));
    // The result is in the same file system as the folder that the page passes.
    assertEquals("/files/a b/", callForObject("File", "getDirectory", HOME + "__cdvfile_files__/", "files/a b", NONE).getString("fullPath"));
    assertEquals("/files/", callForObject("File", "getParent", HOME + "__cdvfile_files__/files/a%20b").getString("fullPath"));
    assertEquals("/", callForObject("File", "getParent", HOME + "__cdvfile_files__/files/").getString("fullPath"));
    JSONArray entries = (JSONArray) call("File", "readEntries", root + "a%20b/");
    assertEquals(1, entries.length());
    assertEquals(12, fail("File", "getFile", root, "a b/ü#%.txt", create(true)));
    assertEquals(1, fail("File", "getFile", root, "absent", NONE));
    assertEquals(1, fail("File", "getFile", root, "absent/too", create(false)));
    assertEquals(11, fail("File", "getFile", root, "a b", NONE));
    assertEquals(11, fail("File", "getDirectory", root, "a b/ü#%.txt", NONE));
    assertEquals(11, fail("File", "readEntries", native_));
    assertEquals(5, fail("File", "getFile", root, "a:b", create(false)));
    assertEquals(1, fail("File", "resolveLocalFileSystemURI", native_ + "x"));
    assertEquals(5, fail("File", "resolveLocalFileSystemURI", "ftp://x/y"));
  }

  @Test
  public void staysInTheAppsFolders() throws Exception {
    String data = activity.getFilesDir().getParent();
    write(new File(data, "shared_prefs/x.xml"), "secret");
    write(new File(data, "databases/x.db"), "secret");
    write(new File(activity.getCacheDir(), "WebView/x"), "secret");
    write(new File(activity.getCacheDir(), "shown"), "shown");
    write(new File(activity.getFilesDir(), "a.txt"), "a");
    java.nio.file.Files.createSymbolicLink(new File(activity.getFilesDir(), "link").toPath(), new File(data, "databases").toPath());
    String[] secrets = {
      "file://" + data + "/shared_prefs/x.xml", "file://" + data + "/databases/x.db", data + "/databases/x.db", "file:///etc/passwd",
      "file://" + activity.getFilesDir() + "/../databases/x.db", HOME + "__cdvfile_files__/..%2Fdatabases/x.db",
      HOME + "_app_file_" + data + "/databases/x.db", "file://" + activity.getFilesDir() + "/link/x.db", "content://other/x",
      "file://" + activity.getCacheDir() + "/WebView/x", HOME + "__cdvfile_root__/etc/passwd", "cdvfile://localhost/root/etc/passwd",
    };
    for (String secret : secrets) {
      assertEquals(secret, 2, fail("File", "resolveLocalFileSystemURI", secret));
      assertEquals(secret, 2, fail("File", "readAsText", secret, "UTF-8", 0, 10));
      assertEquals(secret, 2, fail("File", "write", secret, "x", 0, false));
      JSONObject failure = (JSONObject) fail("Capacitor.Filesystem", "readFile", new JSONObject().put("path", secret));
      assertEquals("OS-PLUG-FILE-0006", failure.getString("code"));
      if (secret.startsWith(HOME)) {
        assertEquals(secret, 404, get(secret).getStatusCode());
      }
    }
    assertEquals(2, fail("File", "getFile", HOME + "__cdvfile_files__/", "../databases/x.db", NONE));
    assertEquals(1, fail("File", "resolveLocalFileSystemURI", "file:///android_asset/shell.json"));
    assertEquals(1, fail("File", "resolveLocalFileSystemURI", "file:///android_asset/www/../shell.json"));
    assertEquals("secret", read(new File(data, "databases/x.db")));
    // WebView's caches aren't listed, and are kept if the page deletes all other files.
    assertFalse(call("File", "readEntries", HOME + "__cdvfile_cache__/").toString().contains("WebView"));
    assertEquals(6, fail("File", "removeRecursively", HOME + "__cdvfile_cache__/"));
    call("Capacitor.Filesystem", "rmdir", new JSONObject().put("path", "").put("directory", "CACHE").put("recursive", true));
    assertTrue(new File(activity.getCacheDir(), "WebView/x").exists());
    assertFalse(new File(activity.getCacheDir(), "shown").exists());
  }

  private WebResourceResponse get(String url, String... headers) {
    return activity.server.shouldInterceptRequest(ShellOnAndroidTest.get(url, false, headers));
  }

  @Test
  public void pagesLoadFiles() throws Exception {
    write(new File(activity.getFilesDir(), "ü b.mp4"), "0123456789");
    for (String start : new String[] {"__cdvfile_files__/", "_app_file_" + activity.getFilesDir() + "/",
            "_capacitor_file_" + activity.getFilesDir() + "/"}) {
      WebResourceResponse whole = get(HOME + start + "%C3%BC%20b.mp4");
      assertEquals(200, whole.getStatusCode());
      assertEquals("video/mp4", whole.getMimeType());
      assertEquals("0123456789", new String(whole.getData().readAllBytes()));
      WebResourceResponse part = get(HOME + start + "%C3%BC%20b.mp4", "range", "bytes=2-4");
      assertEquals(206, part.getStatusCode());
      assertEquals("bytes 2-4/10", part.getResponseHeaders().get("Content-Range"));
    }
    assertEquals(404, get(HOME + "__cdvfile_files__/absent").getStatusCode());
    assertEquals("text/javascript", get(HOME + "__cdvfile_assets__/www/a.js").getMimeType());
    File shared = new File(AppFiles.folder(activity), "x.png");
    write(shared, "png");
    String content = AppFiles.uri(activity, shared).toString();
    WebResourceResponse chosen = get(content.replace("content:/", HOME + "_capacitor_content_"));
    assertEquals("image/png", chosen.getMimeType());
    assertEquals("png", new String(chosen.getData().readAllBytes()));
    assertEquals(404, get(HOME + "_app_content_/gallery/file").getStatusCode());
  }

  @Test
  public void savedPagesAreNoneOfTheApp() throws Exception {
    write(new File(activity.getFilesDir(), "saved.html"), "<script>parent.cordova</script>");
    File shared = new File(AppFiles.folder(activity), "of-another-app.html");
    write(shared, "<p>");
    String[] urls = {
      HOME + "__cdvfile_files__/saved.html", folders().url(new File(activity.getFilesDir(), "saved.html")),
      AppFiles.uri(activity, shared).toString().replace("content:/", HOME + "_app_content_"),
    };
    for (String url : urls) {
      WebResourceResponse response = get(url);
      assertEquals(url, "text/html", response.getMimeType());
      String policy = response.getResponseHeaders().get("Content-Security-Policy");
      assertTrue(url, policy != null && policy.startsWith("sandbox ") && !policy.contains("allow-same-origin"));
    }
    assertFalse(get(HOME + "index.html").getResponseHeaders().containsKey("Content-Security-Policy"));
  }

  @Test
  public void readsAndWrites() throws Exception {
    String url = HOME + "__cdvfile_files__/a.txt";
    assertEquals(5, call("File", "write", url, "gr\u00fcn", 0, false));
    assertEquals("grün", call("File", "readAsText", url, "UTF-8", 0, 5));
    assertEquals("g", call("File", "readAsText", url, "UTF-8", 0, 1));
    assertEquals(5, fail("File", "readAsText", url, "nothing", 0, 1));
    assertEquals(2, call("File", "write", url, "AAE=", 1, true));
    assertArrayEquals(new byte[] {'g', 0, 1}, bytes(call("File", "readAsArrayBuffer", url, 0, 99)));
    assertArrayEquals(new byte[] {0}, bytes(call("File", "readAsArrayBuffer", url, 1, 2)));
    assertEquals("g\u0000\u0001", call("File", "readAsBinaryString", url, 0, 3));
    assertEquals("data:text/plain;base64,ZwAB", call("File", "readAsDataURL", url, 0, 3));
    assertEquals(5, fail("File", "write", url, "not Base64!", 0, true));
    JSONObject metadata = callForObject("File", "getFileMetadata", url);
    assertEquals(3, metadata.getLong("size"));
    assertEquals("text/plain", metadata.getString("type"));
    assertEquals("a.txt", metadata.getString("name"));
    assertEquals("/a.txt", metadata.getString("fullPath"));
    assertTrue(metadata.getLong("lastModifiedDate") > 0);
    assertEquals(1, call("File", "truncate", url, 1));
    assertEquals(1, call("File", "truncate", url, 9));
    assertEquals(1, fail("File", "truncate", url + "x", 9));
    assertEquals(11, fail("File", "readAsText", HOME + "__cdvfile_files__/", "UTF-8", 0, 1));
    assertEquals(1, fail("File", "readAsText", url + "x", "UTF-8", 0, 1));
    try (FileOutputStream stream = new FileOutputStream(new File(activity.getFilesDir(), "big"))) {
      stream.write(new byte[17 << 20]);
    }
    assertEquals(4, fail("File", "readAsArrayBuffer", HOME + "__cdvfile_files__/big", 0, 17 << 20));
  }

  @Test
  public void readsThePackageAndWhatTheUserChose() throws Exception {
    JSONObject folder = callForObject("File", "resolveLocalFileSystemURI", "file:///android_asset/www");
    assertEquals("/www/", folder.getString("fullPath"));
    assertTrue(call("File", "readEntries", "file:///android_asset/").toString().contains("\"www\""));
    assertEquals("/", callForObject("File", "resolveLocalFileSystemURI", "file:///android_asset").getString("fullPath"));
    assertEquals("/www/", callForObject("File", "getParent", "file:///android_asset/www/a.js").getString("fullPath"));
    assertEquals("/", callForObject("File", "getParent", "file:///android_asset/www/").getString("fullPath"));
    assertEquals("/www/a.js", callForObject("File", "getFile", "file:///android_asset/www/dir", "../a.js", NONE).getString("fullPath"));
    assertEquals(1, fail("File", "getFile", "file:///android_asset/www/", "../shell.json", NONE));
    assertTrue(call("File", "readEntries", HOME + "__cdvfile_assets__/www/").toString().contains("a.js"));
    assertEquals("assets", callForObject("File", "getFile", "file:///android_asset/www/", "a.js", NONE).getString("filesystemName"));
    assertEquals(100000, callForObject("File", "getFileMetadata", "file:///android_asset/www/movie.mp4").getInt("size"));
    assertEquals("document", call("File", "readAsText", HOME + "a.js", "UTF-8", 0, 8));
    assertEquals(6, fail("File", "write", "file:///android_asset/www/a.js", "x", 0, false));
    assertEquals(6, fail("File", "remove", "file:///android_asset/www/a.js"));
    assertEquals(6, fail("File", "getFile", "file:///android_asset/www/", "new", create(false)));
    callForObject("File", "copyTo", "file:///android_asset/www/dir", HOME + "__cdvfile_files__/", "copied");
    assertEquals("b", read(new File(activity.getFilesDir(), "copied/ü b.txt")));

    Uri chosen = Uri.parse("content://gallery/file/7");
    assertEquals(2, fail("File", "resolveLocalFileSystemURI", chosen.toString()));
    Grants.GRANTED.add(chosen);
    shadowOf(RuntimeEnvironment.getApplication().getContentResolver())
        .registerInputStreamSupplier(chosen, () -> new ByteArrayInputStream("chosen".getBytes()));
    JSONObject entry = callForObject("File", "resolveLocalFileSystemURI", chosen.toString());
    assertEquals("content", entry.getString("filesystemName"));
    assertEquals(chosen.toString(), entry.getString("nativeURL"));
    assertEquals("chosen", call("File", "readAsText", HOME + "__cdvfile_content__/gallery/file/7", "UTF-8", 0, 9));
    callForObject("File", "copyTo", chosen.toString(), HOME + "__cdvfile_files__/", "c.txt");
    assertEquals("chosen", read(new File(activity.getFilesDir(), "c.txt")));
    assertEquals(6, fail("File", "remove", chosen.toString()));
    assertEquals(6, fail("File", "moveTo", chosen.toString(), HOME + "__cdvfile_files__/", "d.txt"));
  }

  /** Acts as a malicious app. The name of its file leads to another path, and the reported size is wrong. */
  public static final class Gallery extends ContentProvider {
    static File file;

    @Override
    public boolean onCreate() {
      return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String selection, String[] args, String order) {
      MatrixCursor cursor = new MatrixCursor(columns);
      cursor.addRow(new Object[] {columns[0].equals(OpenableColumns.SIZE) ? "1" : "../../files/index.txt"});
      return cursor;
    }

    @Override
    public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
      return ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY);
    }

    @Override
    public String getType(Uri uri) {
      return "text/plain";
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      return null;
    }

    @Override
    public int delete(Uri uri, String selection, String[] args) {
      return 0;
    }

    @Override
    public int update(Uri uri, ContentValues values, String selection, String[] args) {
      return 0;
    }
  }

  @Test
  public void trustsNoOtherAppWithNames() throws Exception {
    Gallery.file = new File(activity.getCacheDir(), "chosen.txt");
    write(Gallery.file, "chosen");
    Robolectric.setupContentProvider(Gallery.class, "gallery");
    Uri chosen = Uri.parse("content://gallery/file/7");
    Grants.GRANTED.add(chosen);
    JSONObject metadata = callForObject("File", "getFileMetadata", chosen.toString());
    assertEquals("index.txt", metadata.getString("name"));
    assertEquals(6, metadata.getInt("size"));
    write(new File(activity.getFilesDir(), "index.txt"), "own");
    new File(activity.getFilesDir(), "in/here").mkdirs();
    callForObject("File", "copyTo", chosen.toString(), HOME + "__cdvfile_files__/in/here", "");
    assertEquals("chosen", read(new File(activity.getFilesDir(), "in/here/index.txt")));
    assertEquals("own", read(new File(activity.getFilesDir(), "index.txt")));
  }

  private Uri choose(Supplier<InputStream> content) {
    Uri chosen = Uri.parse("content://broken/file/7");
    Grants.GRANTED.add(chosen);
    shadowOf(RuntimeEnvironment.getApplication().getContentResolver()).registerInputStreamSupplier(chosen, content);
    return chosen;
  }

  @Test
  public void leavesNoParts() throws Exception {
    Uri chosen =
        choose(
            () ->
                new InputStream() {
                  private int count;

                  @Override
                  public int read() throws IOException {
                    if (count++ < 70000) {
                      return 'x';
                    }
                    throw new IOException("The memory card is gone");
                  }
                });
    File folder = new File(activity.getFilesDir(), "in");
    write(new File(folder, "old.txt"), "old");
    assertEquals(9, fail("File", "copyTo", chosen.toString(), HOME + "__cdvfile_files__/in", "old.txt"));
    assertEquals(9, fail("File", "copyTo", chosen.toString(), HOME + "__cdvfile_files__/in", "new.txt"));
    assertEquals("old", read(new File(folder, "old.txt")));
    assertEquals(1, folder.list().length);
    File archive = new File(activity.getFilesDir(), "cut.zip");
    zip("cut.zip", "a.txt", "b/" + "x".repeat(200));
    java.nio.file.Files.write(archive.toPath(), Arrays.copyOf(java.nio.file.Files.readAllBytes(archive.toPath()), 290));
    bad(send("Zip", "unzip", HOME + "__cdvfile_files__/cut.zip", HOME + "__cdvfile_files__/out"));
    assertEquals("a.txt", read(new File(activity.getFilesDir(), "out/a.txt")));
    assertEquals(0, new File(activity.getFilesDir(), "out/b").list().length);
  }

  @Test
  public void survivesAFileThatNeedsTooMuchMemory() throws Exception {
    Uri chosen =
        choose(
            () ->
                new InputStream() {
                  @Override
                  public int read() {
                    throw new OutOfMemoryError();
                  }
                });
    assertEquals(9, bad(send("File", "readAsText", chosen.toString(), "UTF-8", 0, 10)));
    bad(send("Zip", "unzip", chosen.toString(), HOME + "__cdvfile_files__/out"));
  }

  @Test
  public void copiesMovesAndRemoves() throws Exception {
    File root = activity.getFilesDir();
    String url = HOME + "__cdvfile_files__/";
    write(new File(root, "from/sub/a.txt"), "a");
    write(new File(root, "b.txt"), "b");
    assertEquals("/to/", callForObject("File", "copyTo", url + "from", url, "to").getString("fullPath"));
    assertEquals("a", read(new File(root, "to/sub/a.txt")));
    assertEquals(9, fail("File", "copyTo", url + "from", url, "from"));
    assertEquals(9, fail("File", "copyTo", url + "from", url + "from/sub", "x"));
    assertEquals(9, fail("File", "moveTo", url + "from", url, "to"));
    assertEquals(9, fail("File", "moveTo", url + "b.txt", url, "to"));
    assertEquals(9, fail("File", "moveTo", url + "from", url, "b.txt"));
    assertEquals(5, fail("File", "moveTo", url + "b.txt", url, "x:y"));
    assertEquals(5, fail("File", "moveTo", url + "b.txt", url, "../x"));
    assertEquals(1, fail("File", "moveTo", url + "absent", url, "x"));
    assertEquals(1, fail("File", "copyTo", url + "b.txt", url + "absent", "x"));
    assertEquals(6, fail("File", "moveTo", url, HOME + "__cdvfile_cache__/", "x"));
    callForObject("File", "moveTo", url + "b.txt", url + "to/sub", "a.txt");
    assertEquals("b", read(new File(root, "to/sub/a.txt")));
    callForObject("File", "moveTo", url + "to", HOME + "__cdvfile_cache__/", "moved");
    assertEquals("b", read(new File(activity.getCacheDir(), "moved/sub/a.txt")));
    assertFalse(new File(root, "to").exists());
    assertEquals(9, fail("File", "remove", url + "from"));
    call("File", "removeRecursively", url + "from");
    assertFalse(new File(root, "from").exists());
    assertEquals(1, fail("File", "remove", url + "from"));
    call("File", "remove", HOME + "__cdvfile_cache__/moved/sub/a.txt");
    assertEquals(6, fail("File", "remove", url));
  }

  private void zip(String file, String... names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream stream = new ZipOutputStream(bytes)) {
      for (String name : names) {
        stream.putNextEntry(new ZipEntry(name));
        stream.write(name.endsWith("/") ? new byte[0] : name.getBytes(StandardCharsets.UTF_8));
        stream.closeEntry();
      }
    }
    java.nio.file.Files.write(new File(activity.getFilesDir(), file).toPath(), bytes.toByteArray());
  }

  @Test
  public void unzips() throws Exception {
    zip("a.zip", "a.txt", "sub/", "sub/ü.txt", "deep/er/b.txt");
    String id = send("Zip", "unzip", HOME + "__cdvfile_files__/a.zip", HOME + "__cdvfile_files__/out");
    assertNull(good(id));
    JSONObject progress = answers(id).getJSONArray(0).getJSONObject(2);
    assertTrue(progress.has("loaded") && progress.has("total"));
    assertEquals("sub/ü.txt", read(new File(activity.getFilesDir(), "out/sub/ü.txt")));
    assertEquals("deep/er/b.txt", read(new File(activity.getFilesDir(), "out/deep/er/b.txt")));
    for (String name : new String[] {"../evil.txt", "x/../../evil.txt", "/../evil.txt", "..\\evil.txt"}) {
      zip("evil.zip", name);
      bad(send("Zip", "unzip", HOME + "__cdvfile_files__/evil.zip", HOME + "__cdvfile_files__/out"));
      assertFalse(name, new File(activity.getFilesDir(), "evil.txt").exists());
    }
    bad(send("Zip", "unzip", HOME + "__cdvfile_files__/absent.zip", HOME + "__cdvfile_files__/out"));
    bad(send("Zip", "unzip", HOME + "__cdvfile_files__/out/a.txt", HOME + "__cdvfile_files__/out"));
    bad(send("Zip", "unzip", HOME + "__cdvfile_files__/a.zip", "file:///sdcard/out"));
    assertEquals("Zip doesn't have the action zip.", bad(send("Zip", "zip", "", "")));
  }
}
