package appbuild.shell;

import android.content.res.AssetFileDescriptor;
import android.database.Cursor;
import android.net.Uri;
import android.provider.OpenableColumns;
import android.util.Base64;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** A file or folder of the app, a file of the package, or a file that the user chose. A page names it by path or URL. */
final class Place {
  /** Maximum size of content that a page gets at once. Limited because it's several times larger as Base64 and JSON. */
  static final int MAX_BYTES = 16 * 1024 * 1024;
  private static final long PROGRESS_MS = 100;

  private final Bridge bridge;
  /** File or folder of the app. Null for other places. */
  final File file;
  /** Path of an asset: www or a path in it, or an empty string for the parent folder of www. Null for other places. */
  final String asset;
  /** URI of a file that the user chose. Null for other places. */
  final Uri chosen;

  private Place(Bridge bridge, File file, String asset, Uri chosen) {
    this.bridge = bridge;
    this.file = file;
    this.asset = asset;
    this.chosen = chosen;
  }

  /** Returns the place that a page names. @param url URL or absolute path */
  static Place of(Bridge bridge, String url) throws IOException {
    String origin = bridge.activity.origin;
    String path = Uri.parse(url).getPath();
    for (String start : new String[] {"file:///android_asset", "cdvfile://localhost/assets", origin + "/__cdvfile_assets__"}) {
      if (path != null && (url.equals(start) || url.startsWith(start + "/"))) {
        int end = path.indexOf('/', 1);
        return ofAsset(bridge, end < 0 ? "" : path.substring(end));
      }
    }
    Uri chosen = bridge.folders.chosen(url);
    if (chosen != null) {
      return new Place(bridge, null, null, chosen);
    }
    if (url.startsWith("/")) {
      return own(bridge, url);
    }
    File file = bridge.folders.file(url);
    if (file != null) {
      return new Place(bridge, file, null, null);
    }
    boolean isOwn = url.startsWith(origin + "/");
    if (isOwn && !path.startsWith("/_")) {
      return ofAsset(bridge, "/www" + path);
    }
    throw isOwn || url.matches("(?i)(file|cdvfile|content):.*") ? Failure.outside(url) : Failure.invalid(url);
  }

  /** Returns a file or folder of the app. @param path absolute path */
  static Place own(Bridge bridge, String path) throws Failure {
    File file = bridge.folders.own(path);
    if (file == null) {
      throw Failure.outside(path);
    }
    return new Place(bridge, file, null, null);
  }

  /** Returns an asset under www. Pages can't read other assets. @param path starts with a slash or is empty */
  private static Place ofAsset(Bridge bridge, String path) throws IOException {
    // Resolves `..`. Phones don't have this folder, so it doesn't contain symbolic links.
    String clean = new File("/android_asset" + path).getCanonicalPath();
    if (!clean.matches("/android_asset(/www(/.*)?)?")) {
      throw Failure.absent(path);
    }
    return new Place(bridge, null, clean.replaceFirst("/android_asset/?", ""), null);
  }

  String name() throws IOException {
    if (chosen != null) {
      String name = column(OpenableColumns.DISPLAY_NAME);
      // Another app provides the name, and the page may create a file with it.
      return Files.fileName(name == null ? chosen.getLastPathSegment() : name, "");
    }
    return file == null ? asset.substring(asset.lastIndexOf('/') + 1) : isRoot() ? "" : file.getName();
  }

  /** Reads a column of the chosen file's row. @return null if the other app doesn't provide it */
  private String column(String name) {
    try (Cursor cursor = bridge.activity.getContentResolver().query(chosen, new String[] {name}, null, null, null)) {
      return cursor == null || !cursor.moveToFirst() || cursor.isNull(0) ? null : cursor.getString(0);
    } catch (RuntimeException unknown) {
      return null;
    }
  }

