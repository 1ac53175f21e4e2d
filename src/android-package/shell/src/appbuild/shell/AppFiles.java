package appbuild.shell;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.OpenableColumns;
import java.io.File;
import java.io.FileNotFoundException;

/**
 * Shares single files with other apps, such as a camera that writes a picture or a viewer that reads a document. The manifest doesn't
 * export this provider, so other apps can access only files for which an intent grants access. All files are in one folder of the cache,
 * and the app deletes them after a day.
 */
public final class AppFiles extends ContentProvider {
  private static final long DAY_MS = 24 * 60 * 60 * 1000;

  /** Returns the cache folder for files shared with other apps, and creates it if necessary. */
  static File folder(Context context) {
    File folder = new File(context.getCacheDir(), "shared");
    folder.mkdirs();
    return folder;
  }

  /** Deletes shared files that are older than a day. */
  static void removeOld(Context context) {
    File[] files = folder(context).listFiles();
    for (int index = 0; files != null && index < files.length; index++) {
      if (System.currentTimeMillis() - files[index].lastModified() > DAY_MS) {
        files[index].delete();
      }
    }
  }

  /** Returns the URI with which other apps open a file. @param file file in {@link #folder} */
  static Uri uri(Context context, File file) {
    return Uri.parse("content://" + context.getPackageName() + ".files/" + Uri.encode(file.getName(), ""));
  }

  /** Returns a URI's file. @throws FileNotFoundException for a name that {@link #uri} doesn't create, such as one with a leading dot */
  private File file(Uri uri) throws FileNotFoundException {
    String name = uri.getLastPathSegment();
    if (name == null || name.startsWith(".") || name.indexOf('\0') >= 0) {
      throw new FileNotFoundException(uri.toString());
    }
    File file = new File(folder(getContext()), name);
    if (!uri.toString().equals(uri(getContext(), file).toString())) {
      throw new FileNotFoundException(uri.toString());
    }
    return file;
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
    return ParcelFileDescriptor.open(file(uri), ParcelFileDescriptor.parseMode(mode));
  }

  @Override
  public String getType(Uri uri) {
    String name = uri.getLastPathSegment();
    return name == null ? null : Server.typeFor(name);
  }

  /** Returns a file's name and size, which viewers show. */
  @Override
  public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
    String[] known = columns == null ? new String[] {OpenableColumns.DISPLAY_NAME, OpenableColumns.SIZE} : columns;
    MatrixCursor cursor = new MatrixCursor(known, 1);
    try {
      File file = file(uri);
      Object[] row = new Object[known.length];
      for (int index = 0; index < known.length; index++) {
        if (known[index].equals(OpenableColumns.DISPLAY_NAME)) {
          row[index] = file.getName();
        } else if (known[index].equals(OpenableColumns.SIZE)) {
          row[index] = file.length();
        }
      }
      cursor.addRow(row);
    } catch (FileNotFoundException absent) {
      // Returns no rows for a missing file.
    }
    return cursor;
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
