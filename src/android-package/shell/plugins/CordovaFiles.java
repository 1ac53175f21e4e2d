package appbuild.shell;

import android.util.Log;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Manages files in the app's own folders: cordova-plugin-file and cordova-plugin-zip. */
final class CordovaFiles extends Plugin {
  private static final String ASSETS = "file:///android_asset/";

  /** A single thread, so that files are written in the order of the calls. */
  private final ExecutorService files = Executors.newSingleThreadExecutor();

  @Override
  String[] services() {
    return new String[] {"File", "Zip"};
  }

  @Override
  void call(final Call call) {
    if (call.service.equals("Zip")) {
      bridge.work(
          call,
          new Bridge.Granted() {
            @Override
            public void run() throws Exception {
              unzip(call);
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
  void onDestroy() {
    files.shutdown();
  }

  private void answer(Call call) {
    try {
      call.succeed(answer(call.action, call.args));
    } catch (NoSuchMethodException error) {
      call.fail(error.getMessage());
    } catch (Exception | OutOfMemoryError error) {
      Log.w(MainActivity.TAG, call.service + "." + call.action, error);
      call.fail(codeOf(error));
    }
  }

  /** Returns the FileError code for an exception. */
  private static int codeOf(Throwable error) {
    if (error instanceof Place.Failure) {
      return ((Place.Failure) error).code;
    }
    return error instanceof SecurityException ? 2 : error instanceof FileNotFoundException ? 1 : 9;
  }

  private Object answer(String action, JSONArray args) throws Exception {
    switch (action) {
      case "requestFileSystem":
        return system(args.getInt(0), args.optLong(1));
      case "requestAllFileSystems":
        return systems();
      case "requestAllPaths":
        return paths();
      case "getFreeDiskSpace":
        return activity.getFilesDir().getUsableSpace() / 1024;
      case "testSaveLocationExists":
        return activity.getExternalFilesDir(null) != null;
      default:
        break;
    }
    Place place = Place.of(bridge, args.getString(0));
    String system = args.getString(0).replaceAll("^(cdvfile://localhost/|.*/__cdvfile_)|(__)?/.*$", "");
    switch (action) {
      case "resolveLocalFileSystemURI":
        return place.existing().entry(null);
      case "_getLocalFilesystemPath":
        return place.writable().getPath();
      case "testFileExists":
        return place.exists() && !place.isFolder();
      case "testDirectoryExists":
        return place.isFolder();
      case "getFile":
        return open(place, system, args.getString(1), args.optJSONObject(2), false);
      case "getDirectory":
        return open(place, system, args.getString(1), args.optJSONObject(2), true);
      case "getParent":
        boolean isRoot = place.file == null ? place.isRoot() : place.split(system)[2].equals("/");
        return (isRoot ? place : place.child("..")).entry(system);
      case "getFileMetadata":
        return metadata(place.existing());
      case "readEntries":
        return entries(place.existing());
      case "remove":
      case "removeRecursively":
        return remove(place.existing(), action.equals("removeRecursively"));
      case "copyTo":
      case "moveTo":
        return transfer(place.existing(), Place.of(bridge, args.getString(1)).existing(), args.optString(2), action.equals("moveTo"));
      case "write":
        return write(place.writable(), args);
      case "truncate":
        return truncate(place.existing().writable(), args.getLong(1));
      case "readAsText":
        return new String(place.read(args.optLong(2), args.optLong(3, Long.MAX_VALUE)), Place.charset(args.getString(1)));
      case "readAsDataURL":
        return "data:" + place.type() + ";base64," + Place.base64(range(place, args));
      case "readAsArrayBuffer":
        return range(place, args);
      case "readAsBinaryString":
        return new String(range(place, args), StandardCharsets.ISO_8859_1);
      default:
        throw new NoSuchMethodException("File doesn't have the action " + action + ".");
    }
  }

  private static byte[] range(Place place, JSONArray args) throws IOException {
    return place.read(args.optLong(1), args.optLong(2, Long.MAX_VALUE));
  }

  private JSONObject system(int type, long size) throws IOException, JSONException {
    String name = type == 0 ? "temporary" : type == 1 ? "persistent" : null;
    if (name == null) {
      throw new Place.Failure(8, "", "File systems are 0 (temporary) and 1 (persistent).");
    }
    File folder = bridge.folders.byName().get(name).getCanonicalFile();
    folder.mkdirs();
    if (size > folder.getUsableSpace()) {
      throw new Place.Failure(10, "", "The phone doesn't have that much space.");
    }
    return new JSONObject().put("name", name).put("root", Place.own(bridge, folder.getPath()).entry(null));
  }

  private JSONArray systems() throws IOException, JSONException {
    JSONArray all = new JSONArray();
    for (Map.Entry<String, File> folder : bridge.folders.byName().entrySet()) {
      folder.getValue().mkdirs();
      all.put(Place.entry(folder.getKey(), "/", Place.fileUrl(folder.getValue().getPath()), true));
    }
    return all.put(Place.entry("assets", "/", ASSETS, true)).put(Place.entry("content", "/", "content://", true));
  }

  private JSONObject paths() throws JSONException {
    JSONObject paths =
        new JSONObject()
            .put("applicationDirectory", ASSETS)
            .put("applicationStorageDirectory", folderUrl(activity.getFilesDir().getParentFile()))
            .put("dataDirectory", folderUrl(activity.getFilesDir()))
            .put("cacheDirectory", folderUrl(activity.getCacheDir()));
    File external = activity.getExternalFilesDir(null);
    if (external != null) {
      paths
          .put("externalApplicationStorageDirectory", folderUrl(external.getParentFile()))
          .put("externalDataDirectory", folderUrl(external))
          // Current versions of Android don't let apps write to the root of the external storage.
          .put("externalRootDirectory", folderUrl(external));
    }
    if (activity.getExternalCacheDir() != null) {
      paths.put("externalCacheDirectory", folderUrl(activity.getExternalCacheDir()));
    }
    return paths;
  }

  private static String folderUrl(File folder) {
    return Place.fileUrl(folder.getPath()) + "/";
  }

  private JSONObject open(Place folder, String system, String path, JSONObject options, boolean isFolder)
      throws IOException, JSONException {
    if (path.indexOf(':') >= 0) {
      throw Place.Failure.invalid(path);
    }
    boolean isCreated = options != null && options.optBoolean("create");
    // An absolute path starts at the root of the file system.
    Place start = !path.startsWith("/") ? folder : Place.of(bridge, folder.file == null ? ASSETS : folder.split(system)[1]);
    Place place = start.child(path);
    if (place.exists()) {
      if (isCreated && options.optBoolean("exclusive")) {
        throw Place.Failure.exists(path);
      }
    } else if (isCreated) {
      create(place.writable(), isFolder);
    }
    if (place.existing().isFolder() != isFolder) {
      throw Place.Failure.mismatch(path);
    }
    return place.entry(system);
  }

  private static void create(File file, boolean isFolder) throws IOException {
    if (!file.getParentFile().isDirectory()) {
      throw Place.Failure.absent(file.getParent());
    }
    if (!(isFolder ? file.mkdir() : file.createNewFile())) {
      throw Place.Failure.impossible(file.getPath());
    }
  }

  private JSONObject metadata(Place place) throws IOException, JSONException {
    boolean isFolder = place.isFolder();
    return new JSONObject()
        .put("size", isFolder ? 0 : place.size())
        .put("type", isFolder ? JSONObject.NULL : place.type())
        .put("name", place.name())
        .put("fullPath", place.entry(null).getString("fullPath"))
        .put("lastModifiedDate", place.file == null ? 0 : place.file.lastModified());
  }

  private JSONArray entries(Place folder) throws IOException, JSONException {
    if (!folder.isFolder()) {
      throw Place.Failure.mismatch(folder.toString());
    }
    JSONArray entries = new JSONArray();
    for (String name : folder.names()) {
      entries.put(folder.child(name).entry(null));
    }
    return entries;
  }

  private Object remove(Place place, boolean isRecursive) throws IOException {
    place.writable();
    if (place.isRoot()) {
      throw Place.Failure.readOnly(place.toString());
    }
    place.remove(isRecursive);
    return null;
  }

  private JSONObject transfer(Place from, Place folder, String name, boolean isMove) throws IOException, JSONException {
    if (name.indexOf(':') >= 0 || name.indexOf('/') >= 0) {
      throw Place.Failure.invalid(name);
    }
    File to = Place.own(bridge, new File(folder.writable(), name.isEmpty() ? from.name() : name).getPath()).file;
    from.put(to, isMove);
    return Place.own(bridge, to.getPath()).entry(null);
  }

  /** Writes data at a position, and truncates the file after it. @return the number of bytes written */
  private static int write(File file, JSONArray args) throws IOException, JSONException {
    String data = args.getString(1);
    byte[] bytes = args.optBoolean(3) ? Place.bytesOf(data) : data.getBytes(StandardCharsets.UTF_8);
    try (RandomAccessFile content = new RandomAccessFile(file, "rw")) {
      long position = Math.max(0, Math.min(args.optLong(2), content.length()));
      content.seek(position);
      content.write(bytes);
      content.setLength(position + bytes.length);
    }
    return bytes.length;
  }

  /** Truncates a file, and never extends it. @return the resulting size */
  private static long truncate(File file, long size) throws IOException {
    try (RandomAccessFile content = new RandomAccessFile(file, "rw")) {
      content.setLength(Math.max(0, Math.min(size, content.length())));
      return content.length();
    }
  }

  private void unzip(final Call call) throws Exception {
    if (!call.action.equals("unzip")) {
      throw unknown(call);
    }
    Place archive = Place.of(bridge, call.args.getString(0)).existing();
    Place folder = Place.of(bridge, call.args.getString(1));
    folder.writable().mkdirs();
    Place.Progress progress =
        new Place.Progress() {
          @Override
          void tell(long loaded, long total) throws JSONException {
            call.keep(new JSONObject().put("loaded", loaded).put("total", Math.max(0, total)));
          }
        };
    Place.Counted content = new Place.Counted(archive.open(), archive.size(), progress);
    try (ZipInputStream zip = new ZipInputStream(content)) {
      int count = 0;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry(), count++) {
        File file = Place.own(bridge, folder.file.getPath() + "/" + entry.getName().replace('\\', '/')).file;
        if (!folder.contains(file)) {
          throw Place.Failure.outside(entry.getName());
        }
        if (entry.isDirectory()) {
          file.mkdirs();
        } else {
          file.getParentFile().mkdirs();
          Place.save(zip, file);
        }
      }
      if (count == 0) {
        throw Place.Failure.impossible(archive.toString());
      }
    }
    content.end();
    call.succeed(null);
  }
}