  boolean isRoot() throws IOException {
    for (File folder : bridge.folders.byName().values()) {
      if (folder.getCanonicalFile().equals(file)) {
        return true;
      }
    }
    return asset != null && asset.isEmpty();
  }

  boolean isFolder() throws IOException {
    return file == null ? asset != null && (asset.isEmpty() || names().length > 0) : file.isDirectory();
  }

  boolean exists() throws IOException {
    if (file != null) {
      return file.exists();
    }
    if (isFolder()) {
      return true;
    }
    try (InputStream content = open()) {
      return true;
    } catch (IOException absent) {
      return false;
    }
  }

  /** Returns this place. @throws Failure if it doesn't exist */
  Place existing() throws IOException {
    if (!exists()) {
      throw Failure.absent(toString());
    }
    return this;
  }

  /** Returns the file or folder for writing. @throws Failure if it isn't in the app's folders */
  File writable() throws Failure {
    if (file == null) {
      throw Failure.readOnly(toString());
    }
    return file;
  }

  InputStream open() throws IOException {
    if (file != null) {
      return new FileInputStream(file);
    }
    return asset == null ? bridge.folders.open(chosen) : bridge.activity.getAssets().open(asset);
  }

  /** Returns the size in bytes, or a negative number if it isn't known. */
  long size() throws IOException {
    if (file != null) {
      return file.length();
    }
    if (asset != null) {
      try (InputStream content = open()) {
        return content.available();
      }
    }
    // Checks the file itself first, because the other app may report a wrong size.
    try (AssetFileDescriptor content = bridge.folders.openWhole(chosen)) {
      if (content.getLength() >= 0) {
        return content.getLength();
      }
    } catch (IOException unknown) {
      // The other app may still report the size.
    }
    String size = column(OpenableColumns.SIZE);
    return size == null ? -1 : Long.parseLong(size);
  }

  String type() throws IOException {
    return chosen == null ? Server.typeFor(name()) : bridge.folders.typeOf(chosen);
  }

  /** Returns the names of the files and folders in this folder. */
  String[] names() throws IOException {
    if (asset != null) {
      return asset.isEmpty() ? new String[] {"www"} : bridge.activity.getAssets().list(asset);
    }
    String[] all = file == null ? null : file.list();
    List<String> names = new ArrayList<>();
    for (int index = 0; all != null && index < all.length; index++) {
      if (bridge.folders.own(new File(file, all[index]).getPath()) != null) {
        names.add(all[index]);
      }
    }
    return names.toArray(new String[0]);
  }

  /** Resolves a path in this folder. @param path may lead to another folder of the app */
  Place child(String path) throws IOException {
    return asset == null ? own(bridge, new File(writable(), path).getPath()) : ofAsset(bridge, "/" + asset + "/" + path);
  }

  @Override
  public String toString() {
    return file != null ? file.getPath() : asset != null ? asset : chosen.toString();
  }

  /**
   * Splits the path of a file or folder of the app.
   *
   * @param system name of the file system to use if folders are nested, or null for any
   * @return the folder's name, the folder's path, and the file's path in it, which starts with a slash
   */
  String[] split(String system) throws IOException {
    String[] found = null;
    for (Map.Entry<String, File> folder : bridge.folders.byName().entrySet()) {
      String root = folder.getValue().getCanonicalPath();
      if ((file.getPath() + "/").startsWith(root + "/") && (found == null || folder.getKey().equals(system))) {
        // Uses Android's path of the folder, because pages compare paths, and a canonical path can differ.
        found = new String[] {folder.getKey(), folder.getValue().getPath(), (file.getPath() + "/").substring(root.length())};
      }
    }
    if (found == null) {
      throw Failure.outside(file.getPath());
    }
    return found;
  }

  static String fileUrl(String path) {
    return "file://" + Uri.encode(path, "/");
  }

  String url() throws IOException {
    if (chosen != null) {
      return chosen.toString();
    }
    String[] parts = asset == null ? split(null) : null;
    return fileUrl(asset == null ? (parts[1] + parts[2]).replaceAll("/$", "") : "/android_asset/" + asset);
  }

