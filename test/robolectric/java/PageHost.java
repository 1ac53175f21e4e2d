package appbuild.shell;

import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.provider.MediaStore;
import android.webkit.WebResourceResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.shadows.ShadowActivity;

/**
 * Not a test itself: answers a browser's pages with the shell and its plugins on Android's own classes. browser.ts starts it and reads the
 * port from the file in `pageHost`. Each request is a POST whose path selects the action.
 */
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(shadows = FilesTest.Grants.class)
public class PageHost extends PluginTest {
  private static final int TICK_MS = 20;
  private static final String[] GRANTED = {
    Questions.CAMERA,
    "android.permission.POST_NOTIFICATIONS",
    "android.permission.ACCESS_COARSE_LOCATION",
    "android.permission.ACCESS_FINE_LOCATION",
    "android.permission.RECORD_AUDIO",
    "android.permission.READ_CONTACTS",
    "android.permission.WRITE_CONTACTS",
    "android.permission.READ_CALENDAR",
    "android.permission.WRITE_CALENDAR",
    "android.permission.VIBRATE",
  };

  private interface Answer {
    byte[] get(String body) throws Exception;
  }

  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private boolean isEnded;

  @Test
  public void answersABrowser() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/file", this::file);
    // The body is the URL of the asking frame.
    serve(server, "/connect", body -> bytes(connect(body)));
    // The main frame shows another page.
    serve(server, "/started", body -> {
      shadowOf(web).getWebViewClient().doUpdateVisitedHistory(web, body, false);
      return new byte[0];
    });
    serve(server, "/is-connected", body -> bytes(!ports()[0].isClosed()));
    serve(server, "/send", body -> {
      page().postMessage(new android.webkit.WebMessage(body));
      return new byte[0];
    });
    serve(server, "/receive", body -> {
      List<String> all = page().getReceivedMessages();
      return new JSONArray(all.subList(Math.min(all.size(), Integer.parseInt(body)), all.size())).toString().getBytes(StandardCharsets.UTF_8);
    });
    serve(server, "/end", body -> {
      isEnded = true;
      return new byte[0];
    });
    server.start();
    // The browser can't answer Android's questions.
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(GRANTED);
    Robolectric.setupContentProvider(CameraTest.Gallery.class, "gallery");
    Robolectric.setupContentProvider(ContactsTest.Rows.class, android.provider.ContactsContract.AUTHORITY);
    java.nio.file.Files.writeString(Path.of(System.getProperty("pageHost")), String.valueOf(server.getAddress().getPort()));
    // This is Android's main thread.
    while (!isEnded) {
      Runnable next = work.poll(TICK_MS, TimeUnit.MILLISECONDS);
      if (next != null) {
        next.run();
      }
      finishWork();
      ShadowActivity.IntentForResult started = shadowOf(activity).getNextStartedActivityForResult();
      if (started != null) {
        activity.onActivityResult(started.requestCode, Activity.RESULT_OK, resultOf(started.intent));
      }
    }
    server.stop(0);
  }

  /** Acts as the other apps: a camera takes a picture, a gallery returns one. */
  private Intent resultOf(Intent intent) throws Exception {
    byte[] picture = CameraTest.jpeg(400, 200, 6);
    Uri output = intent.getParcelableExtra(MediaStore.EXTRA_OUTPUT);
    if (output != null) {
      java.nio.file.Files.write(AppFiles.folder(activity).toPath().resolve(output.getLastPathSegment()), picture);
      return null;
    }
    CameraTest.offer(CameraTest.PICTURE, picture);
    return new Intent().setData(CameraTest.PICTURE);
  }

  private static byte[] bytes(boolean value) {
    return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
  }

  private void serve(HttpServer server, String path, Answer answer) {
    server.createContext(path, exchange -> {
      String body = text(exchange);
      send(exchange, 200, onMainThread(() -> answer.get(body)));
    });
  }

  private <T> T onMainThread(Callable<T> task) throws IOException {
    CompletableFuture<T> done = new CompletableFuture<>();
    work.add(() -> {
      try {
        done.complete(task.call());
      } catch (Throwable error) {
        done.completeExceptionally(error);
      }
    });
    try {
      return done.get();
    } catch (Exception error) {
      throw new IOException(error);
    }
  }

  /** Answers a request on its own thread, as WebView does. */
  private void file(HttpExchange exchange) throws IOException {
    try {
      JSONObject asked = new JSONObject(text(exchange));
      Map<String, String> headers = new HashMap<>();
      JSONObject given = asked.getJSONObject("headers");
      for (java.util.Iterator<String> names = given.keys(); names.hasNext(); ) {
        String name = names.next();
        headers.put(name, given.getString(name));
      }
      WebResourceResponse response = activity.server.shouldInterceptRequest(
          ShellOnAndroidTest.request(asked.optString("method"), asked.optString("url"), asked.optBoolean("isForMainFrame"), headers));
      if (response == null) {
        send(exchange, 599, new byte[0]);
        return;
      }
      for (Map.Entry<String, String> header : response.getResponseHeaders().entrySet()) {
        exchange.getResponseHeaders().set(header.getKey(), header.getValue());
      }
      exchange.getResponseHeaders().set("Content-Type", response.getMimeType());
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      Files.copy(response.getData(), bytes);
      send(exchange, response.getStatusCode(), bytes.toByteArray());
    } catch (Exception error) {
      error.printStackTrace();
      send(exchange, 599, new byte[0]);
    }
  }

  private static String text(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
