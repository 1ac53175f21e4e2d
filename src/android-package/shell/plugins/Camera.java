package appbuild.shell;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.DialogInterface;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Matrix;
import android.media.ExifInterface;
import android.media.MediaMetadataRetriever;
import android.media.MediaScannerConnection;
import android.net.Uri;
import android.os.Build;
import android.os.Environment;
import android.provider.MediaStore;
import android.util.Base64;
import android.util.Log;
import android.webkit.MimeTypeMap;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Implements cordova-plugin-camera, cordova-plugin-media-capture, @capacitor/camera, and @capacitor-community/media. The phone's own apps
 * take, record, and choose media. The files are copied to the cache. Pages get URLs of the app's own origin, which they can load or pass to
 * cordova-plugin-file.
 */
final class Camera extends Plugin {
  private static final String CORDOVA = "Camera";
  private static final String CAPTURE = "Capture";
  private static final String CAPACITOR = "Capacitor.Camera";
  private static final String MEDIA = "Capacitor.Media";
  private static final String JPEG = "image/jpeg";
  /** Maximum size of a file that a page gets as data. Limited because the data occupies several times its size in memory. */
  private static final long MAX_DATA_BYTES = 16 << 20;
  /** Maximum size of a decoded picture. A pixel occupies four bytes. Larger pictures are scaled to half their size or less. */
  private static final int MAX_PIXELS = 32 << 20;
  private static final int THUMBNAIL_PIXELS = 320;
  private static final int TIMEOUT_MS = 30000;
  /** Reasons for a failure. */
  private static final int CANCELED = 0;
  private static final int REFUSED = 1;
  private static final int NO_APP = 2;
  private static final int BROKEN = 3;
  private static final String[] MESSAGES = {
    "The user has taken or chosen nothing.", "The user hasn't granted the permission.", "No app on this phone can do that.",
  };
  /** Tags to keep when a picture is scaled or rotated. */
  private static final String[] KEPT_TAGS = {
    ExifInterface.TAG_DATETIME, ExifInterface.TAG_DATETIME_DIGITIZED, ExifInterface.TAG_DATETIME_ORIGINAL, ExifInterface.TAG_MAKE,
    ExifInterface.TAG_MODEL, ExifInterface.TAG_ORIENTATION, ExifInterface.TAG_EXPOSURE_TIME, ExifInterface.TAG_F_NUMBER,
    ExifInterface.TAG_FLASH, ExifInterface.TAG_FOCAL_LENGTH, ExifInterface.TAG_WHITE_BALANCE, ExifInterface.TAG_GPS_ALTITUDE,
    ExifInterface.TAG_GPS_ALTITUDE_REF, ExifInterface.TAG_GPS_DATESTAMP, ExifInterface.TAG_GPS_LATITUDE, ExifInterface.TAG_GPS_LATITUDE_REF,
    ExifInterface.TAG_GPS_LONGITUDE, ExifInterface.TAG_GPS_LONGITUDE_REF, ExifInterface.TAG_GPS_PROCESSING_METHOD,
    ExifInterface.TAG_GPS_TIMESTAMP,
  };

  /** Options of a call. */
  private static final class Wanted {
    /** MIME types to choose from. */
    String[] types = {"image/*"};
    int limit = 1;
    int quality = 100;
    /** Zero for any width. */
    int width;
    int height;
    boolean isUpright;
    boolean isPng;
    /** Whether to keep the picture unchanged. */
    boolean isKept;
    boolean isSaved;
    boolean isData;

