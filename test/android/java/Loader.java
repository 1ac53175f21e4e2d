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

/** What WebView makes of an answer to shouldInterceptRequest: Chromium's android_stream_reader_url_loader.cc and input_stream_reader.cc. */
final class Loader {
  private static final Pattern RANGE = Pattern.compile("\\s*bytes\\s*=\\s*(\\d*)\\s*-\\s*(\\d*)\\s*", Pattern.CASE_INSENSITIVE);

  private Loader() {}

  /** @return status, bytes of the body, Content-Length, and Content-Range where there is one; or an error of Chromium */
  static String load(ServiceWorkerClient server, WebResourceRequest request) throws IOException {
    WebResourceResponse response = server.shouldInterceptRequest(request);
    if (response == null) {
      return "NETWORK";
    }
    try (InputStream stream = response.data) {
      String range = range(request.getRequestHeaders());
      Matcher one = RANGE.matcher(range);
      boolean isOne = one.matches() && !(one.group(1) + one.group(2)).isEmpty();
      if (!isOne && !range.isEmpty() && range.indexOf(',') < 0) {
        return "ERR_REQUEST_RANGE_NOT_SATISFIABLE";
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
        return "ERR_FAILED";
      }
      for (long left = first; left > 0; ) {
        long skipped = stream.skip(left);
        if (skipped <= 0) {
          return "ERR_FAILED";
        }
        left -= skipped;
      }
      // To the end of the stream, whatever the range is.
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      Files.copy(stream, body);
      String served = response.headers.get("Content-Range");
      return response.status + ", " + body.size() + " of " + (last - first + 1) + (served == null ? "" : ", " + served);
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
