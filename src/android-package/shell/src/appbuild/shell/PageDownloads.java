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
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Saves files that other apps can't download: files of the package, and `blob:` and `data:` URLs. Writes them on a separate thread.
 */
final class PageDownloads {
  private final Activity activity;
  private final Handler thread;
  /** The active receivers. Keeps them and their ports from being garbage-collected. */
  private final Set<Receiver> receivers = Collections.synchronizedSet(new HashSet<Receiver>());

  PageDownloads(Activity activity) {
    this.activity = activity;
    HandlerThread started = new HandlerThread("Downloads");
    started.start();
    thread = new Handler(started.getLooper());
  }

  /** Ends the thread after it has written the requested files. Discards partial `blob:` downloads, which can't continue without a page. */
  void end() {
    thread.post(
        new Runnable() {
          @Override
          public void run() {
            for (Receiver receiver : receivers.toArray(new Receiver[0])) {
              receiver.discard();
            }
          }
        });
    thread.getLooper().quitSafely();
  }

  /** A task of the thread. Logs an exception, so that a file that can't be written doesn't end the app. */
  private abstract static class Task implements Runnable {
    abstract void write() throws IOException, JSONException;

    @Override
    public final void run() {
      try {
        write();
      } catch (IOException | JSONException | RuntimeException error) {
        Log.w(MainActivity.TAG, "Not saved", error);
      }
    }
  }

  /** Shows a file of the package in another app, or saves it if no app can show it. @param path decoded path of its URL */
  void show(final Server server, final String path) {
    thread.post(
        new Task() {
          @Override
          void write() throws IOException, JSONException {
            String type = Server.typeFor(path);
            File file = new File(AppFiles.folder(activity), Files.fileName(path, type));
            try (InputStream from = server.open(path); OutputStream to = new FileOutputStream(file)) {
              Files.copy(from, to);
            }
            if (!Download.view(activity, file, type)) {
              try (InputStream from = server.open(path)) {
                Download.save(activity, path, type, from);
              }
            }
          }
        });
  }

  /** Saves the content of a `data:` URL (RFC 2397). @param name file name as a JSON string; empty if the link has none */
  void saveData(final String url, final String name) {
    thread.post(
        new Task() {
          @Override
          void write() throws IOException, JSONException {
            int comma = url.indexOf(',');
            String head = url.substring("data:".length(), comma);
            String data = Uri.decode(url.substring(comma + 1));
            String type = head.indexOf(';') < 0 ? head : head.substring(0, head.indexOf(';'));
            byte[] bytes = head.endsWith(";base64") ? Base64.decode(data, Base64.DEFAULT) : data.getBytes("UTF-8");
            String wanted = new JSONArray("[" + name + "]").optString(0);
            Download.save(activity, wanted, type.isEmpty() ? "text/plain" : type, new ByteArrayInputStream(bytes));
          }
        });
  }

  /** Saves the content of a `blob:` URL, which the page's script sends in parts (assets/shell.js). @param origin origin of the page */
  void saveBlob(WebView page, String origin, String url) {
    WebMessagePort[] ports = page.createWebMessageChannel();
    Receiver receiver = new Receiver(ports[0]);
    receivers.add(receiver);
    ports[0].setWebMessageCallback(receiver, thread);
    page.postWebMessage(new WebMessage("appbuild:save " + url, new WebMessagePort[] {ports[1]}), Uri.parse(origin));
  }

  /** Receives messages: name and type, then each part in Base64, and an empty message at the end. `!` reports a failure. */
  private final class Receiver extends WebMessagePort.WebMessageCallback {
    private final WebMessagePort port;
    private Download download;

    Receiver(WebMessagePort port) {
      this.port = port;
    }

    @Override
    public void onMessage(WebMessagePort sender, WebMessage message) {
      String data = message.getData();
      try {
        if (download == null) {
          JSONObject file = new JSONObject(data);
          download = new Download(activity, file.optString("name"), file.optString("type"));
        } else if (data.equals("!")) {
          throw new IOException("The page can't read it.");
        } else if (!data.isEmpty()) {
          download.write(Base64.decode(data, Base64.DEFAULT));
        } else {
          download.finish();
          receivers.remove(this);
        }
        reply();
      } catch (IOException | JSONException | RuntimeException error) {
        Log.w(MainActivity.TAG, "Not saved: a blob: URL", error);
        discard();
      }
    }

    void discard() {
      if (download != null) {
        download.discard();
      }
      receivers.remove(this);
      reply();
    }

    /** Asks for the next part, or closes the port. Old versions of WebView require the main thread for both. */
    private void reply() {
      activity.runOnUiThread(
          new Runnable() {
            @Override
            public void run() {
              if (receivers.contains(Receiver.this)) {
                port.postMessage(new WebMessage("next"));
              } else {
                port.close();
              }
            }
          });
    }
  }
}
