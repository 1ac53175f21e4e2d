package appbuild.shell;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.ClipData;
import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Intent;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Color;
import android.media.ExifInterface;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.provider.MediaStore;
import android.provider.OpenableColumns;
import android.util.Base64;
import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.imageio.ImageIO;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowDialog;
import org.robolectric.shadows.ShadowEnvironment;

@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class CameraTest extends PluginTest {
  private static final String PAGE_FILES = "https://localhost/_app_file_";
  static final Uri PICTURE = Uri.parse("content://gallery/picture");
  private static final Uri FILM = Uri.parse("content://gallery/film");
  private static final long PATIENCE_MS = 10000;
  /** First Android version on which Robolectric supports pixels. */
  private static final int FIRST_SDK_WITH_PIXELS = 26;

  /** Acts as another app, a gallery. */
  public static class Gallery extends ContentProvider {
    @Override
    public boolean onCreate() {
      return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
      MatrixCursor cursor = new MatrixCursor(new String[] {OpenableColumns.DISPLAY_NAME});
      cursor.addRow(new Object[] {uri.equals(FILM) ? "../film.mp4" : "../../my picture.jpg"});
      return cursor;
    }

    @Override
    public String getType(Uri uri) {
      return uri.equals(FILM) ? "video/mp4" : "image/jpeg";
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] arguments) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int delete(Uri uri, String where, String[] arguments) {
      throw new UnsupportedOperationException();
    }
  }

  private ShadowActivity.IntentForResult started;

  @Before
  public void fillGallery() {
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Questions.CAMERA);
    Robolectric.setupContentProvider(Gallery.class, "gallery");
    ShadowEnvironment.addExternalDir("card");
  }

  /** Makes the gallery return this file once. */
  static void offer(Uri uri, byte[] content) {
    shadowOf(RuntimeEnvironment.getApplication().getContentResolver()).registerInputStream(uri, new ByteArrayInputStream(content));
  }

  /**
   * Creates a picture that is red on one half and blue on the other. @param orientation as a camera
   * stores it
   */
  static byte[] jpeg(int width, int height, int orientation) throws Exception {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < width; x++) {
      for (int y = 0; y < height; y++) {
        image.setRGB(x, y, x < width / 2 ? 0xff0000 : 0x0000ff);
      }
    }
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    ImageIO.write(image, "jpg", encoded);
    ByteBuffer exif = ByteBuffer.allocate(50);
    exif.putShort((short) 0xffe1).putShort((short) 48).put("Exif\0\0MM".getBytes("US-ASCII")).putShort((short) 42).putInt(8);
    exif.putShort((short) 2).putShort((short) 0x10f).putShort((short) 2).putInt(4).put("Abc\0".getBytes("US-ASCII"));
    exif.putShort((short) 0x112).putShort((short) 3).putInt(1).putShort((short) orientation).putShort((short) 0).putInt(0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(encoded.toByteArray(), 0, 2);
    bytes.write(exif.array(), 0, exif.position());
    bytes.write(encoded.toByteArray(), 2, encoded.size() - 2);
    return bytes.toByteArray();
  }

  /** Makes a call that starts an activity. */
  private String start(String service, String action, Object... args) {
    String id = send(service, action, args);
    seeStarted();
    return id;
  }

  private void seeStarted() {
    long end = System.nanoTime() + PATIENCE_MS * 1000000;
    for (started = null; started == null && System.nanoTime() < end; Thread.yield()) {
      finishWork();
      started = shadowOf(activity).getNextStartedActivityForResult();
    }
    assertTrue("No activity was started", started != null);
  }

  private void end(int result, Intent data) {
    activity.onActivityResult(started.requestCode, result, data);
  }

  private File output() {
    Uri uri = started.intent.getParcelableExtra(MediaStore.EXTRA_OUTPUT);
    assertEquals("com.example.plain.files", uri.getAuthority());
    assertEquals(uri, started.intent.getClipData().getItemAt(0).getUri());
    return new File(AppFiles.folder(activity), uri.getLastPathSegment());
  }

  private void shoot(byte[] content) throws Exception {
    java.nio.file.Files.write(output().toPath(), content);
    end(Activity.RESULT_OK, null);
  }

  private void choose(Uri... uris) {
    ClipData several = ClipData.newRawUri("", uris[0]);
    for (int index = 1; index < uris.length; index++) {
      several.addItem(new ClipData.Item(uris[index]));
    }
    Intent data = new Intent().setData(uris[0]);
    if (uris.length > 1) {
      data.setClipData(several);
    }
    end(Activity.RESULT_OK, data);
  }

  private JSONArray await(String id) throws Exception {
    long end = System.nanoTime() + PATIENCE_MS * 1000000;
    while (answers(id).length() == 0) {
      assertTrue(id + " isn't answered", System.nanoTime() < end);
      Thread.yield();
    }
    return answers(id).getJSONArray(0);
  }

  private Object value(String id) throws Exception {
    JSONArray answer = await(id);
    assertEquals(answer.toString(), 0, answer.getInt(1));
    return answer.get(2);
  }

  private Object reason(String id) throws Exception {
    JSONArray answer = await(id);
    assertEquals(answer.toString(), 1, answer.getInt(1));
    return answer.get(2);
  }

  private String code(String id) throws Exception {
    return ((JSONObject) reason(id)).getString("code");
  }

  private File fileOf(Object url) {
    assertTrue(url.toString(), url.toString().startsWith(PAGE_FILES));
    return folders().file(url.toString());
  }

  private static void assertSize(int width, int height, File picture) {
    BitmapFactory.Options bounds = new BitmapFactory.Options();
    bounds.inJustDecodeBounds = true;
    BitmapFactory.decodeFile(picture.getPath(), bounds);
    assertEquals(width + "x" + height, bounds.outWidth + "x" + bounds.outHeight);
  }

  private static byte[] bytesOf(File file) throws Exception {
    return java.nio.file.Files.readAllBytes(file.toPath());
  }

  /** Calls takePicture. @param source 0 for the gallery, 1 for the camera */
  private String takePicture(int quality, int destination, int source, int size, int encoding, boolean isUpright, boolean isSaved) {
    return start("Camera", "takePicture", quality, destination, source, size, size, encoding, 0, false, isUpright, isSaved, JSONObject.NULL, 0);
  }

  @Test
  public void takesPictures() throws Exception {
    byte[] shot = jpeg(400, 200, 6);
    String id = takePicture(100, 1, 1, -1, 0, false, false);
    assertEquals(MediaStore.ACTION_IMAGE_CAPTURE, started.intent.getAction());
    shoot(shot);
    File same = fileOf(value(id));
    assertArrayEquals(shot, bytesOf(same));
    assertEquals(0, AppFiles.folder(activity).list().length);

    id = takePicture(50, 1, 1, -1, 0, false, false);
    shoot(shot);
    File smaller = fileOf(value(id));
    assertSize(400, 200, smaller);
    ExifInterface exif = new ExifInterface(smaller.getPath());
    assertEquals("Abc", exif.getAttribute(ExifInterface.TAG_MAKE));
    assertEquals(6, exif.getAttributeInt(ExifInterface.TAG_ORIENTATION, 0));

    id = takePicture(50, 1, 1, 100, 0, true, false);
    shoot(shot);
    File turned = fileOf(value(id));
    assertSize(50, 100, turned);
    if (Build.VERSION.SDK_INT >= FIRST_SDK_WITH_PIXELS) {
      // After the rotation, the left half of the picture is its upper half.
      Bitmap pixels = BitmapFactory.decodeFile(turned.getPath());
      assertTrue(Color.red(pixels.getPixel(25, 20)) > 200);
      assertTrue(Color.blue(pixels.getPixel(25, 80)) > 200);
    }
    assertEquals(1, new ExifInterface(turned.getPath()).getAttributeInt(ExifInterface.TAG_ORIENTATION, 0));

    id = takePicture(50, 1, 1, 4000, 0, false, false);
    shoot(shot);
    assertSize(400, 200, fileOf(value(id)));

    id = takePicture(50, 1, 1, -1, 1, true, false);
    shoot(shot);
    File png = fileOf(value(id));
    assertTrue(png.getName().endsWith(".png"));
    assertEquals("PNG", new String(bytesOf(png), 1, 3, "US-ASCII"));

    assertEquals(5, new File(activity.getCacheDir(), "camera").list().length);
    call("Camera", "cleanup");
    assertEquals(0, new File(activity.getCacheDir(), "camera").list().length);
  }

  @Test
  public void givesPicturesAsData() throws Exception {
    byte[] shot = jpeg(40, 20, 1);
    String id = takePicture(100, 0, 1, -1, 0, false, false);
    shoot(shot);
    assertEquals("data:image/jpeg;base64," + Base64.encodeToString(shot, Base64.NO_WRAP), value(id));
    assertTrue(Camera.hasDataUrls("{\n  \"cordova-plugin-camera\": \"8.0.0\"\n}"));
    assertTrue(Camera.hasDataUrls("{}"));
    assertFalse(Camera.hasDataUrls("{\n  \"cordova-plugin-camera\": \"7.0.0\"\n}"));
    assertFalse(Camera.hasDataUrls("{\n  \"org.apache.cordova.camera\": \"0.3.6\"\n}"));

    id = takePicture(100, 0, 1, -1, 0, false, false);
    shoot(java.util.Arrays.copyOf(shot, 17 << 20));
    assertTrue(reason(id).toString(), reason(id).toString().startsWith("The picture has 17825792 bytes"));
  }

  @Test
  public void savesPictures() throws Exception {
    String id = takePicture(100, 1, 1, -1, 0, false, true);
    shoot(jpeg(40, 20, 1));
    File picture = fileOf(value(id));
    if (Build.VERSION.SDK_INT < 29) {
      assertArrayEquals(bytesOf(picture), bytesOf(new File(activity.getExternalMediaDirs()[0], picture.getName())));
    } else {
      ContentValues values = shadowOf(activity.getContentResolver()).getInsertStatements().get(0).getContentValues();
      assertEquals("DCIM", values.getAsString(MediaStore.MediaColumns.RELATIVE_PATH));
      assertEquals("image/jpeg", values.getAsString(MediaStore.MediaColumns.MIME_TYPE));
    }
  }

  @Test
  public void choosesPictures() throws Exception {
    byte[] content = jpeg(400, 200, 6);
    offer(PICTURE, content);
    String id = takePicture(50, 1, 0, -1, 0, false, false);
    boolean hasPicker = Build.VERSION.SDK_INT >= 33;
    assertEquals(hasPicker ? MediaStore.ACTION_PICK_IMAGES : Intent.ACTION_GET_CONTENT, started.intent.getAction());
    assertEquals("image/*", started.intent.getType());
    choose(PICTURE);
    File same = fileOf(value(id));
    assertEquals("my picture.jpg", same.getName());
    assertArrayEquals(content, bytesOf(same));

    offer(PICTURE, content);
    id = takePicture(50, 1, 2, 100, 0, true, false);
    choose(PICTURE);
    assertSize(50, 100, fileOf(value(id)));

    offer(FILM, new byte[10]);
    id = start("Camera", "takePicture", 50, 1, 0, -1, -1, 0, 1, false, false, false, JSONObject.NULL, 0);
    assertEquals("video/*", started.intent.getType());
    choose(FILM);
    assertEquals("film.mp4", fileOf(value(id)).getName());

    // Another app can't make the app reveal its own files or return a file that isn't a picture.
    id = takePicture(50, 1, 0, -1, 0, false, false);
    choose(Uri.fromFile(new File(activity.getFilesDir(), "x.jpg")));
    assertEquals("No Image Selected", reason(id));
    if (Build.VERSION.SDK_INT >= FIRST_SDK_WITH_PIXELS) {
      offer(PICTURE, new byte[10]);
      id = takePicture(50, 0, 0, -1, 0, false, false);
      choose(PICTURE);
      assertEquals("Android can't read this picture.", reason(id));
      offer(PICTURE, new byte[10]);
      id = start("Capacitor.Camera", "chooseFromGallery", new JSONObject());
      choose(PICTURE);
      assertEquals("OS-PLUG-CAMR-0012", code(id));
    }
  }

  @Test
  public void tellsWhyThereIsNoPicture() throws Exception {
    String id = takePicture(50, 1, 1, -1, 0, false, false);
    end(Activity.RESULT_CANCELED, null);
    assertEquals("No Image Selected", reason(id));
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(Questions.CAMERA);
    id = send("Camera", "takePicture", 50, 1, 1);
    String coded = send("Capacitor.Camera", "takePhoto", new JSONObject());
    String capture = send("Capture", "captureVideo", new JSONObject());
    for (int index = 0; index < 3; index++) {
      finishWork();
      activity.onRequestPermissionsResult(2, new String[] {Questions.CAMERA}, new int[] {-1});
    }
    assertEquals(20, reason(id));
    assertEquals("OS-PLUG-CAMR-0003", code(coded));
    assertEquals("4", code(capture));
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Questions.CAMERA);
    shadowOf(RuntimeEnvironment.getApplication()).checkActivities(true);
    assertEquals("No app on this phone can do that.", fail("Camera", "takePicture", 50, 1, 1));
    assertEquals("OS-PLUG-CAMR-0007", code(send("Capacitor.Camera", "takePhoto", new JSONObject())));
    assertEquals("OS-PLUG-CAMR-0018", code(send("Capacitor.Camera", "chooseFromGallery", new JSONObject())));
    assertEquals("20", code(send("Capture", "captureAudio", new JSONObject())));
    assertEquals("Camera doesn't have the action crop.", fail("Camera", "crop"));
  }

  @Test
  public void answersTheNextPageWhereAndroidEndedTheApp() throws Exception {
    takePicture(100, 1, 1, -1, 0, false, false);
    byte[] shot = jpeg(40, 20, 1);
    java.nio.file.Files.write(output().toPath(), shot);
    Bundle state = new Bundle();
    controller.saveInstanceState(state).pause().stop().destroy();
    open(state);
    end(Activity.RESULT_OK, null);
    JSONObject restored = (JSONObject) await("restored").get(2);
    assertEquals("Camera", restored.getString("service"));
    assertFalse(restored.getBoolean("isFailure"));
    assertArrayEquals(shot, bytesOf(fileOf(restored.get("value"))));
  }

  @Test
  public void getsPhotosForCapacitor() throws Exception {
    byte[] shot = jpeg(400, 200, 6);
    String id = start("Capacitor.Camera", "getPhoto", new JSONObject().put("source", "CAMERA").put("resultType", "uri").put("width", 100));
    shoot(shot);
    JSONObject photo = (JSONObject) value(id);
    assertEquals("jpeg", photo.getString("format"));
    assertEquals("Abc", photo.getJSONObject("exif").getString("Make"));
    assertFalse(photo.getBoolean("saved"));
    assertSize(100, 200, fileOf(photo.get("webPath")));
    assertEquals(fileOf(photo.get("webPath")), folders().file(photo.getString("path")));
    assertTrue(photo.getString("path").startsWith("file:///"));

    for (String type : new String[] {"base64", "dataUrl"}) {
      id = start("Capacitor.Camera", "getPhoto", new JSONObject().put("source", "CAMERA").put("resultType", type).put("quality", 100));
      shoot(jpeg(40, 20, 1));
      photo = (JSONObject) value(id);
      assertFalse(photo.has("path"));
      String text = photo.getString(type.equals("base64") ? "base64String" : type);
      assertEquals(type.equals("dataUrl"), text.startsWith("data:image/jpeg;base64,"));
    }

    offer(PICTURE, shot);
    id = send("Capacitor.Camera", "getPhoto", new JSONObject().put("promptLabelHeader", "Where from?"));
    finishWork();
    AlertDialog dialog = (AlertDialog) ShadowDialog.getLatestDialog();
    assertEquals("Where from?", shadowOf(dialog).getTitle().toString());
    shadowOf(dialog).clickOnItem(0);
    seeStarted();
    choose(PICTURE);
    assertSize(200, 400, fileOf(((JSONObject) value(id)).get("webPath")));
    id = send("Capacitor.Camera", "getPhoto", new JSONObject());
    finishWork();
    ShadowDialog.getLatestDialog().cancel();
    assertEquals("User cancelled photos app", reason(id));
  }

  @Test
  public void choosesSeveral() throws Exception {
    Uri other = Uri.parse("content://gallery/other");
    offer(PICTURE, jpeg(40, 20, 1));
    offer(other, jpeg(20, 40, 1));
    String id = start("Capacitor.Camera", "pickImages", new JSONObject());
    assertEquals(Build.VERSION.SDK_INT < 33, started.intent.getBooleanExtra(Intent.EXTRA_ALLOW_MULTIPLE, false));
    choose(PICTURE, other);
    JSONArray photos = ((JSONObject) value(id)).getJSONArray("photos");
    assertSize(40, 20, fileOf(photos.getJSONObject(0).get("webPath")));
    assertSize(20, 40, fileOf(photos.getJSONObject(1).get("webPath")));

    offer(PICTURE, jpeg(40, 20, 1));
    offer(FILM, new byte[10]);
    JSONObject both = new JSONObject().put("mediaType", 2).put("allowMultipleSelection", true).put("includeMetadata", true);
    id = start("Capacitor.Camera", "chooseFromGallery", both.put("limit", 2));
    choose(PICTURE, FILM, other);
    JSONArray results = ((JSONObject) value(id)).getJSONArray("results");
    assertEquals(2, results.length());
    JSONObject picture = results.getJSONObject(0);
    assertEquals(0, picture.getInt("type"));
    assertEquals("40x20", picture.getJSONObject("metadata").getString("resolution"));
    assertEquals("jpeg", picture.getJSONObject("metadata").getString("format"));
    assertFalse(picture.getString("thumbnail").isEmpty());
    JSONObject film = results.getJSONObject(1);
    assertEquals(1, film.getInt("type"));
    assertEquals(10, film.getJSONObject("metadata").getInt("size"));
    assertTrue(film.getJSONObject("metadata").has("duration"));
    id = start("Capacitor.Camera", "chooseFromGallery", new JSONObject());
    end(Activity.RESULT_CANCELED, null);
    assertEquals("OS-PLUG-CAMR-0020", code(id));
  }

  @Test
  public void takesForCapacitor() throws Exception {
    String id = start("Capacitor.Camera", "takePhoto", new JSONObject().put("encodingType", 1).put("saveToGallery", true));
    shoot(jpeg(40, 20, 1));
    JSONObject photo = (JSONObject) value(id);
    assertEquals(0, photo.getInt("type"));
    assertTrue(photo.getBoolean("saved"));
    assertFalse(photo.has("metadata"));
    assertTrue(photo.getString("uri").endsWith(".png"));

    id = start("Capacitor.Camera", "recordVideo", new JSONObject());
    assertEquals(MediaStore.ACTION_VIDEO_CAPTURE, started.intent.getAction());
    shoot(new byte[10]);
    JSONObject film = (JSONObject) value(id);
    assertEquals(activity.getFilesDir(), fileOf(film.get("webPath")).getParentFile());

    call("Capacitor.Camera", "playVideo", new JSONObject().put("uri", film.getString("uri")));
    Intent player = shadowOf(RuntimeEnvironment.getApplication()).getNextStartedActivity();
    assertEquals("video/mp4", player.getType());
    assertEquals("com.example.plain.files", player.getData().getAuthority());
    id = send("Capacitor.Camera", "playVideo", new JSONObject().put("uri", "file:///system/film.mp4"));
    assertEquals("OS-PLUG-CAMR-0027", code(id));
  }

  @Test
  public void tellsPermissions() throws Exception {
    JSONObject states = callForObject("Capacitor.Camera", "checkPermissions", new JSONObject());
    assertEquals("granted", states.getString("camera"));
    assertEquals("granted", states.getString("photos"));
    shadowOf(RuntimeEnvironment.getApplication()).denyPermissions(Questions.CAMERA);
    assertEquals("prompt", callForObject("Capacitor.Camera", "checkPermissions", new JSONObject()).getString("camera"));
    String id = send("Capacitor.Camera", "requestPermissions", new JSONObject().put("permissions", new JSONArray().put("camera")));
    finishWork();
    activity.onRequestPermissionsResult(2, new String[] {Questions.CAMERA}, new int[] {-1});
    assertEquals("denied", ((JSONObject) value(id)).getString("camera"));
  }

  @Test
  public void captures() throws Exception {
    String id = start("Capture", "captureImage", new JSONObject().put("limit", 3));
    shoot(jpeg(40, 20, 1));
    seeStarted();
    shoot(jpeg(20, 40, 1));
    seeStarted();
    end(Activity.RESULT_CANCELED, null);
    JSONArray files = (JSONArray) value(id);
    assertEquals(2, files.length());
    JSONObject file = files.getJSONObject(1);
    assertEquals("image/jpeg", file.getString("type"));
    assertEquals(file.getString("fullPath"), file.getString("localURL"));
    assertEquals(fileOf(file.get("fullPath")).getName(), file.getString("name"));
    assertEquals(fileOf(file.get("fullPath")).length(), file.getLong("size"));
    JSONObject format = callForObject("Capture", "getFormatData", file.getString("fullPath"), "image/jpeg");
    assertEquals("20x40", format.getInt("width") + "x" + format.getInt("height"));

    id = start("Capture", "captureVideo", new JSONObject().put("quality", 0).put("duration", 5));
    assertEquals(0, started.intent.getIntExtra(MediaStore.EXTRA_VIDEO_QUALITY, -1));
    assertEquals(5, started.intent.getIntExtra(MediaStore.EXTRA_DURATION_LIMIT, -1));
    shoot(new byte[10]);
    file = ((JSONArray) value(id)).getJSONObject(0);
    assertEquals("video/mp4", file.getString("type"));
    assertEquals(0, callForObject("Capture", "getFormatData", file.getString("fullPath"), "video/mp4").getInt("duration"));

    // A recorder returns the location of its file.
    offer(FILM, new byte[10]);
    id = start("Capture", "captureAudio", JSONObject.NULL);
    choose(FILM);
    assertEquals(10, ((JSONArray) value(id)).getJSONObject(0).getInt("size"));

    id = start("Capture", "captureImage", new JSONObject());
    end(Activity.RESULT_CANCELED, null);
    assertEquals("3", code(id));
    assertEquals("2", code(send("Capture", "captureImage", new JSONObject().put("limit", 0))));
    assertEquals("2", code(send("Capture", "getFormatData", "file:///etc/hosts", "text/plain")));
  }

  @Test
  public void keepsAlbums() throws Exception {
    String root = callForObject("Capacitor.Media", "getAlbumsPath", new JSONObject()).getString("path");
    call("Capacitor.Media", "createAlbum", new JSONObject().put("name", "Trips"));
    for (String name : new String[] {"", "..", "a/b", "../x"}) {
      assertEquals("argumentError", code(send("Capacitor.Media", "createAlbum", new JSONObject().put("name", name))));
    }
    assertEquals("filesystemError", code(send("Capacitor.Media", "createAlbum", new JSONObject().put("name", "Trips"))));
    JSONArray albums = callForObject("Capacitor.Media", "getAlbums", new JSONObject()).getJSONArray("albums");
    assertEquals(1, albums.length());
    String album = albums.getJSONObject(0).getString("identifier");
    assertEquals("Trips", albums.getJSONObject(0).getString("name"));
    assertEquals(root + "/Trips", album);

    byte[] picture = jpeg(40, 20, 1);
    String data = "data:image/jpeg;base64," + Base64.encodeToString(picture, Base64.DEFAULT);
    assertArrayEquals(picture, bytesOf(save("savePhoto", data, album, "one")));
    assertTrue(new File(album, "one.jpg").exists());
    File own = new File(activity.getCacheDir(), "two.png");
    java.nio.file.Files.write(own.toPath(), picture);
    assertEquals("two.png", save("savePhoto", Uri.fromFile(own).toString(), album, "two").getName());
    assertTrue(save("savePhoto", folders().url(own), album, null).getName().startsWith("IMG_"));
    assertEquals("three.mp4", save("saveVideo", HOME + "movie.mp4", album, "three").getName());
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/picture", exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "image/png; charset=none");
      exchange.sendResponseHeaders(200, picture.length);
      exchange.getResponseBody().write(picture);
      exchange.close();
    });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      assertArrayEquals(picture, bytesOf(save("savePhoto", url + "/picture", album, "four")));
      assertEquals("downloadError", code(sendSave("savePhoto", url + "/absent", album, "five")));
    } finally {
      server.stop(0);
    }
    assertEquals("filesystemError", code(sendSave("savePhoto", data, album, "one")));
    assertEquals("argumentError", code(sendSave("savePhoto", data, root, "x")));
    assertEquals("argumentError", code(sendSave("savePhoto", data, activity.getFilesDir().getPath(), "x")));
    assertEquals("argumentError", code(sendSave("savePhoto", data, album + "/../../x", "x")));
    assertEquals("downloadError", code(sendSave("savePhoto", "file:///etc/hosts", album, "x")));
    assertEquals("downloadError", code(sendSave("savePhoto", "content://gallery/picture", album, "x")));
    assertEquals("argumentError", code(sendSave("savePhoto", "data:text/html;base64,AAAA", album, "x")));
    assertEquals("argumentError", code(sendSave("savePhoto", HOME + "a.js", album, "x")));
    assertEquals(new File(album), save("savePhoto", data, album, "../../../up").getParentFile());
  }

  private String sendSave(String action, String path, String album, String name) throws Exception {
    return send("Capacitor.Media", action, new JSONObject().put("path", path).put("albumIdentifier", album).put("fileName", name));
  }

  private File save(String action, String path, String album, String name) throws Exception {
    return new File(((JSONObject) value(sendSave(action, path, album, name))).getString("filePath"));
  }
}
