package appbuild.shell;

import java.io.IOException;
import java.io.InputStream;

/** Files outside the package that pages load with URLs of the app's own origin. Apps without plugins use this class, which has none. */
class OwnFiles {
  /** Content of a file, with its MIME type and its size. */
  static final class Content {
    final InputStream stream;
    final String type;
    /** Size in bytes. Negative if it isn't known. */
    final long size;

    Content(InputStream stream, String type, long size) {
      this.stream = stream;
      this.type = type;
      this.size = size;
    }
  }

  /** Opens a file. @return null for any URL of another file, including the package's */
  Content open(String url) throws IOException {
    return null;
  }

  /** Returns the path under www for a URL. @param path decoded path of the URL; may be null */
  String assetPath(String path) {
    return path;
  }
}
