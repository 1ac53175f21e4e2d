package appbuild.shell;

import android.content.Context;
import android.net.Uri;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Files that plugins pass to other apps through {@link AppFiles}. */
final class SharedFiles {
  /** Cordova's name of the pages' folder. */
  private static final String ASSETS = "file:///android_asset/www/";

  private SharedFiles() {}

  /**
   * Creates an empty file with an unused name, because another app may still be reading an older file, and another call may be writing one.
   *
   * @param name file name that a page suggests
   */
  static File unused(Context context, String name, String type) throws IOException {
    String clean = Files.fileName(name, type);
    File file = new File(AppFiles.folder(context), clean);
    for (int number = 1; !file.createNewFile(); number++) {
      file = new File(AppFiles.folder(context), number + "-" + clean);
    }
    return file;
  }

  /**
   * Copies a file that a page names to the folder of {@link AppFiles}.
   *
   * @param source path or URL of a file in the app's own folders or in its package, or the `content:` URL of a file that the user chose
   * @throws FileNotFoundException for any other source
   */
  static File copy(Bridge bridge, String source) throws IOException {
    try (InputStream from = open(bridge, source)) {
      File file = unused(bridge.activity, Uri.parse(source).getPath(), "");
      try (OutputStream to = new FileOutputStream(file)) {
        Files.copy(from, to);
      }
      return file;
    }
  }

  /** Opens a file that a page names. @param source as in {@link #copy} */
  static InputStream open(Bridge bridge, String source) throws IOException {
    File own = source.startsWith("/") ? bridge.folders.own(source) : bridge.folders.file(source);
    Uri uri = Uri.parse(source);
    if (own != null) {
      return new FileInputStream(own);
    } else if (source.startsWith(ASSETS)) {
      return bridge.activity.server.open(uri.getPath().substring("/android_asset/www".length()));
    }
    // Doesn't open files that the user hasn't chosen, even if the app has permission to.
    Uri chosen = bridge.folders.chosen(source);
    if (chosen != null) {
      return bridge.folders.open(chosen);
    } else if (bridge.activity.origin.equals(Urls.originOf(source))) {
      return bridge.activity.server.open(uri.getPath());
    }
    throw new FileNotFoundException(source);
  }
}
