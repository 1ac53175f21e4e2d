package appbuild.shell;

import android.app.Activity;
import android.content.ClipData;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.database.Cursor;
import android.net.Uri;
import android.provider.MediaStore;
import android.provider.OpenableColumns;
import android.util.Log;
import android.webkit.MimeTypeMap;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient.FileChooserParams;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lets the user choose files for `<input type="file">`, or take a picture if the input has `capture`. */
final class FileChooser {
  private static final int REQUEST = 1;

  private final Activity activity;
  private final Questions questions;
  /** Receives the chosen files. Null if no chooser is open. WebView waits for an answer before it shows another chooser. */
  private ValueCallback<Uri[]> answer;
  /** The file that a camera writes. Null for other choosers. */
  private File captured;

  FileChooser(Activity activity, Questions questions) {
    this.activity = activity;
    this.questions = questions;
  }

  /** Shows a chooser. @return false if no app can show one, in which case the callback isn't called */
  boolean show(final FileChooserParams wanted, ValueCallback<Uri[]> callback) {
    finish(null);
    answer = callback;
    final Intent capture = wanted.isCaptureEnabled() ? captureIntent(wanted.getAcceptTypes()) : null;
    if (captured == null || !isCameraDeclared(activity)) {
      if (capture != null && start(capture) || start(chooseIntent(wanted))) {
        return true;
      }
      answer = null;
      return false;
    }
    questions.ask(
        new String[] {Questions.CAMERA},
        1,
        new Questions.Listener() {
          @Override
          public void onAnswer(boolean isGranted) {
            if (!(isGranted && start(capture)) && !start(chooseIntent(wanted))) {
              finish(null);
            }
          }
        });
    return true;
  }

  private boolean start(Intent intent) {
    try {
      activity.startActivityForResult(intent, REQUEST);
      return true;
    } catch (RuntimeException error) {
      Log.w(MainActivity.TAG, "No app for " + intent.getAction(), error);
      captured = null;
      return false;
    }
  }

  /** Returns an intent to record a file, or null unless the page accepts only pictures, only videos, or only sound. */
  private Intent captureIntent(String[] accepted) {
    String[] types = typesFor(accepted);
    String kind = types.length == 0 ? "" : types[0].substring(0, types[0].indexOf('/') + 1);
    for (String type : types) {
      kind = type.startsWith(kind) ? kind : "";
    }
    if (kind.equals("audio/")) {
      return new Intent(MediaStore.Audio.Media.RECORD_SOUND_ACTION);
    }
    boolean isFilm = kind.equals("video/");
    if (!isFilm && !kind.equals("image/")) {
      return null;
    }
    captured = capturedFile(activity, isFilm);
    return captureIntent(activity, captured, isFilm);
  }

  /** Returns the file for the picture or video that a camera writes. */
  static File capturedFile(Context context, boolean isFilm) {
    return new File(AppFiles.folder(context), System.currentTimeMillis() + (isFilm ? ".mp4" : ".jpg"));
  }

  /** Returns an intent with which a camera writes a picture or a video. @param file file from {@link #capturedFile} */
  static Intent captureIntent(Context context, File file, boolean isFilm) {
    Uri uri = AppFiles.uri(context, file);
    Intent intent =
        new Intent(isFilm ? MediaStore.ACTION_VIDEO_CAPTURE : MediaStore.ACTION_IMAGE_CAPTURE)
            .putExtra(MediaStore.EXTRA_OUTPUT, uri)
            .addFlags(Intent.FLAG_GRANT_WRITE_URI_PERMISSION | Intent.FLAG_GRANT_READ_URI_PERMISSION);
    // The flags apply to data and clip data, not to extras.
    intent.setClipData(ClipData.newRawUri("", uri));
    return intent;
  }

  private static Intent chooseIntent(FileChooserParams wanted) {
    Intent intent = wanted.createIntent();
    boolean isMultiple = wanted.getMode() == FileChooserParams.MODE_OPEN_MULTIPLE;
    // Doesn't support other modes: choosing a folder or a file to write would require another intent.
    if (isMultiple || wanted.getMode() == FileChooserParams.MODE_OPEN) {
      String[] types = typesFor(wanted.getAcceptTypes());
      intent.setType(types.length == 1 ? types[0] : "*/*").putExtra(Intent.EXTRA_ALLOW_MULTIPLE, isMultiple);
      if (types.length > 1) {
        intent.putExtra(Intent.EXTRA_MIME_TYPES, types);
      }
    }
    return intent;
  }

