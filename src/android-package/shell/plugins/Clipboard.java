package appbuild.shell;

import android.content.ClipData;
import android.content.ClipDescription;
import android.content.ClipboardManager;
import android.content.Context;
import android.net.Uri;
import android.os.Build;
import android.util.Base64;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-clipboard and @capacitor/clipboard. */
final class Clipboard extends Plugin {
  /** Limited because the page gets a picture as text, which requires several copies in memory. */
  private static final int MAX_IMAGE_BYTES = 16 * 1024 * 1024;

  @Override
  String[] services() {
    return new String[] {"Clipboard", "Capacitor.Clipboard"};
  }

  @Override
  void call(Call call) throws Exception {
    switch (call.action) {
      case "copy":
        String text = call.args.optString(0);
        manager().setPrimaryClip(ClipData.newPlainText(null, text));
        call.succeed(text);
        return;
      case "paste":
        ClipData.Item item = item();
        call.succeed(item == null ? "" : textOf(item));
        return;
      case "clear":
        clear();
        call.succeed(null);
        return;
      case "write":
        write(call.options());
        call.succeed(null);
        return;
      case "read":
        read(call);
        return;
      default:
        throw unknown(call);
    }
  }

  private ClipboardManager manager() {
    return (ClipboardManager) activity.getSystemService(Context.CLIPBOARD_SERVICE);
  }

  /** Returns the clipboard's first item. @return null if the clipboard is empty, or if Android hides it because another app is in front */
  private ClipData.Item item() {
    ClipData clip = manager().getPrimaryClip();
    return clip == null || clip.getItemCount() == 0 ? null : clip.getItemAt(0);
  }

  /** Returns an item's text or URI. Doesn't read text from the URI, because another app could copy a URI of this app's own files. */
  private static String textOf(ClipData.Item item) {
    CharSequence text = item.getText();
    return text != null ? text.toString() : item.getUri() != null ? item.getUri().toString() : "";
  }

  private void clear() {
    if (Build.VERSION.SDK_INT >= 28) {
      manager().clearPrimaryClip();
    } else {
      manager().setPrimaryClip(ClipData.newPlainText(null, ""));
    }
  }

  private void write(JSONObject options) throws IOException {
    String label = options.optString("label");
    for (String name : new String[] {"string", "url"}) {
      if (options.has(name)) {
        manager().setPrimaryClip(ClipData.newPlainText(label, options.optString(name)));
        return;
      }
    }
    if (!options.has("image")) {
      throw new IllegalArgumentException("Give string, image or url.");
    }
    manager().setPrimaryClip(image(label, options.optString("image")));
  }

  /** Saves a picture as a file for other apps. Android grants access to the app in which the user pastes it. */
  private ClipData image(String label, String url) throws IOException {
    int comma = url.indexOf(";base64,");
    if (!url.startsWith("data:image/") || comma < 0) {
      throw new IllegalArgumentException("The image must be a data: URL in Base64.");
    }
    String type = url.substring("data:".length(), comma);
    String ending = type.substring(type.indexOf('/') + 1).replaceAll("\\W.*", "");
    File file = new File(AppFiles.folder(activity), "clipboard." + ending);
    try (FileOutputStream stream = new FileOutputStream(file)) {
      stream.write(Base64.decode(url.substring(comma + ";base64,".length()), Base64.DEFAULT));
    }
    ClipDescription description = new ClipDescription(label, new String[] {type});
    return new ClipData(description, new ClipData.Item(AppFiles.uri(activity, file)));
  }

  /** Answers a call with the clipboard's content. Uses a separate thread, because another app provides the picture and may be slow. */
  private void read(final Call call) {
    final ClipData.Item item = item();
    if (item == null) {
      throw new IllegalStateException("There's no data on the clipboard.");
    }
    bridge.work(
        call,
        new Bridge.Granted() {
          @Override
          public void run() throws Exception {
            call.succeed(read(item));
          }
        });
  }

  private JSONObject read(ClipData.Item item) throws IOException, JSONException {
    Uri uri = item.getUri();
    String type = uri == null ? null : activity.getContentResolver().getType(uri);
    if (type != null && type.startsWith("image/") && "content".equals(uri.getScheme())) {
      return new JSONObject().put("value", "data:" + type + ";base64," + readImage(uri)).put("type", type);
    }
    return new JSONObject().put("value", textOf(item)).put("type", "text/plain");
  }

  private String readImage(Uri uri) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try (InputStream stream = activity.getContentResolver().openInputStream(uri)) {
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        bytes.write(buffer, 0, count);
        if (bytes.size() > MAX_IMAGE_BYTES) {
          throw new IOException("The image on the clipboard is too large.");
        }
      }
    }
    return Base64.encodeToString(bytes.toByteArray(), Base64.NO_WRAP);
  }
}
