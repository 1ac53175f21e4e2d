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
  private final String name;
  private final String type;
  private final Uri uri;
  private final OutputStream stream;

  /**
   * @param name as the page suggests it
   * @throws IOException if the file can't be made
   */
  Download(Context context, String name, String type) throws IOException {
    this.context = context;
    this.name = Files.fileName(name, type);
    this.type = type;
    if (isSaved()) {
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.DISPLAY_NAME, this.name);
      values.put(MediaStore.MediaColumns.MIME_TYPE, type);
      values.put(MediaStore.MediaColumns.IS_PENDING, 1);
      ContentResolver resolver = context.getContentResolver();
      uri = resolver.insert(MediaStore.Downloads.EXTERNAL_CONTENT_URI, values);
      stream = uri == null ? null : resolver.openOutputStream(uri);
      if (stream == null) {
        throw new IOException("Downloads takes no files.");
      }
    } else {
      File file = new File(AppFiles.folder(context), this.name);
      uri = AppFiles.uri(context, file);
      stream = new FileOutputStream(file);
    }
  }

  private static boolean isSaved() {
    return Build.VERSION.SDK_INT >= FIRST_SDK_WITH_DOWNLOADS;
  }

  void write(byte[] bytes) throws IOException {
    stream.write(bytes);
  }

  /** Copies a whole stream, and closes it. */
  void write(InputStream content) throws IOException {
    try {
      Files.copy(content, stream);
    } finally {
      content.close();
    }
  }

  /** Shows the user where the file is. */
  void finish() throws IOException {
    stream.close();
    if (isSaved()) {
      ContentValues values = new ContentValues();
      values.put(MediaStore.MediaColumns.IS_PENDING, 0);
      context.getContentResolver().update(uri, values, null, null);
      // A path reads the same in every language.
      Toast.makeText(context, "Download/" + name, Toast.LENGTH_LONG).show();
    } else if (!view(context, uri, type)) {
      Log.w(MainActivity.TAG, "No app shows " + name);
    }
  }

  /** Removes what was written. */
  void discard() {
    try {
      stream.close();
    } catch (IOException ignored) {
      // It goes anyway.
    }
    if (isSaved()) {
      context.getContentResolver().delete(uri, null, null);
    }
  }

  /** Shows a file in another app. @return whether there is one for its type */
  static boolean view(Context context, Uri uri, String type) {
    try {
      context.startActivity(
          new Intent(Intent.ACTION_VIEW)
              .setDataAndType(uri, type)
              .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_ACTIVITY_NEW_TASK));
      return true;
    } catch (RuntimeException error) {
      Log.w(MainActivity.TAG, "No app shows " + type, error);
      return false;
    }
  }
}
