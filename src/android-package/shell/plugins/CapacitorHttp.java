package appbuild.shell;

import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.json.JSONTokener;

/** Sends requests to web servers: CapacitorHttp of @capacitor/core. */
final class CapacitorHttp extends Requests {
  @Override
  String[] services() {
    return new String[] {"Capacitor.CapacitorHttp"};
  }

  @Override
  Object reason(Call call, Request request, Throwable error, String message) throws JSONException {
    return new JSONObject().put("code", error.getClass().getSimpleName()).put("message", message);
  }

  @Override
  Object answer(Call call, Request request) throws Exception {
    if (!call.action.matches("request|get|post|put|patch|delete")) {
      throw unknown(call);
    }
    JSONObject options = call.options();
    request.read(options);
    if (!call.action.equals("request")) {
      request.method = call.action.toUpperCase(Locale.ROOT);
    }
    boolean hasBody = !options.isNull("data") && !request.method.equals("GET") && !request.method.equals("HEAD");
    request.body = hasBody ? body(request, options) : null;
    request.send();
    String type = request.headers(true).optString("content-type");
    String wanted = request.status < 400 ? options.optString("responseType") : "";
    Object data;
    if (type.contains("application/json") || wanted.equals("json")) {
      data = json(request.text());
    } else {
      data = wanted.matches("arraybuffer|blob") ? Place.base64(request.bytes()) : request.text();
    }
    return new JSONObject()
        .put("data", data)
        .put("status", request.status)
        .put("url", request.url)
        .put("headers", request.headers(false));
  }

  /** Parses JSON. Returns a string that isn't valid JSON unchanged. */
  private static Object json(String text) {
    try {
      JSONTokener reader = new JSONTokener(text);
      Object value = reader.nextValue();
      return reader.nextClean() == 0 ? value : text;
    } catch (JSONException | StackOverflowError other) {
      return text;
    }
  }

  private static Body body(Request request, JSONObject options) throws IOException, JSONException {
    Object data = options.get("data");
    String type = request.header("Content-Type");
    String kind = options.optString("dataType");
    if (kind.equals("file")) {
      return new Body("application/octet-stream").add(Place.bytesOf(data.toString()));
    }
    if (kind.equals("formData") || type != null && type.startsWith("multipart/form-data") && data instanceof JSONObject) {
      // Omits the page's header, which contains a different boundary.
      JSONObject headers = new JSONObject();
      for (Iterator<String> names = request.headers.keys(); names.hasNext(); ) {
        String name = names.next();
        if (!name.equalsIgnoreCase("Content-Type")) {
          headers.put(name, request.headers.get(name));
        }
      }
      request.headers = headers;
      return form(data);
    }
    if (data instanceof JSONObject && type != null && type.startsWith("application/x-www-form-urlencoded")) {
      return new Body(type).add(query((JSONObject) data, true));
    }
    return new Body(data instanceof String ? "text/plain; charset=UTF-8" : "application/json").add(data.toString());
  }

  /** Creates a multipart form. @param data fields by name, or an array of fields and files */
  private static Body form(Object data) throws IOException, JSONException {
    Body form = new Body(null);
    if (data instanceof JSONObject) {
      return form.addFields((JSONObject) data).end();
    }
    JSONArray parts = (JSONArray) data;
    for (int index = 0; index < parts.length(); index++) {
      JSONObject part = parts.getJSONObject(index);
      String value = part.getString("value");
      if (part.optString("type").equals("base64File")) {
        form.addHead(part.getString("key"), part.getString("fileName"), part.optString("contentType")).add(Place.bytesOf(value)).add("\r\n");
      } else {
        form.addHead(part.getString("key"), null, null).add(value + "\r\n");
      }
    }
    return form.end();
  }
}