    Wanted(Call call) {
      JSONObject options = call.options();
      if (call.service.equals(CAPTURE)) {
        limit = options.optInt("limit", 1);
        isKept = true;
      } else if (call.service.equals(CORDOVA)) {
        boolean isTaken = isTaken(call);
        quality = call.args.optInt(0, 50);
        isData = call.args.optInt(1, 1) == 0;
        width = Math.max(0, call.args.optInt(3));
        height = Math.max(0, call.args.optInt(4));
        isPng = call.args.optInt(5) == 1;
        setTypes(call.args.optInt(6));
        isUpright = call.args.optBoolean(8);
        isSaved = isTaken && call.args.optBoolean(9);
        isKept = width == 0 && height == 0 && !isUpright && (quality >= 100 || !isTaken && !isData);
      } else {
        quality = options.optInt("quality", call.action.equals("getPhoto") || call.action.equals("pickImages") ? 90 : 100);
        width = Math.max(0, options.optInt("width", options.optInt("targetWidth")));
        height = Math.max(0, options.optInt("height", options.optInt("targetHeight")));
        isUpright = options.optBoolean("correctOrientation", true);
        isPng = options.optInt("encodingType") == 1;
        isSaved = options.optBoolean("saveToGallery");
        isData = call.action.equals("getPhoto") && !options.optString("resultType", "uri").equalsIgnoreCase("uri");
        setTypes(options.optInt("mediaType"));
        if (call.action.equals("pickImages") || options.optBoolean("allowMultipleSelection")) {
          limit = options.optInt("limit") > 0 ? options.optInt("limit") : Integer.MAX_VALUE;
        }
      }
    }

    /** Sets the MIME types to choose from. @param number a media type in Cordova's or Capacitor's numbering */
    private void setTypes(int number) {
      if (number > 0) {
        types = number == 1 ? new String[] {"video/*"} : new String[] {"image/*", "video/*"};
      }
    }

    static boolean isTaken(Call call) {
      return call.args.optInt(2, 1) == 1;
    }
  }

  @Override
  String[] services() {
    return new String[] {CORDOVA, CAPTURE, CAPACITOR, MEDIA};
  }

  /** Returns no permission for photos, because other apps can choose pictures for this app without one. */
  @Override
  Map<String, String[]> permissions() {
    Map<String, String[]> permissions = new HashMap<>();
    permissions.put("camera", FileChooser.isCameraDeclared(activity) ? new String[] {Questions.CAMERA} : new String[0]);
    permissions.put("photos", new String[0]);
    return permissions;
  }

  @Override
  void call(final Call call) throws Exception {
    switch (call.service + "." + call.action) {
      case "Camera.takePicture":
        if (Wanted.isTaken(call)) {
          take(call, new JSONArray());
        } else {
          choose(call);
        }
        return;
      case "Camera.cleanup":
        for (File file : folder().listFiles()) {
          file.delete();
        }
        call.succeed(null);
        return;
      case "Capture.captureAudio":
      case "Capture.captureImage":
      case "Capture.captureVideo":
        if (new Wanted(call).limit < 1) {
          call.fail(coded(2, "The limit has to be at least 1."));
          return;
        }
        take(call, new JSONArray());
        return;
      case "Capacitor.Camera.getPhoto":
        String source = call.options().optString("source").toUpperCase(Locale.ROOT);
        if (source.equals("CAMERA")) {
          take(call, new JSONArray());
        } else if (source.equals("PHOTOS")) {
          choose(call);
        } else {
          askForSource(call);
        }
        return;
      case "Capacitor.Camera.takePhoto":
      case "Capacitor.Camera.recordVideo":
        take(call, new JSONArray());
        return;
      case "Capacitor.Camera.pickImages":
      case "Capacitor.Camera.chooseFromGallery":
        choose(call);
        return;
      case "Capacitor.Media.getAlbumsPath":
        call.succeed(new JSONObject().put("path", albums().getPath()));
        return;
      case "Capacitor.Media.getAlbums":
        tellAlbums(call);
        return;
      case "Capacitor.Media.createAlbum":
        createAlbum(call);
        return;
      case "Capture.getFormatData":
      case "Capacitor.Camera.playVideo":
      case "Capacitor.Media.savePhoto":
      case "Capacitor.Media.saveVideo":
        bridge.work(
            call,
            new Bridge.Granted() {
              @Override
              public void run() throws Exception {
                work(call);
              }
            });
        return;
      default:
        throw unknown(call);
    }
  }

  /** Answers calls that may be slow. */
  private void work(Call call) throws Exception {
    if (call.service.equals(CAPTURE)) {
      tellFormat(call);
    } else if (call.service.equals(CAPACITOR)) {
      play(call);
    } else {
      saveMedia(call);
    }
  }

  private static JSONObject coded(Object code, String message) throws JSONException {
    return new JSONObject().put("code", code).put("message", message);
  }

  private static Object reason(Call call, int why) throws JSONException {
    return reason(call, why, MESSAGES[why]);
  }

