package appbuild.shell;

import android.net.Uri;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;
import android.webkit.CookieManager;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.IDN;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** A plugin whose calls are requests to web servers. */
abstract class Requests extends Plugin {
  private static final int TIMEOUT_MS = 60000;
  private static final int MAX_REDIRECTS = 20;
  /** Maximum number of simultaneous requests. Further requests wait. */
  private static final int MAX_THREADS = 32;

  /** Separate threads, so that other plugins don't wait for servers. */
  private final ExecutorService threads = Executors.newFixedThreadPool(MAX_THREADS);
  /** The running requests, keyed by {@link #keyOf}. */
  private final Map<String, Request> requests = new ConcurrentHashMap<>();

  /** Returns the key with which a page can abort the request. */
  String keyOf(Call call) {
    return call.id;
  }

  /** Performs a request. @return the value for the page */
  abstract Object answer(Call call, Request request) throws Exception;

  /** Returns the reason for a failure in the format that the plugin's page expects. */
  abstract Object reason(Call call, Request request, Throwable error, String message) throws JSONException;

  @Override
  void call(final Call call) throws Exception {
    final Request request = new Request(call);
    // Added on the main thread, because the page's next call may abort the request.
    requests.put(keyOf(call), request);
    threads.execute(
        new Runnable() {
          @Override
          public void run() {
            try {
              request.succeed(answer(call, request));
            } catch (Exception | VirtualMachineError error) {
              // A server's response may need more memory than the app has.
              fail(request, error);
            } finally {
              requests.values().remove(request);
              request.disconnect();
            }
          }
        });
  }

  private void fail(Request request, Throwable error) {
    // Doesn't log the message, which may contain secrets from a URL or a header.
    Log.w(MainActivity.TAG, request.call.service + "." + request.call.action + ": " + error.getClass().getName());
    String message = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
    try {
      request.fail(error instanceof NoSuchMethodException ? message : reason(request.call, request, error, message));
    } catch (JSONException impossible) {
      request.fail(message);
    }
  }

  /** Aborts a request without waiting for the server. @return whether such a request was running */
  final boolean abort(String key) {
    final Request running = requests.remove(key);
    if (running != null) {
      running.isAborted = true;
      fail(running, new IOException("Aborted"));
      // A separate thread, because all pooled threads may be waiting for servers.
      new Thread(
              new Runnable() {
                @Override
                public void run() {
                  running.disconnect();
                }
              })
          .start();
    }
    return running != null;
  }

  /** Returns the target file of a download, and creates its folder. */
  final Place target(String url) throws IOException {
    Place target = Place.of(bridge, url);
    target.writable().getParentFile().mkdirs();
    if (target.isFolder()) {
      throw Place.Failure.mismatch(url);
    }
    return target;
  }

  @Override
  void onDestroy() {
    threads.shutdown();
    for (Request request : requests.values()) {
      request.isAborted = true;
    }
  }

  /** The body of a request: bytes, and files that are read while they're sent. */
  static final class Body {
    final String type;
    private final String boundary = "----" + UUID.randomUUID();
    private final boolean isMultipart;
    private final List<Object> parts = new ArrayList<>();
    private long size;

    /** @param type MIME type, or null for a multipart form */
    Body(String type) {
      isMultipart = type == null;
      this.type = isMultipart ? "multipart/form-data; boundary=" + boundary : type;
    }

    Body add(byte[] bytes) {
      parts.add(bytes);
      size += size < 0 ? 0 : bytes.length;
      return this;
    }

