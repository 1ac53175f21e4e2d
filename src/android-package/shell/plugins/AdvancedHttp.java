package appbuild.shell;

import android.content.res.AssetManager;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Iterator;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Sends requests to web servers: cordova-plugin-advanced-http. */
final class AdvancedHttp extends Requests {
  /** Trusts only the certificates in www/certificates. Null to trust Android's. */
  private volatile SSLSocketFactory pinned;

  /** A server's rejection of a request, with the response. */
  private static final class Refusal extends IOException {
    final JSONObject answer;

    Refusal(JSONObject answer) {
      this.answer = answer;
    }
  }

  @Override
  String[] services() {
    return new String[] {"CordovaHttpPlugin"};
  }

  @Override
  String keyOf(Call call) {
    return String.valueOf(call.args.opt(call.args.length() - 1));
  }

  @Override
  void call(Call call) throws Exception {
    if (call.action.equals("abort")) {
      call.succeed(new JSONObject().put("aborted", abort(keyOf(call))));
    } else {
      super.call(call);
    }
  }

  @Override
  Object reason(Call call, Request request, Throwable error, String message) throws JSONException {
    if (error instanceof Refusal) {
      return ((Refusal) error).answer;
    }
    int code =
        request.isAborted
            ? -8
            : error instanceof SSLException
                ? -2
                : error instanceof UnknownHostException
                    ? -3
                    : error instanceof SocketTimeoutException ? -4 : error instanceof MalformedURLException ? -5 : -1;
    JSONObject reason = new JSONObject().put("status", code).put("error", message).put("url", request.url);
    return call.action.startsWith("set") ? message : reason;
  }

  @Override
  Object answer(Call call, Request request) throws Exception {
    JSONArray args = call.args;
    switch (call.action) {
      case "setServerTrustMode":
        trust(args.getString(0));
        return null;
      case "setClientAuthMode":
        if (!args.optString(0).equals("none")) {
          throw new IOException("The app's shell has no client certificates: setClientAuthMode takes none alone.");
        }
        return null;
      default:
        break;
    }
    boolean hasBody = call.action.matches("post|put|patch");
    boolean isUpload = call.action.equals("uploadFiles");
    boolean isDownload = call.action.equals("downloadFile");
    if (!hasBody && !isUpload && !isDownload && !call.action.matches("get|delete|head|options")) {
      throw unknown(call);
    }
    // The page manages the cookies.
    request.hasCookies = false;
    request.sockets = pinned;
    request.url = args.getString(0);
    request.method = isDownload ? "GET" : isUpload ? "POST" : call.action.toUpperCase(Locale.ROOT);
    request.headers = args.getJSONObject(hasBody ? 3 : 1);
    int next = hasBody || isUpload ? 4 : isDownload ? 3 : 2;
    request.connectTimeout = (int) (args.optDouble(next, 60) * 1000);
    request.readTimeout = (int) (args.optDouble(next + 1, 60) * 1000);
    request.isRedirected = args.optBoolean(next + 2, true);
    if (hasBody) {
      request.body = body(args, args.getString(2));
    } else if (isUpload) {
      request.body = filesOf(args.getJSONArray(2), args.getJSONArray(3));
    }
    Place target = isDownload ? target(args.getString(2)) : null;
    request.send();
    JSONObject answer =
        new JSONObject().put("status", request.status).put("url", request.url).put("headers", request.headers(true));
    if (!request.isGood()) {
      throw new Refusal(answer.put("error", request.text()));
    }
    if (isDownload) {
      request.save(target.file, null);
      return answer.put("file", target.entry(null));
    }
    boolean isText = args.optString(next + 3, "text").matches("text|json");
    return answer.put("data", isText ? request.text() : Place.base64(request.bytes()));
  }

  private static Body body(JSONArray args, String serializer) throws JSONException, IOException {
    JSONObject data = args.optJSONObject(1);
    switch (serializer) {
      case "json":
        return new Body("application/json; charset=UTF-8").add(args.get(1).toString());
      case "utf8":
        return new Body("text/plain; charset=UTF-8").add(data.getString("text"));
      case "raw":
        return new Body("application/octet-stream").add(Place.bytesOf(args.getString(1)));
      case "multipart":
        JSONArray buffers = data.getJSONArray("buffers");
        Body form = new Body(null);
        for (int index = 0; index < buffers.length(); index++) {
          JSONArray fileNames = data.getJSONArray("fileNames");
          String fileName = fileNames.isNull(index) ? null : fileNames.getString(index);
          form.addHead(data.getJSONArray("names").getString(index), fileName, fileName == null ? null : data.getJSONArray("types").getString(index))
              .add(Place.bytesOf(buffers.getString(index)))
              .add("\r\n");
        }
        return form.end();
      default:
        return new Body("application/x-www-form-urlencoded; charset=UTF-8").add(formText(data));
    }
  }

  /** Returns the data as the text of a form. Adds brackets to the names of arrays. */
  private static String formText(JSONObject data) throws JSONException {
    JSONObject named = new JSONObject();
    for (Iterator<String> names = data.keys(); names.hasNext(); ) {
      String name = names.next();
      named.put(data.optJSONArray(name) == null ? name : name + "[]", data.get(name));
    }
    return query(named, true);
  }

  private Body filesOf(JSONArray paths, JSONArray names) throws IOException, JSONException {
    Body form = new Body(null);
    for (int index = 0; index < paths.length(); index++) {
      Place file = Place.of(bridge, paths.getString(index)).existing();
      form.addHead(names.getString(index), file.name(), file.type()).add(file).add("\r\n");
    }
    return form.end();
  }

  private void trust(String mode) throws IOException, GeneralSecurityException {
    if (mode.equals("nocheck")) {
      throw new IOException("The app's shell doesn't trust servers whose certificates it can't check.");
    }
    pinned = mode.equals("pinned") ? pinnedSockets() : null;
  }

  private SSLSocketFactory pinnedSockets() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    AssetManager assets = activity.getAssets();
    for (String name : assets.list("www/certificates")) {
      if (name.endsWith(".cer")) {
        try (InputStream content = assets.open("www/certificates/" + name)) {
          store.setCertificateEntry(name, CertificateFactory.getInstance("X.509").generateCertificate(content));
        }
      }
    }
    if (store.size() == 0) {
      throw new FileNotFoundException("www/certificates doesn't have .cer files.");
    }
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context.getSocketFactory();
  }
}
