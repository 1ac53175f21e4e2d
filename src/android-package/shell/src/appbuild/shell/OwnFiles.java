package appbuild.shell;

import java.io.IOException;
import java.io.InputStream;

/** Files in addition to those of the package, which pages load with URLs of the app's own origin. An app without plugins has none. */
class OwnFiles {
  /** The content of a file. */
  static final class Content {
    final InputStream stream;
    final String type;
    /** Negative if it isn't known. */
    final long size;

    Content(InputStream stream, String type, long size) {
      this.stream = stream;
      this.type = type;
      this.size = size;
    }
  }

  /** @return null if the URL names a file of the package or no file */
  Content open(String url) throws IOException {
    return null;
  }

  /** Returns the path of a page or of a file that it loads, under www. @param path decoded path of a URL; may be null */
  String assetPath(String path) {
    return path;
  }
}
