package appbuild.shell;

import android.os.Build;
import android.os.Environment;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Manages files in the app's own folders: @capacitor/filesystem. */
final class Filesystem extends Plugin {
  private static final String DIRECTORY = "directory";

  /** A single thread, so that files are written in the order of the calls. */
  private final ExecutorService files = Executors.newSingleThreadExecutor();
  /** Number of pages so far. A read in chunks stops when it changes. */
  private volatile int page;

  @Override
  String[] services() {
    return new String[] {"Capacitor.Filesystem"};
  }

  @Override
  void call(final Call call) {
    if (call.action.equals("downloadFile") || call.action.equals("readFileInChunks")) {
      bridge.work(
          call,
          new Bridge.Granted() {
            @Override
            public void run() {
              answer(call);
            }
          });
      return;
    }
    files.execute(
        new Runnable() {
          @Override
          public void run() {
            answer(call);
          }
        });
  }

  @Override
  void onReset() {
    page++;
  }

  @Override
  void onDestroy() {
    files.shutdown();
  }

  private void answer(Call call) {
    try {
      if (call.action.equals("readFileInChunks")) {
        readInChunks(call);
      } else {
        call.succeed(answer(call, call.options()));
      }
    } catch (NoSuchMethodException error) {
      call.fail(error.getMessage());
    } catch (Exception | OutOfMemoryError error) {
      Log.w(MainActivity.TAG, call.service + "." + call.action, error);
      String message = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
      String number = error instanceof FileNotFoundException ? "0008" : "0013";
      String code = "OS-PLUG-FILE-" + (error instanceof Place.Failure ? ((Place.Failure) error).number : number);
      Map<String, String> reason = new HashMap<>();
      reason.put("code", code);
      reason.put("message", message);
      call.fail(new JSONObject(reason));
    }
  }

  private JSONObject answer(Call call, JSONObject options) throws Exception {
    boolean isRecursive = options.optBoolean("recursive");
    JSONObject answer = new JSONObject();
    switch (call.action) {
      case "checkPermissions":
      case "requestPermissions":
        return answer.put("publicStorage", "granted");
      case "readFile":
        return answer.put("data", readFile(options));
      case "writeFile":
      case "appendFile":
        return answer.put("uri", writeFile(at(options), options, call.action.equals("appendFile")));
      case "deleteFile":
        remove(at(options), false, false);
        return null;
      case "mkdir":
        makeFolder(at(options).writable(), isRecursive);
        return null;
      case "rmdir":
        remove(at(options), true, isRecursive);
        return null;
      case "readdir":
        return answer.put("files", list(at(options).existing()));
      case "getUri":
        return answer.put("uri", at(options).url());
      case "stat":
        return info(at(options).existing());
      case "copy":
      case "rename":
        return answer.put("uri", copyOrMove(options, call.action.equals("rename")));
      case "downloadFile":
        boolean isRelative = !options.optString("path").matches("(/|[a-z]+:).*");
        File target = at(options, "path", options.isNull(DIRECTORY) && isRelative ? null : DIRECTORY).writable();
        prepareParent(target, isRecursive);
        Requests.Request request = new Requests.Request(call);
        request.read(options);
        request.send();
        request.save(target, request.capacitorProgress(bridge, options));
        return answer.put("path", target.getPath());
      default:
        throw unknown(call);
    }
  }

  /** Returns an option's string, or null if the value is missing or is JSON's null. */
  private static String textOf(JSONObject options, String key) {
    return options.isNull(key) ? null : options.optString(key);
  }

  private Place at(JSONObject options) throws IOException {
    return at(options, "path", DIRECTORY);
  }

  /** Returns the place in a call's options. @param directoryKey name of the directory's option, or null for the app's data folder */
  private Place at(JSONObject options, String pathKey, String directoryKey) throws IOException {
    String path = textOf(options, pathKey);
    if (path == null) {
      throw new Place.Failure(5, "0005", "The option " + pathKey + " is absent.");
    }
    String directory = directoryKey == null ? "DATA" : textOf(options, directoryKey);
    return directory == null ? Place.of(bridge, path) : Place.own(bridge, directory(directory).getPath() + "/" + path);
  }

