package appbuild.shell;

import android.net.Uri;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Transfers files from and to web servers: cordova-plugin-file-transfer and @capacitor/file-transfer. */
final class Transfers extends Requests {
  @Override
  String[] services() {
    return new String[] {"FileTransfer", "Capacitor.FileTransfer"};
  }

  @Override
  String keyOf(Call call) {
    return call.isCapacitor() ? call.id : String.valueOf(call.args.opt(call.action.equals("upload") ? 9 : 3));
  }

  @Override
  void call(Call call) throws Exception {
    if (call.action.equals("abort")) {
      abort(String.valueOf(call.args.opt(0)));
      call.succeed(null);
    } else {
      super.call(call);
    }
  }

  @Override
  Object answer(Call call, Request request) throws Exception {
    JSONObject options = call.options();
    switch (call.action) {
      case "download":
        return download(call, request);
      case "upload":
        return upload(call, request);
      case "downloadFile":
        request.read(options);
        File target = target(options.optString("path")).file;
        request.send();
        request.save(target, request.capacitorProgress(bridge, options));
        return new JSONObject().put("path", target.getPath());
      case "uploadFile":
        request.method = "POST";
        request.read(options);
        Place file = Place.of(bridge, options.optString("path")).existing();
        String type = options.optString("mimeType", file.type());
        form(request, file, options.optString("fileKey", "file"), file.name(), type, null);
        request.isChunked = options.optBoolean("chunkedMode");
        request.upload = request.capacitorProgress(bridge, options);
        return sent(request).put("responseCode", String.valueOf(request.status)).put("headers", request.headers(false));
      default:
        throw unknown(call);
    }
  }

  /** Sets the request's body: a form, or only the content if the page sets a type. @param content a {@link Place} or a byte array */
  private void form(Request request, Object content, String key, String name, String type, JSONObject fields) throws IOException {
    if (request.header("Content-Type") != null) {
      request.body = new Body("").addContent(content);
      return;
    }
    request.body = new Body(null).addFields(fields).addHead(key, name, type).addContent(content).add("\r\n").end();
  }

  /** Sends an upload. @return the result for Cordova's page @throws IOException if the server rejects the request */
  private static JSONObject sent(Request request) throws IOException, JSONException {
    request.send();
    request.check();
    return new JSONObject()
        .put("bytesSent", request.sent)
        .put("responseCode", request.status)
        .put("response", request.text());
  }

  private JSONObject download(Call call, Request request) throws Exception {
    String source = call.args.getString(0);
    Place target = target(call.args.getString(1));
    request.url = source;
    request.headers = call.args.optJSONObject(4) == null ? request.headers : call.args.optJSONObject(4);
    if (source.matches("(?i)https?:.*") && !source.startsWith(activity.origin + "/")) {
      request.send();
      request.save(target.file, progress(call));
    } else {
      Place.of(bridge, source).existing().put(target.file, false);
    }
    return target.entry(null);
  }

  private JSONObject upload(Call call, Request request) throws Exception {
    JSONArray args = call.args;
    String source = args.getString(0);
    Object content = source.startsWith("data:") ? dataOf(source) : Place.of(bridge, source).existing();
    request.url = args.getString(1);
    request.method = args.isNull(10) ? "POST" : args.getString(10);
    request.headers = args.optJSONObject(8) == null ? request.headers : args.optJSONObject(8);
    request.isChunked = args.optBoolean(7, true);
    request.upload = progress(call);
    String type = textOr(args, 4, "image/jpeg");
    form(request, content, textOr(args, 2, "file"), textOr(args, 3, "image.jpg"), type, args.optJSONObject(5));
    return sent(request);
  }

  private static Place.Progress progress(final Call call) {
    return new Place.Progress() {
      @Override
      void tell(long loaded, long total) throws JSONException {
        call.keep(new JSONObject().put("loaded", loaded).put("total", Math.max(0, total)).put("lengthComputable", total >= 0));
      }
    };
  }

  private static byte[] dataOf(String url) throws Place.Failure {
    boolean isBase64 = url.substring(0, url.indexOf(',') + 1).endsWith(";base64,");
    return isBase64 ? Place.bytesOf(url) : Uri.decode(url.substring(url.indexOf(',') + 1)).getBytes(StandardCharsets.UTF_8);
  }

  private static String textOr(JSONArray args, int index, String otherwise) {
    return args.isNull(index) ? otherwise : args.optString(index);
  }

  @Override
  Object reason(Call call, Request request, Throwable error, String message) throws JSONException {
    String body = null;
    try {
      body = request.status == 0 || request.isAborted ? null : request.text();
    } catch (IOException | RuntimeException gone) {
      // The response's body isn't available.
    }
    boolean isFile = error instanceof Place.Failure || error instanceof FileNotFoundException && request.status == 0;
    JSONObject failure = new JSONObject().put("body", body).put("exception", message);
    if (!call.isCapacitor()) {
      int code = request.isAborted ? 4 : error instanceof MalformedURLException ? 2 : request.status == 304 ? 5 : 3;
      boolean isAbsent = isFile || request.status == 404 || request.status == 410;
      return failure
          .put("code", code == 3 && isAbsent ? 1 : code)
          .put("source", call.args.opt(0))
          .put("target", call.args.opt(1))
          .put("http_status", request.status);
    }
    boolean isUpload = call.action.equals("uploadFile");
    boolean isUnconnected = error instanceof IOException && request.status == 0;
    String number =
        error instanceof MalformedURLException
            ? "0005"
            : isFile ? "0007" : isUnconnected ? "0008" : request.status == 304 ? "0009" : request.status >= 400 ? "0010" : "0011";
    String code = "OS-PLUG-FLTR-" + number;
    String path = call.options().optString("path");
    failure
        .put("code", code)
        .put("message", message)
        .put("source", isUpload ? path : request.url)
        .put("target", isUpload ? request.url : path);
    if (request.status > 0) {
      failure.put("httpStatus", request.status).put("headers", request.headers(false));
    }
    return new JSONObject().put("code", code).put("message", message).put("data", failure);
  }
}