  /** Returns the reason for a failure in the format that the plugin's script expects. */
  private static Object reason(Call call, int why, String message) throws JSONException {
    switch (call.action) {
      case "takePicture":
        return why == REFUSED ? (Object) 20 : why == CANCELED ? "No Image Selected" : message;
      case "getPhoto":
      case "pickImages":
        return why == REFUSED ? "User denied access to camera" : why == CANCELED ? "User cancelled photos app" : message;
      case "takePhoto":
        return coded("OS-PLUG-CAMR-00" + new String[] {"06", "03", "07", "12"}[why], message);
      case "recordVideo":
        return coded("OS-PLUG-CAMR-00" + new String[] {"17", "03", "16", "16"}[why], message);
      case "chooseFromGallery":
        return coded("OS-PLUG-CAMR-00" + new String[] {"20", "05", "18", "12"}[why], message);
      default:
        return coded(new int[] {3, 4, 20, 0}[why], message);
    }
  }

  private void askForSource(final Call call) {
    JSONObject options = call.options();
    final DialogInterface.OnClickListener chosen =
        new DialogInterface.OnClickListener() {
          @Override
          public void onClick(DialogInterface dialog, int index) {
            try {
              if (index == 0) {
                choose(call);
              } else {
                take(call, new JSONArray());
              }
            } catch (Exception error) {
              call.fail(error.getMessage());
            }
          }
        };
    new AlertDialog.Builder(activity)
        .setTitle(options.optString("promptLabelHeader", "Photo"))
        .setItems(
            new String[] {
              options.optString("promptLabelPhoto", "From Photos"), options.optString("promptLabelPicture", "Take Picture"),
            },
            chosen)
        .setOnCancelListener(
            new DialogInterface.OnCancelListener() {
              @Override
              public void onCancel(DialogInterface dialog) {
                call.fail("User cancelled photos app");
              }
            })
        .show();
  }

