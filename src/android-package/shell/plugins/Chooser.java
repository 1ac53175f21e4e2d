package appbuild.shell;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.util.Base64;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Implements cordova-plugin-chooser, cordova-plugin-filechooser, and cordova-plugin-filepath. Copies a file that the user chooses in another
 * app to the cache. Pages get a URL of the app's own origin.
 */
final class Chooser extends Plugin {
  /** Maximum size of a file that a page gets as data. Limited because the data occupies several times its size in memory. */
  private static final long MAX_DATA_BYTES = 16 << 20;

  @Override
  String[] services() {
    return new String[] {"Chooser", "FileChooser", "FilePath"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.service + "." + call.action) {
      case "Chooser.getFile":
        choose(call, call.args.optString(0));
        return;
      case "FileChooser.open":
        choose(call, call.options().optString("mime"));
        return;
      case "FilePath.resolveNativePath":
        resolve(call, call.args.optString(0));
        return;
      default:
        throw unknown(call);
    }
  }

  private void resolve(final Call call, String path) throws JSONException {
    final Uri chosen = bridge.folders.chosen(path);
    File file = bridge.folders.file(path);
    if (file != null && file.exists()) {
      call.succeed(Uri.fromFile(file).toString());
    } else if (chosen != null) {
      bridge.work(
          call,
          new Bridge.Granted() {
            @Override
            public void run() throws Exception {
              call.succeed(Uri.fromFile(FileChooser.take(activity, chosen)).toString());
            }
          });
    } else {
      call.fail(new JSONObject().put("code", 0).put("message", "That isn't a file of the app, or one that the user has chosen."));
    }
  }

  /** Lets the user choose a file. @param accepted comma-separated MIME types, or an empty string for any */
  private void choose(Call call, String accepted) {
    String[] types = FileChooser.typesFor(accepted.split(","));
    Intent intent =
        new Intent(Intent.ACTION_GET_CONTENT)
            .addCategory(Intent.CATEGORY_OPENABLE)
            .setType(types.length == 1 ? types[0] : "*/*");
    if (types.length > 1) {
      intent.putExtra(Intent.EXTRA_MIME_TYPES, types);
    }
    bridge.start(call, new JSONObject(), intent);
  }

  @Override
  void onResult(final Call call, JSONObject state, int result, Intent data) throws Exception {
    final boolean isFileChooser = call.service.equals("FileChooser");
    final Uri[] chosen = data == null ? null : FileChooser.filesFrom(data);
    if (result != Activity.RESULT_OK && !isFileChooser) {
      call.succeed("RESULT_CANCELED");
    } else if (result != Activity.RESULT_OK) {
      call.fail("User canceled.");
    } else if (chosen == null) {
      call.fail("File URI was null.");
    } else {
      bridge.work(
          call,
          new Bridge.Granted() {
            @Override
            public void run() throws Exception {
              File file = FileChooser.take(activity, chosen[0]);
              String url = bridge.folders.url(file);
              // The page parses the result as JSON.
              call.succeed(isFileChooser ? url : describe(file, url, call.args.optBoolean(1)).toString());
            }
          });
    }
  }

  private static JSONObject describe(File file, String url, boolean hasData) throws IOException, JSONException {
    String type = Server.typeFor(file.getName());
    JSONObject found = new JSONObject().put("mediaType", type).put("name", file.getName()).put("uri", url);
    if (!hasData) {
      return found;
    }
    if (file.length() > MAX_DATA_BYTES) {
      throw new IOException("The file has " + file.length() + " bytes, too many for data. Use getFileMetadata, and read the file by its URL.");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) file.length());
    try (InputStream stream = new FileInputStream(file)) {
      Files.copy(stream, bytes);
    }
    return found.put("data", Base64.encodeToString(bytes.toByteArray(), Base64.NO_WRAP));
  }
}