  /** Creates an entry in the format of cordova-plugin-file. */
  static JSONObject entry(String system, String path, String url, boolean isFolder) throws JSONException {
    String clean = path.length() > 1 ? path.replaceAll("/$", "") : path;
    return new JSONObject()
        .put("isFile", !isFolder)
        .put("isDirectory", isFolder)
        .put("name", clean.substring(clean.lastIndexOf('/') + 1))
        .put("fullPath", isFolder && !clean.equals("/") ? clean + "/" : clean)
        .put("filesystemName", system)
        .put("filesystem", system.equals("temporary") ? 0 : 1)
        .put("nativeURL", isFolder && !url.endsWith("/") ? url + "/" : url);
  }

  /**
   * Creates this place's entry in the format of cordova-plugin-file, in the file system in which the page is searching.
   *
   * @param system name of that file system, or null for any
   */
  JSONObject entry(String system) throws IOException, JSONException {
    if (chosen != null) {
      return entry("content", chosen.toString().substring("content:/".length()), url(), false);
    }
    if (asset != null) {
      return entry("assets", "/" + asset, url(), isFolder());
    }
    String[] parts = split(system);
    return entry(parts[0], parts[2], url(), isFolder());
  }

  byte[] read(long start, long end) throws IOException {
    if (existing().isFolder()) {
      throw Failure.mismatch(toString());
    }
    try (InputStream content = skipped(open(), start)) {
      return bytesOf(new Part(content, Math.max(0, end - start)));
    }
  }

  static InputStream skipped(InputStream content, long count) throws IOException {
    for (long left = count; left > 0; ) {
      long skipped = content.skip(left);
      if (skipped <= 0) {
        break;
      }
      left -= skipped;
    }
    return content;
  }

  static byte[] bytesOf(InputStream content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Files.copy(new Part(content, MAX_BYTES + 1), bytes);
    if (bytes.size() > MAX_BYTES) {
      throw Failure.tooLarge();
    }
    return bytes.toByteArray();
  }

  static String base64(byte[] bytes) {
    return Base64.encodeToString(bytes, Base64.NO_WRAP);
  }

  /** Decodes Base64. @param text Base64, or a `data:` URL that contains it */
  static byte[] bytesOf(String text) throws Failure {
    String data = text.substring(text.indexOf(',') + 1);
    try {
      // Checked here, because Android's decoder skips invalid characters.
      if (data.matches("[A-Za-z0-9+/=\r\n]*")) {
        return Base64.decode(data, Base64.DEFAULT);
      }
    } catch (IllegalArgumentException error) {
      // Treated as an invalid string.
    }
    throw new Failure(5, "0005", "Not Base64. Name an encoding for texts.");
  }

