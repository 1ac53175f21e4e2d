package appbuild.shell;

import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.os.Build;
import android.provider.MediaStore;
import android.util.Log;
import android.widget.Toast;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A file that the app gives to the user. On Android 10 and later, it's saved to the phone's Downloads folder. Earlier versions require a
 * permission to write there, so the file opens in another app, where the user can save it.
 */
final class Download {
  private static final int FIRST_SDK_WITH_DOWNLOADS = 29;

  private final Context context;
  private final File file;
  private final String type;
  /** URI of the file in Downloads. Null before Android 10. */
  private final Uri uri;
  private final OutputStream stream;

  /**
   * @param name name that the page suggests
   * @param type type of a file whose name has no extension; may be empty
   * @throws IOException if the file can't be created
   */
  Download(Context context, String name, String type) throws IOException {
    this.context = context;
    file = new File(AppFiles.folder(context), Files.fileName(name, type));
    boolean isNamed = type.isEmpty() || !Files.extensionOf(file.getName()).isEmpty();
    this.type = isNamed ? Server.typeFor(file.getName()) : type;
    if (Build.VERSION.SDK_INT >= FIRST_SDK_WITH_DOWNLOADS) {
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.DISPLAY_NAME, file.getName());
      // If the type doesn't match the name's extension, Android adds another extension.
      values.put(MediaStore.MediaColumns.MIME_TYPE, this.type);
      values.put(MediaStore.MediaColumns.IS_PENDING, 1);
      ContentResolver resolver = context.getContentResolver();
      uri = resolver.insert(MediaStore.Downloads.EXTERNAL_CONTENT_URI, values);
      OutputStream opened = null;
      try {
        opened = uri == null ? null : resolver.openOutputStream(uri);
      } finally {
        if (uri != null && opened == null) {
          resolver.delete(uri, null, null);
        }
      }
      if (opened == null) {
        throw new IOException("Downloads takes no files.");
      }
      stream = opened;
    } else {
      uri = null;
      stream = new FileOutputStream(file);
    }
  }

  /** Saves the rest of a stream completely or not at all. */
  static void save(Context context, String name, String type, InputStream content) throws IOException {
    Download download = new Download(context, name, type);
    try {
      Files.copy(content, download.stream);
      download.finish();
    } catch (IOException | RuntimeException error) {
      download.discard();
      throw error;
    }
  }

  void write(byte[] bytes) throws IOException {
    stream.write(bytes);
  }

  /** Finishes the download, and shows the file or its path to the user. */
  void finish() throws IOException {
    stream.close();
    if (uri == null) {
      view(context, file, type);
    } else {
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.IS_PENDING, 0);
      ContentResolver resolver = context.getContentResolver();
      resolver.update(uri, values, null, null);
      String[] column = {MediaStore.MediaColumns.DISPLAY_NAME};
      try (Cursor row = resolver.query(uri, column, null, null, null)) {
        String name = row != null && row.moveToFirst() ? row.getString(0) : file.getName();
        // Shows only the path, which doesn't need a translation.
        Toast.makeText(context, "Download/" + name, Toast.LENGTH_LONG).show();
      }
    }
  }

  /** Deletes the partial file. */
  void discard() {
    try {
      stream.close();
    } catch (IOException ignored) {
      // Deletes the file anyway.
    }
    if (uri == null) {
      file.delete();
    } else {
      context.getContentResolver().delete(uri, null, null);
    }
  }

  /** Shows a file of {@link AppFiles} in another app. @return false if no app can show its type */
  static boolean view(Context context, File file, String type) {
    try {
      context.startActivity(
          new Intent(Intent.ACTION_VIEW)
              .setDataAndType(AppFiles.uri(context, file), type)
              .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_ACTIVITY_NEW_TASK));
      return true;
    } catch (RuntimeException error) {
      Log.w(MainActivity.TAG, "No app shows " + file.getName(), error);
      return false;
    }
  }
}