  /**
   * Returns a folder that doesn't require a permission. Documents and ExternalStorage are also the app's own folders on external storage.
   */
  private File directory(String name) throws Place.Failure {
    File folder;
    switch (name) {
      case "DATA":
      case "LIBRARY":
      case "LIBRARY_NO_CLOUD":
        return activity.getFilesDir();
      case "CACHE":
      case "TEMPORARY":
        return activity.getCacheDir();
      case "DOCUMENTS":
        folder = activity.getExternalFilesDir(Environment.DIRECTORY_DOCUMENTS);
        break;
      case "EXTERNAL":
      case "EXTERNAL_STORAGE":
        folder = activity.getExternalFilesDir(null);
        break;
      case "EXTERNAL_CACHE":
        folder = activity.getExternalCacheDir();
        break;
      default:
        throw new Place.Failure(5, "0005", "Android doesn't have the directory " + name + ".");
    }
    if (folder == null) {
      throw Place.Failure.absent(name);
    }
    return folder;
  }

  /** Returns the encoding in a call's options, or null for bytes, which are sent as Base64. */
  private static Charset encoding(JSONObject options) throws Place.Failure {
    String name = textOf(options, "encoding");
    return name == null || name.isEmpty() ? null : Place.charset(name.replace("utf16", "utf-16").replace("ascii", "us-ascii"));
  }

  private String readFile(JSONObject options) throws IOException {
    long start = Math.max(0, options.optLong("offset"));
    long length = options.optLong("length");
    byte[] bytes = at(options).read(start, length > 0 ? start + length : Long.MAX_VALUE);
    Charset encoding = encoding(options);
    return encoding == null ? Place.base64(bytes) : new String(bytes, encoding);
  }

  private void readInChunks(Call call) throws Exception {
    JSONObject options = call.options();
    Place place = at(options).existing();
    int size = options.optInt("chunkSize");
    if (size <= 0 || size > Place.MAX_BYTES) {
      throw new Place.Failure(5, "0005", "The option chunkSize must be between 1 and " + Place.MAX_BYTES + ".");
    }
    if (place.isFolder()) {
      throw Place.Failure.mismatch(place.toString());
    }
    long start = Math.max(0, options.optLong("offset"));
    long length = options.optLong("length");
    Charset encoding = encoding(options);
    try (InputStream content = new Part(Place.skipped(place.open(), start), length > 0 ? length : Long.MAX_VALUE)) {
      // Only the last chunk can have padding, so that the strings can be joined.
      byte[] bytes = new byte[(size + 2) / 3 * 3];
      char[] letters = new char[size + 1];
      Reader reader = encoding == null ? null : new InputStreamReader(content, encoding);
      int started = page;
      for (String chunk = " "; !chunk.isEmpty() && page == started; ) {
        chunk = reader == null ? Place.base64(Arrays.copyOf(bytes, fill(content, bytes))) : nextText(reader, letters);
        call.keep(new JSONObject().put("data", chunk));
        waitForPage();
      }
    }
  }

  /** Reads bytes into an array. @return the number of bytes, which is less than the array's length only at the end of the stream */
  private static int fill(InputStream content, byte[] bytes) throws IOException {
    int filled = 0;
    for (int count = 0; filled < bytes.length && count >= 0; filled += Math.max(0, count)) {
      count = content.read(bytes, filled, bytes.length - filled);
    }
    return filled;
  }

  /** Reads the next characters. @return an empty string at the end */
  private static String nextText(Reader reader, char[] letters) throws IOException {
    int count = Math.max(0, reader.read(letters, 0, letters.length - 1));
    // Never ends within a surrogate pair.
    if (count > 0 && Character.isHighSurrogate(letters[count - 1])) {
      count += Math.max(0, reader.read(letters, count, 1));
    }
    return new String(letters, 0, count);
  }

