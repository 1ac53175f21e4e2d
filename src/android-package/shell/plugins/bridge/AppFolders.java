package appbuild.shell;

import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.res.AssetFileDescriptor;
import android.net.Uri;
import android.os.Process;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The app's own folders. Plugins can read and write files in these folders, and pages can load them. Plugins and pages exchange `file:`
 * URLs. To show a file, a page uses a URL of the app's own origin. Databases, preferences, cookies, and WebView's caches are outside these
 * folders, and have no such URL.
 */
final class AppFolders extends OwnFiles {
  /** Prefix of a file's path. Ionic's and Capacitor's scripts also create such URLs. */
  private static final String PREFIX = "/_app_file_";
  private static final String PREFIXES = "/_(app|capacitor)_file_/.*";
  /** Prefixes that replace `content://` in URLs of the app's own origin. */
  private static final List<String> CONTENT =
      Arrays.asList("/_capacitor_content_/", "/_app_content_/", "/__cdvfile_content__/");
  /** Prefix in cordova-plugin-file's URLs. A folder's name, two underscores, and a path follow. */
  private static final String NAMED = "/__cdvfile_";
  /** WebView's folders in the cache folder, with responses of other sites. */
  private static final List<String> HIDDEN = Arrays.asList("WebView", "org.chromium.android_webview");

  private final Context context;
  private final String origin;

  /** @param context the application's context, because service workers outlive the activity */
  AppFolders(Context context, String origin) {
    this.context = context;
    this.origin = origin;
  }

  /** Returns the folders by their names in cordova-plugin-file. Folders on external storage are missing if the phone doesn't have any. */
  Map<String, File> byName() {
    Map<String, File> folders = new LinkedHashMap<>();
    File files = context.getFilesDir();
    folders.put("persistent", new File(files, "files"));
    folders.put("temporary", context.getCacheDir());
    folders.put("documents", new File(files, "Documents"));
    folders.put("files", files);
    folders.put("cache", context.getCacheDir());
    File external = context.getExternalFilesDir(null);
    if (external != null) {
      folders.put("files-external", external);
    }
    File externalCache = context.getExternalCacheDir();
    if (externalCache != null) {
      folders.put("cache-external", externalCache);
    }
    return folders;
  }

  /** Returns the URL from which a page loads a file. */
  String url(File file) {
    return origin + PREFIX + Uri.encode(file.getPath(), "/");
  }

  /**
   * Returns the file of a `file:` or `cdvfile:` URL, or of a URL of the app's own origin, such as one from {@link #url}. The file may not
   * exist yet.
   *
   * @return null for other URLs, and for files outside the folders
   */
  File file(String url) {
    Uri uri = Uri.parse(url);
    String path = uri.getPath();
    if (path == null) {
      return null;
    }
    if (origin.equals(Urls.originOf(url))) {
      return path.matches(PREFIXES) ? own(path.substring(path.indexOf('/', 1))) : named(path);
    }
    if (url.startsWith("cdvfile://localhost/")) {
      return named(NAMED + path.substring(1).replaceFirst("(/|$)", "__/"));
    }
    return "file".equalsIgnoreCase(uri.getScheme()) ? own(path) : null;
  }

  private File named(String path) {
    int end = path.startsWith(NAMED) ? path.indexOf("__/", NAMED.length()) : -1;
    File folder = end < 0 ? null : byName().get(path.substring(NAMED.length(), end));
    return folder == null ? null : own(folder.getPath() + path.substring(end + 2));
  }

  /** Returns the path of an asset, including cordova-plugin-file's other URLs for assets. @param path may be null */
  @Override
  String assetPath(String path) {
    String named = NAMED + "assets__/www";
    return path != null && path.startsWith(named + "/") ? path.substring(named.length()) : path;
  }

  /** Returns the file at a path in the folders. @return null for any other path, including through `..` or a symbolic link */
  File own(String path) {
    try {
      String real = new File(path).getCanonicalPath();
      String cache = context.getCacheDir().getCanonicalPath() + "/";
      for (String name : HIDDEN) {
        if ((real + "/").startsWith(cache + name + "/")) {
          return null;
        }
      }
      for (File folder : byName().values()) {
        if ((real + "/").startsWith(folder.getCanonicalPath() + "/")) {
          return new File(real);
        }
      }
    } catch (IOException unreadable) {
      // Treated as missing.
    }
    return null;
  }

  /**
   * Returns a file of another app that the user chose for this one, or a file of {@link AppFiles}.
   *
   * @param url a `content:` URL, or the corresponding URL of the app's own origin
   * @return null for every other URL
   */
  Uri chosen(String url) {
    Uri uri = Uri.parse(url);
    String path = uri.getEncodedPath();
    for (String prefix : CONTENT) {
      if (path != null && path.startsWith(prefix) && origin.equals(Urls.originOf(url))) {
        String query = uri.getEncodedQuery();
        uri = Uri.parse("content://" + path.substring(prefix.length()) + (query == null ? "" : "?" + query));
      }
    }
    if (!"content".equals(uri.getScheme())) {
      return null;
    }
    int read = Intent.FLAG_GRANT_READ_URI_PERMISSION;
    return (context.getPackageName() + ".files").equals(uri.getAuthority())
            || context.checkUriPermission(uri, Process.myPid(), Process.myUid(), read) == PackageManager.PERMISSION_GRANTED
        ? uri
        : null;
  }

  /** Returns the MIME type of a file. @param chosen from {@link #chosen} */
  String typeOf(Uri chosen) {
    String type = context.getContentResolver().getType(chosen);
    return type == null ? "application/octet-stream" : type;
  }

  /** Opens a file. @param chosen from {@link #chosen} */
  InputStream open(Uri chosen) throws IOException {
    InputStream content = context.getContentResolver().openInputStream(chosen);
    if (content == null) {
      throw new FileNotFoundException(chosen.toString());
    }
    return content;
  }

  /** Opens a file with its size. @param chosen from {@link #chosen} */
  AssetFileDescriptor openWhole(Uri chosen) throws IOException {
    AssetFileDescriptor file = context.getContentResolver().openAssetFileDescriptor(chosen, "r");
    if (file == null) {
      throw new FileNotFoundException(chosen.toString());
    }
    return file;
  }

  @Override
  Content open(String url) throws IOException {
    File own = file(url);
    if (own != null) {
      return new Content(new FileInputStream(own), Server.typeFor(own.getPath()), own.length());
    }
    Uri chosen = chosen(url);
    if (chosen == null) {
      return null;
    }
    AssetFileDescriptor content = openWhole(chosen);
    return new Content(content.createInputStream(), typeOf(chosen), content.getLength());
  }
}