    Body add(String text) {
      return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Body add(Place place) throws IOException {
      parts.add(place);
      long more = place.size();
      size = size < 0 || more < 0 ? -1 : size + more;
      return this;
    }

    /** Appends content. @param content a {@link Place} or a byte array */
    Body addContent(Object content) throws IOException {
      return content instanceof byte[] ? add((byte[]) content) : add((Place) content);
    }

    /** Adds the headers of a form's part. @param fileName null for a field @param type null for a field */
    Body addHead(String name, String fileName, String type) {
      add("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted(name) + "\"");
      if (fileName != null) {
        add("; filename=\"" + quoted(fileName) + "\"");
      }
      if (type != null) {
        add("\r\nContent-Type: " + type.replaceAll("[\r\n]", ""));
      }
      return add("\r\n\r\n");
    }

    /** Adds fields to a form. @param fields values by name, or null for none */
    Body addFields(JSONObject fields) {
      for (Iterator<String> names = fields == null ? null : fields.keys(); names != null && names.hasNext(); ) {
        String name = names.next();
        addHead(name, null, null).add(fields.optString(name) + "\r\n");
      }
      return this;
    }

    /** Quotes a string as browsers do. */
    private String quoted(String text) {
      return text.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    Body end() {
      return add("--" + boundary + "--\r\n");
    }

    private void send(HttpURLConnection connection, Request request) throws IOException {
      Place.Progress progress = request.upload;
      connection.setDoOutput(true);
      if (size < 0 || request.isChunked) {
        connection.setChunkedStreamingMode(0);
      } else {
        connection.setFixedLengthStreamingMode(size);
      }
      long sent = 0;
      try (OutputStream stream = connection.getOutputStream()) {
        byte[] buffer = new byte[65536];
        for (Object part : parts) {
          InputStream content = part instanceof byte[] ? new ByteArrayInputStream((byte[]) part) : ((Place) part).open();
          try (InputStream from = content) {
            for (int count = from.read(buffer); count > 0; count = from.read(buffer)) {
              request.checkRuns();
              stream.write(buffer, 0, count);
              sent += count;
              if (progress != null) {
                progress.count(sent, size, false);
              }
            }
          }
        }
      }
      request.sent = sent;
      if (progress != null) {
        progress.count(sent, size < 0 ? sent : size, true);
      }
    }
  }

  /** One request, including its redirects. */
  static final class Request {
    final Call call;
    String url = "";
    String method = "GET";
    JSONObject headers = new JSONObject();
    /** Body of the request. Null for none. */
    Body body;
    boolean isChunked;
    int connectTimeout = TIMEOUT_MS;
    int readTimeout = TIMEOUT_MS;
    boolean isRedirected = true;
    /** Whether it shares the cookies of the app's pages. */
    boolean hasCookies = true;
    /** Creates HTTPS connections. Null to trust Android's certificates. */
    SSLSocketFactory sockets;
    /** Receives the progress of the upload. Null for none. */
    Place.Progress upload;
    volatile boolean isAborted;
    long sent;
    /** HTTP status of the response. 0 if no server has responded. */
    int status;
    private volatile HttpURLConnection connection;
    private boolean isEnded;

    Request(Call call) {
      this.call = call;
    }

    /** Answers the call, unless it already has an answer because the page aborted it. */
    synchronized void succeed(Object value) {
      if (!isEnded) {
        call.succeed(value);
        isEnded = true;
      }
    }

    synchronized void fail(Object reason) {
      if (!isEnded) {
        call.fail(reason);
        isEnded = true;
      }
    }

    void checkRuns() throws IOException {
      if (isAborted) {
        throw new IOException("Aborted");
      }
    }

    /** Reads the options of Capacitor's plugins. */
    void read(JSONObject options) throws IOException, JSONException {
      url = options.optString("url");
      method = options.optString("method", method).toUpperCase(Locale.ROOT);
      headers = options.optJSONObject("headers") == null ? headers : options.optJSONObject("headers");
      connectTimeout = options.optInt("connectTimeout", TIMEOUT_MS);
      readTimeout = options.optInt("readTimeout", TIMEOUT_MS);
      isRedirected = !options.optBoolean("disableRedirects");
      String query = query(options.optJSONObject("params"), options.optBoolean("shouldEncodeUrlParams", true));
      int hash = url.indexOf('#');
      String address = hash < 0 ? url : url.substring(0, hash);
      url = query.isEmpty() ? url : address + (address.indexOf('?') < 0 ? "?" : "&") + query;
    }

    String header(String name) {
      for (Iterator<String> names = headers.keys(); names.hasNext(); ) {
        String each = names.next();
        if (each.equalsIgnoreCase(name)) {
          return headers.optString(each);
        }
      }
      return null;
    }

    /** Sends the request and follows redirects. Sends credentials only to the server for which the page provided them. */
    void send() throws IOException {
      URL target = parse(url);
      String first = originOf(target);
      boolean isFirst = true;
      Body sentBody = body;
      String verb = method;
      for (int count = 0; ; count++) {
        checkRuns();
        isFirst &= originOf(target).equals(first);
        HttpURLConnection opened = (HttpURLConnection) target.openConnection();
        connection = opened;
        url = target.toString();
        prepare(opened, verb, isFirst, sentBody);
        if (sentBody != null) {
          sentBody.send(opened, this);
        }
        status = opened.getResponseCode();
        keepCookies(opened);
        boolean isMoved = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
        String location = isMoved && isRedirected ? opened.getHeaderField("Location") : null;
        if (location == null) {
          return;
        }
        if (count == MAX_REDIRECTS) {
          throw new IOException("The server redirects more than " + MAX_REDIRECTS + " times.");
        }
        if (status == 303 && !verb.equals("HEAD") || status < 303 && verb.equals("POST")) {
          verb = "GET";
          sentBody = null;
        }
        opened.disconnect();
        target = parse(new URL(target, location).toString());
      }
    }

    private void prepare(HttpURLConnection opened, String verb, boolean isFirst, Body sentBody) throws IOException {
      opened.setRequestMethod(verb);
      opened.setInstanceFollowRedirects(false);
      opened.setUseCaches(false);
      opened.setConnectTimeout(connectTimeout);
      opened.setReadTimeout(readTimeout);
      if (sockets != null && opened instanceof HttpsURLConnection) {
        ((HttpsURLConnection) opened).setSSLSocketFactory(sockets);
      }
      for (Iterator<String> names = headers.keys(); names.hasNext(); ) {
        String name = names.next();
        boolean isOfBody = name.toLowerCase(Locale.ROOT).matches("content-(type|length|encoding)");
        boolean isCredential = name.toLowerCase(Locale.ROOT).matches("(proxy-)?authorization|cookie2?");
        if ((isFirst || !isCredential) && (sentBody != null || body == null || !isOfBody)) {
          JSONArray values = headers.optJSONArray(name);
          for (int index = 0; index < (values == null ? 1 : values.length()); index++) {
            addHeader(opened, name, values == null ? headers.optString(name) : values.optString(index));
          }
        }
      }
      String cookies = hasCookies && !(isFirst && header("Cookie") != null) ? CookieManager.getInstance().getCookie(url) : null;
      if (cookies != null) {
        opened.setRequestProperty("Cookie", cookies);
      }
      if (sentBody != null && header("Content-Type") == null) {
        opened.setRequestProperty("Content-Type", sentBody.type);
      }
    }

    private static void addHeader(HttpURLConnection opened, String name, String value) throws IOException {
      try {
        opened.addRequestProperty(name, value);
      } catch (IllegalArgumentException error) {
        // Replaces Android's message, which contains the value. It may be a secret and would be logged.
        throw new IOException("The name or value of a header isn't valid in HTTP: " + name.replaceAll("[^\\w-]", "?"));
      }
    }

    private void keepCookies(HttpURLConnection opened) {
      for (Map.Entry<String, List<String>> field : opened.getHeaderFields().entrySet()) {
        if (hasCookies && "Set-Cookie".equalsIgnoreCase(field.getKey())) {
          for (String cookie : field.getValue()) {
            CookieManager.getInstance().setCookie(url, cookie);
          }
        }
      }
    }

    private InputStream content(Place.Progress progress) throws IOException {
      boolean isEmpty = method.equals("HEAD") || status == 204 || status == 304;
      InputStream stream = isEmpty ? null : status >= 400 ? connection.getErrorStream() : connection.getInputStream();
      if (stream == null) {
        return new ByteArrayInputStream(new byte[0]);
      }
      InputStream counted =
          new Place.Counted(stream, connection.getContentLengthLong(), progress) {
            @Override
            public int read(byte[] into, int start, int count) throws IOException {
              checkRuns();
              return super.read(into, start, count);
            }
          };
      // Android decompresses the response unless the page requests an encoding.
      return "gzip".equalsIgnoreCase(connection.getContentEncoding()) ? new GZIPInputStream(counted) : counted;
    }

    byte[] bytes() throws IOException {
      try (InputStream content = content(null)) {
        return Place.bytesOf(content);
      }
    }

    String text() throws IOException {
      String type = connection.getContentType() == null ? "" : connection.getContentType();
      int start = type.toLowerCase(Locale.ROOT).indexOf("charset=");
      String name = start < 0 ? "utf-8" : type.substring(start + "charset=".length()).replaceAll("[\"' ]|;.*", "");
      Charset charset = StandardCharsets.UTF_8;
      try {
        charset = Charset.forName(name);
      } catch (IllegalArgumentException unknown) {
        // An unknown encoding. Uses UTF-8, as browsers do.
      }
      return new String(bytes(), charset);
    }

    boolean isGood() {
      return status >= 200 && status < 300;
    }

    void check() throws IOException {
      if (!isGood()) {
        throw new IOException("The server answers with the status " + status + ".");
      }
    }

    /** Writes a successful response to a file. @param progress receives the progress, or null for none */
    void save(File target, Place.Progress progress) throws IOException {
      check();
      try (InputStream content = content(progress)) {
        Place.save(content, target);
      }
      if (progress != null) {
        progress.count(target.length(), target.length(), true);
      }
    }

    JSONObject headers(boolean isLowerCase) throws JSONException {
      JSONObject all = new JSONObject();
      for (Map.Entry<String, List<String>> field : connection.getHeaderFields().entrySet()) {
        String name = field.getKey();
        // Skips the status line, which has no name, and the headers that Android adds.
        if (name == null || name.startsWith("X-Android-")) {
          continue;
        }
        StringBuilder values = new StringBuilder();
        for (String value : field.getValue()) {
          values.append(values.length() == 0 ? "" : ", ").append(value);
        }
        all.put(isLowerCase ? name.toLowerCase(Locale.ROOT) : name, values.toString());
      }
      return all;
    }

    /** Closes the connection. Don't call it on the main thread, because it can use the network. */
    private void disconnect() {
      HttpURLConnection opened = connection;
      if (opened != null) {
        opened.disconnect();
      }
    }

    /** Returns a receiver that reports progress to Capacitor's page, or null if the page doesn't ask for it. */
    Place.Progress capacitorProgress(final Bridge bridge, JSONObject options) {
      if (!options.optBoolean("progress")) {
        return null;
      }
      final String plugin = call.service.substring(Bridge.CAPACITOR.length());
      final String type = body == null ? "download" : "upload";
      final String address = options.optString("url");
      return new Place.Progress() {
        @Override
        void tell(long loaded, long total) throws JSONException {
          final JSONObject event =
              new JSONObject()
                  .put("type", type)
                  .put("url", address)
                  .put("bytes", loaded)
                  .put("contentLength", Math.max(0, total))
                  .put("lengthComputable", total >= 0);
          new Handler(Looper.getMainLooper())
              .post(
                  new Runnable() {
                    @Override
                    public void run() {
                      bridge.emit(plugin, "progress", event);
                    }
                  });
        }
      };
    }
  }

  /**
   * Parses a URL and formats it so that all classes read the same host. Otherwise, WebView would use the cookies of another host for a URL
   * that contains a user name or a backslash.
   */
  private static URL parse(String text) throws MalformedURLException {
    try {
      URL url = new URL(text.trim());
      String host = IDN.toASCII(url.getHost());
      String file = url.getFile().replace(" ", "%20");
      boolean isClean = host.matches("[A-Za-z0-9_.-]+|\\[[0-9A-Fa-f:.]+\\]") && !file.matches("(?s).*[\\x00-\\x20\\x7f].*");
      if (isClean && url.getProtocol().matches("https?")) {
        return new URL(url.getProtocol(), host, url.getPort(), file.startsWith("/") ? file : "/" + file);
      }
    } catch (MalformedURLException | IllegalArgumentException unknown) {
      // Treated as an invalid URL.
    }
    // The message omits the URL, because it's logged, and the URL may contain a secret.
    throw new MalformedURLException("Not the URL of a web server.");
  }

  private static String originOf(URL url) {
    int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
    return url.getProtocol() + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
  }

  /** Formats a query. @param values values by name, or null for none. An array becomes several values. */
  static String query(JSONObject values, boolean isEncoded) {
    StringBuilder query = new StringBuilder();
    for (Iterator<String> names = values == null ? null : values.keys(); names != null && names.hasNext(); ) {
      String name = names.next();
      JSONArray several = values.optJSONArray(name);
      for (int index = 0; index < (several == null ? 1 : several.length()); index++) {
        String value = several == null ? values.optString(name) : several.optString(index);
        query.append(query.length() == 0 ? "" : "&").append(isEncoded ? Uri.encode(name) : name);
        query.append('=').append(isEncoded ? Uri.encode(value) : value);
      }
    }
    return query.toString();
  }
}