  /** Waits until the main thread has sent the responses, because they stay in memory until then. */
  private static void waitForPage() throws InterruptedException {
    final CountDownLatch sent = new CountDownLatch(1);
    new Handler(Looper.getMainLooper())
        .post(
            new Runnable() {
              @Override
              public void run() {
                sent.countDown();
              }
            });
    sent.await();
  }

  private static void prepareParent(File file, boolean isRecursive) throws Place.Failure {
    File parent = file.getParentFile();
    if (!parent.isDirectory() && !(isRecursive && parent.mkdirs())) {
      throw Place.Failure.noFolder(parent.getPath());
    }
    if (file.isDirectory()) {
      throw Place.Failure.mismatch(file.getPath());
    }
  }

  /** Writes or appends to a file. @return the file's URL */
  private static String writeFile(Place place, JSONObject options, boolean isAppended) throws IOException {
    File file = place.writable();
    String data = textOf(options, "data");
    if (data == null) {
      throw new Place.Failure(5, "0005", "The option data is absent.");
    }
    Charset encoding = encoding(options);
    byte[] bytes = encoding == null ? Place.bytesOf(data) : data.getBytes(encoding);
    prepareParent(file, options.optBoolean("recursive"));
    if (isAppended) {
      try (OutputStream content = new FileOutputStream(file, true)) {
        content.write(bytes);
      }
    } else {
      Place.save(new ByteArrayInputStream(bytes), file);
    }
    return place.url();
  }

  private static void makeFolder(File folder, boolean isRecursive) throws Place.Failure {
    if (folder.exists()) {
      throw Place.Failure.exists(folder.getPath());
    }
    if (!isRecursive && !folder.getParentFile().isDirectory()) {
      throw Place.Failure.noFolder(folder.getParent());
    }
    if (!folder.mkdirs()) {
      throw Place.Failure.impossible(folder.getPath());
    }
  }

  private static void remove(Place place, boolean isFolder, boolean isRecursive) throws IOException {
    if (place.existing().isFolder() != isFolder) {
      throw Place.Failure.mismatch(place.toString());
    }
    place.remove(isRecursive);
  }

  private static JSONArray list(Place folder) throws IOException, JSONException {
    if (!folder.isFolder()) {
      throw Place.Failure.mismatch(folder.toString());
    }
    JSONArray files = new JSONArray();
    for (String name : folder.names()) {
      files.put(info(folder.child(name)));
    }
    return files;
  }

  private static JSONObject info(Place place) throws IOException, JSONException {
    boolean isFolder = place.isFolder();
    JSONObject info =
        new JSONObject()
            .put("name", place.file == null ? place.name() : place.file.getName())
            .put("type", isFolder ? "directory" : "file")
            .put("size", isFolder && place.file == null ? 0 : place.size())
            .put("mtime", place.file == null ? 0 : place.file.lastModified())
            .put("uri", place.url());
    if (place.file != null && Build.VERSION.SDK_INT >= 26) {
      try {
        BasicFileAttributes attributes = java.nio.file.Files.readAttributes(place.file.toPath(), BasicFileAttributes.class);
        info.put("ctime", attributes.creationTime().toMillis());
      } catch (IOException gone) {
        // The file is gone, such as the temporary file of a finished download.
      }
    }
    return info;
  }

  /** Copies or moves a file or folder. @return its new URL */
  private String copyOrMove(JSONObject options, boolean isMove) throws IOException {
    Place from = at(options, "from", DIRECTORY).existing();
    Place to = at(options, "to", options.isNull("toDirectory") ? DIRECTORY : "toDirectory");
    if (to.writable().equals(from.file)) {
      return to.url();
    }
    if (!to.file.getParentFile().isDirectory()) {
      throw Place.Failure.noFolder(to.file.getParent());
    }
    from.put(to.file, isMove);
    return to.url();
  }
}
