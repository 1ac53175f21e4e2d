package appbuild.shell;

import android.webkit.ServiceWorkerClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Handles answers to shouldInterceptRequest like WebView: Chromium's android_stream_reader_url_loader.cc and input_stream_reader.cc. */
final class Loader {
  private static final Pattern RANGE = Pattern.compile("\\s*bytes\\s*=\\s*(\\d*)\\s*-\\s*(\\d*)\\s*", Pattern.CASE_INSENSITIVE);

  private Loader() {}

  /** @return the status, the number of bytes in the body, and Content-Range if present; or a Chromium error */
  static String load(ServiceWorkerClient server, WebResourceRequest request) {
    WebResourceResponse response = server.shouldInterceptRequest(request);
    try {
      int size = bodyOf(response, request.getRequestHeaders()).length;
      String served = response.headers.get("Content-Range");
      return response.status + ", " + size + (served == null ? "" : ", " + served);
    } catch (IOException error) {
      return error.getMessage();
    }
  }

  /**
   * Reads the body that a page gets, and closes the response.
   * @param headers headers of the request
   * @throws IOException with a Chromium error, or if the size differs from Content-Length, which Chromium creates
   */
  static byte[] bodyOf(WebResourceResponse response, Map<String, String> headers) throws IOException {
    try (InputStream stream = response.data) {
      String range = range(headers);
      Matcher one = RANGE.matcher(range);
      boolean isOne = one.matches() && !(one.group(1) + one.group(2)).isEmpty();
      if (!isOne && !range.isEmpty() && range.indexOf(',') < 0) {
        throw new IOException("ERR_REQUEST_RANGE_NOT_SATISFIABLE");
      }
      long size = stream.available();
      long first = 0;
      long last = size - 1;
      if (isOne && one.group(1).isEmpty()) {
        first = Math.max(0, size - Long.parseLong(one.group(2)));
      } else if (isOne) {
        first = Long.parseLong(one.group(1));
        last = one.group(2).isEmpty() ? last : Math.min(last, Long.parseLong(one.group(2)));
      }
      if (isOne && (first >= size || first > last)) {
        throw new IOException("ERR_FAILED");
      }
      for (long left = first; left > 0; ) {
        long skipped = stream.skip(left);
        if (skipped <= 0) {
          throw new IOException("ERR_FAILED");
        }
        left -= skipped;
      }
      // Reads to the end of the stream, whatever the range is.
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      Files.copy(stream, body);
      if (body.size() != last - first + 1) {
        throw new IOException(body.size() + " bytes for " + range + " of " + size);
      }
      return body.toByteArray();
    }
  }

  private static String range(Map<String, String> headers) {
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (header.getKey().toLowerCase(Locale.ROOT).equals("range")) {
        return header.getValue();
      }
    }
    return "";
  }
}