  static Charset charset(String name) throws Failure {
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException unknown) {
      throw new Failure(5, "0005", "Android doesn't know the encoding " + name + ".");
    }
  }

  /** Writes a file atomically. The previous file stays until the new one is complete. */
  static void save(InputStream content, File target) throws IOException {
    File part = File.createTempFile("download", null, target.getParentFile());
    try {
      try (OutputStream stream = new FileOutputStream(part)) {
        Files.copy(content, stream);
      }
      if (!part.renameTo(target)) {
        throw Failure.impossible(target.getPath());
      }
    } finally {
      part.delete();
    }
  }

  /** Reports whether a file is this place or is in this folder. */
  boolean contains(File other) {
    return file != null && (other.getPath() + "/").startsWith(file.getPath() + "/");
  }

  private void copy(File to) throws IOException {
    if (!isFolder()) {
      try (InputStream content = open()) {
        save(content, to);
      }
      return;
    }
    if (!to.isDirectory() && !to.mkdir()) {
      throw Failure.impossible(to.getPath());
    }
    for (String name : names()) {
      child(name).copy(new File(to, name));
    }
  }

  /** Copies or moves this place. A file can replace a file, and a folder can replace an empty folder. */
  void put(File to, boolean isMove) throws IOException {
    if (isMove && (file == null || isRoot())) {
      throw Failure.readOnly(toString());
    }
    boolean isTaken = to.isDirectory() ? !isFolder() || to.list().length > 0 : to.exists() && isFolder();
    if (isTaken || contains(to)) {
      throw new Failure(9, "0010", "It can't be copied or moved there: " + to);
    }
    // Renaming fails between internal and external storage, where a copy is necessary.
    if (!isMove || !file.renameTo(to)) {
      copy(to);
      if (isMove) {
        remove(true);
      }
    }
  }

  /** Deletes this file or folder. Keeps files that pages can't access. */
  void remove(boolean isRecursive) throws IOException {
    String[] names = names();
    if (!isRecursive && names.length > 0) {
      throw new Failure(9, "0012", "The folder isn't empty: " + this);
    }
    for (String name : names) {
      // Safe because pages can't create symbolic links, which could lead elsewhere.
      child(name).remove(true);
    }
    if (!writable().delete() && !isRoot()) {
      throw Failure.impossible(toString());
    }
  }

  /** A file error, with a code for cordova-plugin-file and an error suffix for @capacitor/filesystem. */
  static final class Failure extends IOException {
    final int code;
    final String number;

    Failure(int code, String number, String message) {
      super(message);
      this.code = code;
      this.number = number;
    }

    static Failure absent(String name) {
      return new Failure(1, "0008", "It doesn't exist: " + name);
    }

    static Failure noFolder(String name) {
      return new Failure(1, "0011", "The folder doesn't exist: " + name);
    }

    static Failure invalid(String name) {
      return new Failure(5, "0006", "Not a path or URL of a file: " + name);
    }

    static Failure readOnly(String name) {
      return new Failure(6, "0009", "It can't be changed: " + name);
    }

    static Failure exists(String name) {
      return new Failure(12, "0010", "It exists already: " + name);
    }

    static Failure mismatch(String name) {
      return new Failure(11, "0009", "A file isn't a folder, and a folder isn't a file: " + name);
    }

    static Failure impossible(String name) {
      return new Failure(9, "0013", "Android can't do that: " + name);
    }

    static Failure outside(String name) {
      return new Failure(2, "0006", "Not in the app's own folders: " + name);
    }

    static Failure tooLarge() {
      return new Failure(4, "0009", "It's larger than " + MAX_BYTES + " bytes. Read it in parts, or download it to a file.");
    }
  }

  /** Receives the progress of a transfer, at most ten times per second. */
  abstract static class Progress {
    private long last;

    /** Reports progress to the page, in bytes. @param total a negative number if it isn't known */
    abstract void tell(long loaded, long total) throws JSONException;

    void count(long loaded, long total, boolean isEnd) throws IOException {
      long now = System.nanoTime() / 1000000;
      if (isEnd || now - last >= PROGRESS_MS) {
        last = now;
        try {
          tell(loaded, total);
        } catch (JSONException impossible) {
          throw new IOException(impossible);
        }
      }
    }
  }

  /** A stream that reports its progress. */
  static class Counted extends FilterInputStream {
    private final long size;
    private final Progress progress;
    private long loaded;

    /** @param progress null for none */
    Counted(InputStream content, long size, Progress progress) {
      super(content);
      this.size = size;
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
    }

    @Override
    public int read(byte[] into, int start, int count) throws IOException {
      int length = in.read(into, start, count);
      loaded += Math.max(0, length);
      if (progress != null && length > 0) {
        progress.count(loaded, size, false);
      }
      return length;
    }

    void end() throws IOException {
      if (progress != null) {
        progress.count(loaded, size < 0 ? loaded : size, true);
      }
    }
  }
}
