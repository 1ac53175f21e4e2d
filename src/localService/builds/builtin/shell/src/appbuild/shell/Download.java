package appbuild.shell;

import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
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
 * A file that the app gives to the user: saved to the phone's Downloads folder from Android 10 on. Older versions ask for a permission
 * to write there, so they show the file in another app, which can save it.
 */
final class Download {
  private static final int FIRST_SDK_WITH_DOWNLOADS = 29;

  private final Context context;
  private final File file;
  /** In Downloads; null on older versions. */
  private final Uri uri;
  private final OutputStream stream;

  /**
   * @param name as the page suggests it
   * @param type names a file whose name has no extension
   * @throws IOException if the file can't be made
   */
  Download(Context context, String name, String type) throws IOException {
    this.context = context;
    file = new File(AppFiles.folder(context), Files.fileName(name, type));
    if (Build.VERSION.SDK_INT >= FIRST_SDK_WITH_DOWNLOADS) {
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.DISPLAY_NAME, file.getName());
      // Android would add the extension of another type to the name.
      values.put(MediaStore.MediaColumns.MIME_TYPE, Server.typeFor(file.getName()));
      values.put(MediaStore.MediaColumns.IS_PENDING, 1);
      ContentResolver resolver = context.getContentResolver();
      uri = resolver.insert(MediaStore.Downloads.EXTERNAL_CONTENT_URI, values);
      stream = uri == null ? null : resolver.openOutputStream(uri);
      if (stream == null) {
        throw new IOException("Downloads takes no files.");
      }
    } else {
      uri = null;
      stream = new FileOutputStream(file);
    }
  }

  void write(byte[] bytes) throws IOException {
    stream.write(bytes);
  }

  /** Copies the rest of a stream. */
  void write(InputStream content) throws IOException {
    Files.copy(content, stream);
  }

  /** Shows the user where the file is. */
  void finish() throws IOException {
    stream.close();
    if (uri == null) {
      view(context, file);
    } else {
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.IS_PENDING, 0);
      context.getContentResolver().update(uri, values, null, null);
      // A path reads the same in every language.
      Toast.makeText(context, "Download/" + file.getName(), Toast.LENGTH_LONG).show();
    }
  }

  /** Removes what was written. */
  void discard() {
    try {
      stream.close();
    } catch (IOException ignored) {
      // It goes anyway.
    }
    if (uri == null) {
      file.delete();
    } else {
      context.getContentResolver().delete(uri, null, null);
    }
  }

  /** Shows a file of {@link AppFiles} in another app. @return whether there is one for its type */
  static boolean view(Context context, File file) {
    try {
      context.startActivity(
          new Intent(Intent.ACTION_VIEW)
              .setDataAndType(AppFiles.uri(context, file), Server.typeFor(file.getName()))
              .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_ACTIVITY_NEW_TASK));
      return true;
    } catch (RuntimeException error) {
      Log.w(MainActivity.TAG, "No app shows " + file.getName(), error);
      return false;
    }
  }
}
