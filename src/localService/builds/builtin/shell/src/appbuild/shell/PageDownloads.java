package appbuild.shell;

import android.app.Activity;
import android.net.Uri;
import android.os.Handler;
import android.os.HandlerThread;
import android.util.Base64;
import android.util.Log;
import android.webkit.WebMessage;
import android.webkit.WebMessagePort;
import android.webkit.WebView;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.json.JSONException;
import org.json.JSONObject;

/** Gives the user what only the page has: files of the package, and `blob:` and `data:` URLs. Files are written on a thread of their own. */
final class PageDownloads {
  private final Activity activity;
  private final Handler thread;

  PageDownloads(Activity activity) {
    this.activity = activity;
    HandlerThread started = new HandlerThread("Downloads");
    started.start();
    thread = new Handler(started.getLooper());
  }

  /** The thread ends when it has written what was asked for. */
  void end() {
    thread.getLooper().quitSafely();
  }

  /** Shows a file of the package in another app; saves it where no app shows it. */
  void show(final InputStream content, final String name, final String type) {
    thread.post(
        new Runnable() {
          @Override
          public void run() {
            try {
              File file = new File(AppFiles.folder(activity), Files.fileName(name, type));
              try (InputStream from = content; FileOutputStream to = new FileOutputStream(file)) {
                Files.copy(from, to);
              }
              if (!Download.view(activity, AppFiles.uri(activity, file), type)) {
                Download download = new Download(activity, name, type);
                download.write(new FileInputStream(file));
                download.finish();
              }
            } catch (IOException error) {
              Log.w(MainActivity.TAG, "Not shown: " + name, error);
            }
          }
        });
  }

  /** Saves the content of a `data:` URL (RFC 2397). */
  void saveData(final String url, final String name) {
    thread.post(
        new Runnable() {
          @Override
          public void run() {
            int comma = url.indexOf(',');
            if (comma < 0) {
              return;
            }
            String head = url.substring("data:".length(), comma);
            String data = url.substring(comma + 1);
            boolean isBase64 = head.endsWith(";base64");
            String type = head.split(";")[0];
            try {
              byte[] bytes = isBase64 ? Base64.decode(Uri.decode(data), Base64.DEFAULT) : Uri.decode(data).getBytes("UTF-8");
              Download download = new Download(activity, name, type.isEmpty() ? "text/plain" : type);
              download.write(bytes);
              download.finish();
            } catch (IOException | IllegalArgumentException error) {
              Log.w(MainActivity.TAG, "Not saved: a data: URL", error);
            }
          }
        });
  }

  /** Saves the content of a `blob:` URL, which the page's script sends part by part (assets/shell.js). */
  void saveBlob(WebView page, String origin, String url) {
    WebMessagePort[] ports = page.createWebMessageChannel();
    ports[0].setWebMessageCallback(new Receiver(), thread);
    page.postWebMessage(new WebMessage("appbuild:save " + url, new WebMessagePort[] {ports[1]}), Uri.parse(origin));
  }

  /** Gets a message with name and type, then one for each part, in Base64, then an empty one; `!` where it fails. */
  private final class Receiver extends WebMessagePort.WebMessageCallback {
    private Download download;

    @Override
    public void onMessage(WebMessagePort port, WebMessage message) {
      String data = message.getData();
      try {
        if (download == null) {
          JSONObject file = new JSONObject(data);
          download = new Download(activity, file.optString("name"), file.optString("type", "application/octet-stream"));
        } else if (data.equals("!")) {
          throw new IOException("The page can't read it.");
        } else if (!data.isEmpty()) {
          download.write(Base64.decode(data, Base64.DEFAULT));
        } else {
          download.finish();
          port.close();
          return;
        }
        port.postMessage(new WebMessage("next"));
      } catch (IOException | JSONException | RuntimeException error) {
        Log.w(MainActivity.TAG, "Not saved: a blob: URL", error);
        if (download != null) {
          download.discard();
        }
        port.close();
      }
    }
  }
}