  /** Returns the MIME types that a file input accepts. Empty if it accepts any type, or a type that Android doesn't know. */
  static String[] typesFor(String[] accepted) {
    List<String> types = new ArrayList<>();
    for (String text : accepted) {
      String type = text.trim().toLowerCase(Locale.ROOT);
      if (type.startsWith(".")) {
        type = MimeTypeMap.getSingleton().getMimeTypeFromExtension(type.substring(1));
      }
      if (type == null || type.indexOf('/') < 0) {
        return new String[0];
      }
      types.add(type);
    }
    return types.toArray(new String[0]);
  }

  /**
   * Reports whether the manifest declares the camera permission. If so, Android starts a camera app only after the user grants it.
   * Otherwise, starting a camera app doesn't require it.
   */
  static boolean isCameraDeclared(Context context) {
    try {
      PackageManager packages = context.getPackageManager();
      String[] declared =
          packages.getPackageInfo(context.getPackageName(), PackageManager.GET_PERMISSIONS).requestedPermissions;
      return declared != null && Arrays.asList(declared).contains(Questions.CAMERA);
    } catch (PackageManager.NameNotFoundException impossible) {
      return false;
    }
  }

  /** Called by Activity.onActivityResult. */
  void onResult(int request, int result, Intent data) {
    if (request != REQUEST || answer == null) {
      return;
    }
    File file = captured;
    if (result != Activity.RESULT_OK) {
      finish(null);
    } else if (file != null && file.length() > 0) {
      finish(new Uri[] {AppFiles.uri(activity, file)});
    } else {
      finish(data == null ? null : filesFrom(data));
    }
  }

  private void finish(Uri[] files) {
    ValueCallback<Uri[]> callback = answer;
    answer = null;
    captured = null;
    if (callback != null) {
      callback.onReceiveValue(files);
    }
  }

  /**
   * Returns the files in a chooser's result, or null for none. Accepts only `content:` URIs, because a `file:` URI from another app could
   * point to a file that only this app can read.
   */
  static Uri[] filesFrom(Intent data) {
    List<Uri> files = new ArrayList<>();
    ClipData several = data.getClipData();
    for (int index = 0; index < (several == null ? 1 : several.getItemCount()); index++) {
      Uri file = several == null ? data.getData() : several.getItemAt(index).getUri();
      if (file != null && "content".equals(file.getScheme())) {
        files.add(file);
      }
    }
    return files.isEmpty() ? null : files.toArray(new Uri[0]);
  }

  /**
   * Copies a file that the user chose in another app to the cache, because pages can't load its URI, and the app can read it only as long
   * as the activity exists.
   *
   * @param chosen URI from {@link #filesFrom}
   * @return the copy, in a separate folder so that it keeps its name
   */
  static File take(Context context, Uri chosen) throws IOException {
    ContentResolver resolver = context.getContentResolver();
    File folder = new File(context.getCacheDir(), "chosen/" + System.nanoTime());
    folder.mkdirs();
    File file = new File(folder, Files.fileName(nameOf(resolver, chosen), resolver.getType(chosen)));
    try (InputStream from = resolver.openInputStream(chosen);
        OutputStream to = new FileOutputStream(file)) {
      if (from == null) {
        throw new FileNotFoundException(chosen.toString());
      }
      Files.copy(from, to);
      return file;
    } catch (IOException | RuntimeException error) {
      file.delete();
      throw error;
    }
  }

  /** Returns a chosen file's name, or null if the other app doesn't provide one. */
  private static String nameOf(ContentResolver resolver, Uri chosen) {
    try (Cursor cursor = resolver.query(chosen, new String[] {OpenableColumns.DISPLAY_NAME}, null, null, null)) {
      return cursor != null && cursor.moveToFirst() ? cursor.getString(0) : null;
    } catch (RuntimeException error) {
      Log.w(MainActivity.TAG, "No name of " + chosen, error);
      return null;
    }
  }
}
