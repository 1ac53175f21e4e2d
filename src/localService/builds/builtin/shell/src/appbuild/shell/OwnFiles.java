package appbuild.shell;

import java.io.IOException;
import java.io.InputStream;

/** Files beside those of the package, which pages load by URLs of the app's own origin. An app without plugins has none. */
class OwnFiles {
  /** The content of a file. */
  static final class Content {
    final InputStream stream;
    final String type;
    /** Negative where it isn't known. */
    final long size;

    Content(InputStream stream, String type, long size) {
      this.stream = stream;
      this.type = type;
      this.size = size;
    }
  }

  /** @return null where the URL names a file of the package, or none */
  Content open(String url) throws IOException {
    return null;
  }

  /** The path of a page, or of a file that it loads, below www. @param path of a URL, decoded; may be null */
  String assetPath(String path) {
    return path;
  }
}