  /** Starts a camera or a recorder. @param before earlier files of this call */
  private void take(final Call call, final JSONArray before) throws Exception {
    final JSONObject state = new JSONObject().put("before", before);
    if (call.action.equals("captureAudio")) {
      bridge.start(call, state, new Intent(MediaStore.Audio.Media.RECORD_SOUND_ACTION), reason(call, NO_APP));
      return;
    }
    boolean isFilm = call.action.endsWith("Video");
    File file = FileChooser.capturedFile(activity, isFilm);
    state.put("file", file.getPath());
    final Intent intent = FileChooser.captureIntent(activity, file, isFilm);
    if (isFilm && call.service.equals(CAPTURE)) {
      intent.putExtra(MediaStore.EXTRA_VIDEO_QUALITY, call.options().optInt("quality", 1));
      if (call.options().optInt("duration") > 0) {
        intent.putExtra(MediaStore.EXTRA_DURATION_LIMIT, call.options().optInt("duration"));
      }
    }
    String[] permissions = permissions().get("camera");
    bridge.ask(
        call,
        permissions,
        permissions.length,
        reason(call, REFUSED),
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            bridge.start(call, state, intent, reason(call, NO_APP));
          }
        });
  }

  /** Shows the phone's photo picker, or a file picker before Android 13. */
  private void choose(Call call) throws JSONException {
    Wanted wanted = new Wanted(call);
    boolean isOneType = wanted.types.length == 1;
    Intent intent;
    if (Build.VERSION.SDK_INT >= 33) {
      // Without a type, the picker shows pictures and videos.
      intent = new Intent(MediaStore.ACTION_PICK_IMAGES).setType(isOneType ? wanted.types[0] : null);
      if (wanted.limit > 1) {
        intent.putExtra(MediaStore.EXTRA_PICK_IMAGES_MAX, Math.min(wanted.limit, MediaStore.getPickImagesMaxLimit()));
      }
    } else {
      intent =
          new Intent(Intent.ACTION_GET_CONTENT)
              .addCategory(Intent.CATEGORY_OPENABLE)
              .setType(isOneType ? wanted.types[0] : "*/*")
              .putExtra(Intent.EXTRA_MIME_TYPES, wanted.types)
              .putExtra(Intent.EXTRA_ALLOW_MULTIPLE, wanted.limit > 1);
    }
    bridge.start(call, new JSONObject(), intent, reason(call, NO_APP));
  }

  @Override
  void onResult(final Call call, final JSONObject state, int result, Intent data) throws Exception {
    final JSONArray before = state.optJSONArray("before");
    if (result != Activity.RESULT_OK) {
      // The user has finished taking pictures.
      if (before != null && before.length() > 0) {
        call.succeed(before);
      } else {
        call.fail(reason(call, CANCELED));
      }
      return;
    }
    final Uri[] chosen = data == null ? null : FileChooser.filesFrom(data);
    bridge.work(
        call,
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            try {
              List<File> files = filesOf(call, state.optString("file"), chosen);
              if (files.isEmpty()) {
                call.fail(reason(call, CANCELED));
              } else if (before != null && call.service.equals(CAPTURE)) {
                goOn(call, before.put(describe(files.get(0))));
              } else {
                answer(call, files, before != null);
              }
            } catch (IOException error) {
              call.fail(reason(call, BROKEN, error.getMessage()));
            }
          }
        });
  }

  /**
   * Returns the files that another app provides for a call.
   *
   * @param captured path of the file for a camera, or an empty string. Some cameras write another file and return its URI.
   */
  private List<File> filesOf(Call call, String captured, Uri[] chosen) throws IOException {
    List<File> files = new ArrayList<>();
    File file = new File(captured);
    if (!captured.isEmpty() && file.length() > 0) {
      boolean isPersistent = call.action.equals("recordVideo") && call.options().optBoolean("isPersistent", true);
      File own = File.createTempFile("camera", captured.substring(captured.lastIndexOf('.')), isPersistent ? activity.getFilesDir() : folder());
      // Moves the file so that the camera can't change it.
      if (!file.renameTo(own)) {
        throw new IOException("The file can't be moved.");
      }
      files.add(own);
    } else {
      int limit = new Wanted(call).limit;
      for (int index = 0; chosen != null && index < chosen.length && index < limit; index++) {
        files.add(FileChooser.take(activity, chosen[index]));
      }
    }
    return files;
  }

  private void goOn(final Call call, final JSONArray files) {
    if (files.length() >= new Wanted(call).limit) {
      call.succeed(files);
      return;
    }
    bridge.post(
        call,
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            take(call, files);
          }
        });
  }

  private void answer(Call call, List<File> files, boolean isTaken) throws Exception {
    Wanted wanted = new Wanted(call);
    JSONArray results = new JSONArray();
    for (File file : files) {
      boolean isFilm = typeOf(file).startsWith("video/");
      File picture = isFilm ? file : processed(file, wanted);
      // Android 9 and earlier require a permission to save to the gallery. Without it, the picture is saved in the app's own folder, which
      // galleries also show.
      boolean isSaved = isTaken && wanted.isSaved && saveToGallery(picture);
      switch (call.action) {
        case "takePicture":
          call.succeed(wanted.isData && !isFilm ? (hasDataUrls() ? dataUrl(picture) : base64(picture)) : bridge.folders.url(picture));
          return;
        case "getPhoto":
          JSONObject photo = photo(picture).put("saved", isSaved);
          if (!wanted.isData) {
            call.succeed(photo);
          } else {
            photo.remove("path");
            photo.remove("webPath");
            boolean isUrl = call.options().optString("resultType").equalsIgnoreCase("dataUrl");
            call.succeed(photo.put(isUrl ? "dataUrl" : "base64String", isUrl ? dataUrl(picture) : base64(picture)));
          }
          return;
        case "pickImages":
          results.put(photo(picture));
          break;
        default:
          JSONObject found =
              new JSONObject()
                  .put("type", isFilm ? 1 : 0)
                  .put("uri", Uri.fromFile(picture).toString())
                  .put("webPath", bridge.folders.url(picture))
                  .put("thumbnail", thumbnail(picture, isFilm))
                  .put("saved", isSaved);
          if (call.options().optBoolean("includeMetadata")) {
            found.put("metadata", metadata(picture, isFilm));
          }
          if (isTaken) {
            call.succeed(found);
            return;
          }
          results.put(found);
      }
    }
    call.succeed(new JSONObject().put(call.action.equals("pickImages") ? "photos" : "results", results));
  }

  private boolean hasDataUrls() {
    try (InputStream list = activity.server.open("/cordova_plugins.js")) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      Files.copy(list, text);
      return hasDataUrls(text.toString("UTF-8"));
    } catch (IOException none) {
      return true;
    }
  }

  /** Reports whether the plugin returns data as URLs, as cordova-plugin-camera does since version 8. Earlier scripts expect Base64. */
  static boolean hasDataUrls(String plugins) {
    return !plugins.matches("(?s).*\"(cordova-plugin-|org\\.apache\\.cordova\\.)camera\": *\"[0-7]\\..*");
  }

  private File folder() {
    File folder = new File(activity.getCacheDir(), "camera");
    folder.mkdirs();
    return folder;
  }

  private static String typeOf(File file) {
    return Server.typeFor(file.getName());
  }

  /** Describes a file for Capture. */
  private JSONObject describe(File file) throws JSONException {
    return new JSONObject()
        .put("name", file.getName())
        .put("fullPath", bridge.folders.url(file))
        .put("localURL", bridge.folders.url(file))
        .put("type", typeOf(file))
        .put("lastModifiedDate", file.lastModified())
        .put("size", file.length());
  }

  private JSONObject photo(File picture) throws JSONException {
    return new JSONObject()
        .put("format", formatOf(picture))
        .put("exif", exif(picture))
        .put("path", Uri.fromFile(picture).toString())
        .put("webPath", bridge.folders.url(picture));
  }

  private static String formatOf(File file) {
    return typeOf(file).replaceFirst(".*/", "");
  }

  private static JSONObject exif(File picture) throws JSONException {
    JSONObject exif = new JSONObject();
    try {
      ExifInterface from = new ExifInterface(picture.getPath());
      for (String tag : KEPT_TAGS) {
        exif.put(tag, from.getAttribute(tag));
      }
    } catch (IOException | RuntimeException none) {
      Log.i(MainActivity.TAG, "No EXIF in " + picture, none);
    }
    return exif;
  }

  private static JSONObject metadata(File file, boolean isFilm) throws JSONException {
    SimpleDateFormat iso = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
    iso.setTimeZone(TimeZone.getTimeZone("UTC"));
    int[] format = format(file);
    JSONObject metadata =
        new JSONObject()
            .put("size", file.length())
            .put("format", formatOf(file))
            .put("resolution", format[0] + "x" + format[1])
            .put("creationDate", iso.format(new Date(file.lastModified())));
    return isFilm ? metadata.put("duration", format[2] / 1000) : metadata.put("exif", exif(file));
  }

  /** @return width, height, and duration in milliseconds, zero for each unknown value */
  private static int[] format(File file) {
    if (typeOf(file).startsWith("image/")) {
      BitmapFactory.Options bounds = bounds(file);
      return new int[] {Math.max(0, bounds.outWidth), Math.max(0, bounds.outHeight), 0};
    }
    MediaMetadataRetriever facts = new MediaMetadataRetriever();
    try {
      facts.setDataSource(file.getPath());
      int width = number(facts, MediaMetadataRetriever.METADATA_KEY_VIDEO_WIDTH);
      int height = number(facts, MediaMetadataRetriever.METADATA_KEY_VIDEO_HEIGHT);
      boolean isTurned = number(facts, MediaMetadataRetriever.METADATA_KEY_VIDEO_ROTATION) % 180 != 0;
      int duration = number(facts, MediaMetadataRetriever.METADATA_KEY_DURATION);
      return new int[] {isTurned ? height : width, isTurned ? width : height, duration};
    } catch (RuntimeException unreadable) {
      return new int[3];
    } finally {
      release(facts);
    }
  }

  private static int number(MediaMetadataRetriever facts, int key) {
    String text = facts.extractMetadata(key);
    return text == null ? 0 : Integer.parseInt(text);
  }

  private static void release(MediaMetadataRetriever facts) {
    try {
      facts.release();
    } catch (Exception ended) {
      // On some versions of Android, this method throws an IOException.
    }
  }

  private void tellFormat(Call call) throws JSONException {
    File file = bridge.folders.file(call.args.optString(0));
    if (file == null || !file.isFile()) {
      call.fail(coded(2, "That isn't a file of the app."));
      return;
    }
    int[] format = format(file);
    call.succeed(
        new JSONObject()
            .put("codecs", "")
            .put("bitrate", 0)
            .put("width", format[0])
            .put("height", format[1])
            .put("duration", format[2] / 1000.0));
  }

  private static BitmapFactory.Options bounds(File picture) {
    BitmapFactory.Options bounds = new BitmapFactory.Options();
    bounds.inJustDecodeBounds = true;
    BitmapFactory.decodeFile(picture.getPath(), bounds);
    return bounds;
  }

  /** Converts a picture to the call's format, size, quality, and orientation. @return the same file if nothing has to change */
  private File processed(File source, Wanted wanted) throws IOException {
    // Pages can't show the HEIF pictures of some cameras.
    if (wanted.isKept && Files.typeOf(source.getName()) != null) {
      return source;
    }
    BitmapFactory.Options options = bounds(source);
    if (options.outWidth <= 0) {
      throw new IOException("Android can't read this picture.");
    }
    int orientation = wanted.isUpright ? orientationOf(source) : ExifInterface.ORIENTATION_NORMAL;
    boolean isSame = wanted.quality >= 100 && orientation <= 1 && (wanted.isPng ? "image/png" : JPEG).equals(options.outMimeType);
    if (isSame && wanted.width == 0 && wanted.height == 0) {
      return source;
    }
    File made = File.createTempFile("camera", wanted.isPng ? ".png" : ".jpg", folder());
    try (OutputStream stream = new FileOutputStream(made)) {
      Bitmap picture = decode(source, options, orientation, wanted.width, wanted.height);
      Bitmap.CompressFormat format = wanted.isPng ? Bitmap.CompressFormat.PNG : Bitmap.CompressFormat.JPEG;
      picture.compress(format, Math.max(0, Math.min(100, wanted.quality)), stream);
      picture.recycle();
    } catch (OutOfMemoryError error) {
      made.delete();
      throw new IOException(
          "This phone hasn't got enough memory for a picture of " + options.outWidth + " × " + options.outHeight
              + " pixels. Give a target size.");
    }
    if (!wanted.isPng) {
      copyExif(source, made, orientation > 1);
    }
    source.delete();
    // Deletes the folder of a chosen picture, which is empty now.
    source.getParentFile().delete();
    return made;
  }

  /** Returns a picture's Exif orientation: 1 for an upright picture, or 2 to 8 for the required rotation and mirroring. */
  private static int orientationOf(File picture) {
    try {
      int found = new ExifInterface(picture.getPath()).getAttributeInt(ExifInterface.TAG_ORIENTATION, ExifInterface.ORIENTATION_NORMAL);
      return found < 1 || found > 8 ? ExifInterface.ORIENTATION_NORMAL : found;
    } catch (IOException | RuntimeException none) {
      return ExifInterface.ORIENTATION_NORMAL;
    }
  }

  /**
   * Decodes a picture. Reads only as many pixels as the size requires, and doesn't enlarge the picture.
   *
   * @param width maximum width of the upright picture, or zero for any; the same goes for the height
   */
  private static Bitmap decode(File source, BitmapFactory.Options size, int orientation, int width, int height) throws IOException {
    boolean isOnSide = orientation >= ExifInterface.ORIENTATION_TRANSPOSE;
    int[] limits = {isOnSide ? height : width, isOnSide ? width : height};
    double scale = 1;
    scale = limits[0] > 0 ? Math.min(scale, (double) limits[0] / size.outWidth) : scale;
    scale = limits[1] > 0 ? Math.min(scale, (double) limits[1] / size.outHeight) : scale;
    BitmapFactory.Options options = new BitmapFactory.Options();
    options.inSampleSize = 1;
    long pixels = (long) size.outWidth * size.outHeight;
    while (options.inSampleSize * 2 * scale <= 1 || pixels / options.inSampleSize / options.inSampleSize > MAX_PIXELS) {
      options.inSampleSize *= 2;
    }
    Bitmap read = BitmapFactory.decodeFile(source.getPath(), options);
    if (read == null) {
      throw new IOException("Android can't read this picture.");
    }
    Matrix matrix = new Matrix();
    matrix.setScale(
        (float) Math.min(1, Math.max(1, Math.round(size.outWidth * scale)) / (double) read.getWidth()),
        (float) Math.min(1, Math.max(1, Math.round(size.outHeight * scale)) / (double) read.getHeight()));
    matrix.postRotate(new int[] {0, 0, 0, 180, 180, 90, 90, 270, 270}[orientation]);
    if (orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7) {
      matrix.postScale(-1, 1);
    }
    Bitmap turned = Bitmap.createBitmap(read, 0, 0, read.getWidth(), read.getHeight(), matrix, true);
    if (turned != read) {
      read.recycle();
    }
    return turned;
  }

  private static void copyExif(File source, File made, boolean isTurned) {
    try {
      ExifInterface from = new ExifInterface(source.getPath());
      ExifInterface to = new ExifInterface(made.getPath());
      for (String tag : KEPT_TAGS) {
        if (from.getAttribute(tag) != null) {
          to.setAttribute(tag, from.getAttribute(tag));
        }
      }
      if (isTurned) {
        to.setAttribute(ExifInterface.TAG_ORIENTATION, String.valueOf(ExifInterface.ORIENTATION_NORMAL));
      }
      to.saveAttributes();
    } catch (IOException | RuntimeException none) {
      Log.i(MainActivity.TAG, "No EXIF in " + source, none);
    }
  }

  private static String thumbnail(File file, boolean isFilm) throws IOException {
    Bitmap picture = null;
    if (isFilm) {
      MediaMetadataRetriever film = new MediaMetadataRetriever();
      try {
        film.setDataSource(file.getPath());
        Bitmap frame = film.getFrameAtTime();
        if (frame != null) {
          int height = Math.max(1, frame.getHeight() * THUMBNAIL_PIXELS / frame.getWidth());
          picture = Bitmap.createScaledBitmap(frame, THUMBNAIL_PIXELS, height, true);
        }
      } catch (RuntimeException unreadable) {
        Log.i(MainActivity.TAG, "No picture of " + file, unreadable);
      } finally {
        release(film);
      }
    } else {
      picture = decode(file, bounds(file), orientationOf(file), THUMBNAIL_PIXELS, THUMBNAIL_PIXELS);
    }
    if (picture == null) {
      return "";
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    picture.compress(Bitmap.CompressFormat.JPEG, 80, bytes);
    return Base64.encodeToString(bytes.toByteArray(), Base64.NO_WRAP);
  }

  private static String dataUrl(File file) throws IOException {
    return "data:" + typeOf(file) + ";base64," + base64(file);
  }

  private static String base64(File file) throws IOException {
    if (file.length() > MAX_DATA_BYTES) {
      throw new IOException("The picture has " + file.length() + " bytes, too many for data. Give a target size, or ask for a URL.");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) file.length());
    try (InputStream stream = new FileInputStream(file)) {
      Files.copy(stream, bytes);
    }
    return Base64.encodeToString(bytes.toByteArray(), Base64.NO_WRAP);
  }

  private boolean saveToGallery(File file) {
    try {
      if (Build.VERSION.SDK_INT < 29) {
        save(new FileInputStream(file), albums(), file.getName());
        return true;
      }
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.DISPLAY_NAME, file.getName());
      values.put(MediaStore.MediaColumns.MIME_TYPE, typeOf(file));
      values.put(MediaStore.MediaColumns.RELATIVE_PATH, Environment.DIRECTORY_DCIM);
      values.put(MediaStore.MediaColumns.IS_PENDING, 1);
      ContentResolver resolver = activity.getContentResolver();
      boolean isFilm = typeOf(file).startsWith("video/");
      Uri row =
          resolver.insert(
              isFilm ? MediaStore.Video.Media.EXTERNAL_CONTENT_URI : MediaStore.Images.Media.EXTERNAL_CONTENT_URI, values);
      try (InputStream from = new FileInputStream(file);
          OutputStream to = resolver.openOutputStream(row)) {
        Files.copy(from, to);
      } catch (IOException | RuntimeException error) {
        resolver.delete(row, null, null);
        throw error;
      }
      values.clear();
      values.put(MediaStore.MediaColumns.IS_PENDING, 0);
      resolver.update(row, values, null, null);
      return true;
    } catch (IOException | RuntimeException error) {
      Log.w(MainActivity.TAG, "Not saved: " + file, error);
      return false;
    }
  }

  /** Shows a copy of a video in the phone's player. */
  private void play(Call call) throws Exception {
    try {
      File copy = SharedFiles.copy(bridge, call.options().optString("uri"));
      if (Download.view(activity, copy, typeOf(copy))) {
        call.succeed(null);
      } else {
        call.fail(coded("OS-PLUG-CAMR-0023", MESSAGES[NO_APP]));
      }
    } catch (IOException absent) {
      call.fail(coded("OS-PLUG-CAMR-0027", "That isn't a file of the app, or one that the user has chosen."));
    }
  }

  /** Returns the folder for albums. Galleries show its files, and the app can write there without a permission. */
  private File albums() throws IOException {
    File[] folders = activity.getExternalMediaDirs();
    if (folders.length == 0 || folders[0] == null) {
      throw new IOException("This phone has no storage for albums.");
    }
    folders[0].mkdirs();
    return folders[0];
  }

  private void tellAlbums(Call call) throws Exception {
    JSONArray albums = new JSONArray();
    File[] files = albums().listFiles();
    for (int index = 0; files != null && index < files.length; index++) {
      if (files[index].isDirectory()) {
        albums.put(new JSONObject().put("identifier", files[index].getPath()).put("name", files[index].getName()));
      }
    }
    call.succeed(new JSONObject().put("albums", albums));
  }

  private void createAlbum(Call call) throws Exception {
    String name = call.options().optString("name");
    if (name.isEmpty() || !Files.fileName(name + ".", "").equals(name)) {
      call.fail(coded("argumentError", "Give a name that a folder can have."));
      return;
    }
    File album = new File(albums(), name);
    if (album.mkdir()) {
      call.succeed(null);
    } else {
      call.fail(coded("filesystemError", album.exists() ? "Album already exists" : "The album can't be created."));
    }
  }

  private void saveMedia(Call call) throws Exception {
    String path = call.options().optString("path");
    File album = new File(call.options().optString("albumIdentifier")).getCanonicalFile();
    if (!album.isDirectory() || !albums().getCanonicalFile().equals(album.getParentFile())) {
      call.fail(coded("argumentError", "Album identifier does not exist, use getAlbums() to get"));
      return;
    }
    InputStream content;
    String type;
    try {
      if (path.startsWith("data:") && path.contains(";base64,")) {
        type = path.substring("data:".length(), path.indexOf(';'));
        content = new ByteArrayInputStream(Base64.decode(path.substring(path.indexOf(',') + 1), Base64.DEFAULT));
      } else if (Urls.originOf(path) != null && !activity.origin.equals(Urls.originOf(path))) {
        URLConnection connection = new URL(path).openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        content = connection.getInputStream();
        type = String.valueOf(connection.getContentType()).replaceFirst(";.*", "").trim();
      } else {
        content = SharedFiles.open(bridge, path);
        type = Server.typeFor(String.valueOf(Uri.parse(path).getPath()));
      }
    } catch (IOException error) {
      call.fail(coded("downloadError", "Download failed: " + error));
      return;
    }
    if (!type.matches("(image|video)/[\\w+.-]+")) {
      content.close();
      call.fail(coded("argumentError", "Cannot identify media type to save image."));
      return;
    }
    String name = call.options().optString("fileName", new SimpleDateFormat("'IMG_'yyyyMMdd_HHmmssSSS", Locale.ROOT).format(new Date()));
    try {
      File saved = save(content, album, Files.fileName(name + extensionOf(type), ""));
      call.succeed(new JSONObject().put("filePath", saved.getPath()));
    } catch (IOException error) {
      call.fail(coded("filesystemError", error.getMessage()));
    }
  }

  /** Returns the file extension for a MIME type, with its dot. */
  private static String extensionOf(String type) {
    String known = Files.extensionFor(type);
    if (!known.isEmpty()) {
      return known;
    }
    String extension = MimeTypeMap.getSingleton().getExtensionFromMimeType(type);
    return "." + (extension == null ? type.replaceFirst(".*/", "") : extension);
  }

  /** Saves a file in an album. Never overwrites an existing file. @param content stream to save, which this method closes */
  private File save(InputStream content, File album, String name) throws IOException {
    File file = new File(album, name);
    try (InputStream from = content) {
      if (!file.createNewFile()) {
        throw new IOException("The file " + name + " exists already.");
      }
      try (OutputStream to = new FileOutputStream(file)) {
        Files.copy(from, to);
      } catch (IOException error) {
        file.delete();
        throw error;
      }
    }
    MediaScannerConnection.scanFile(activity, new String[] {file.getPath()}, null, null);
    return file;
  }
}
