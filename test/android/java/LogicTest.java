package appbuild.shell;

/** Tests the parts of the shell that use no Android APIs: {@link Files} and {@link Urls}. */
public final class LogicTest {
  public static void main(String[] args) {
    assets();
    types();
    fileNames();
    ranges();
    origins();
    patterns();
    patternsOfCordova();
    longUrls();
    Check.end();
  }

  private static String assets(String path, boolean isPage, String fallback) {
    return Files.assetsOf(path, isPage, fallback).toString();
  }

  private static void assets() {
    Check.is(assets(null, false, ""), "[www/index.html]");
    Check.is(assets("", false, ""), "[www/index.html]");
    Check.is(assets("/", false, ""), "[www/index.html]");
    Check.is(assets("/", true, ""), "[www/index.html]");
    Check.is(assets("/a/", false, ""), "[www/a/index.html]");
    Check.is(assets("/a/b.js", false, ""), "[www/a/b.js]");
    Check.is(assets("/a", true, ""), "[www/a, www/a/index.html, www/a.html]");
    Check.is(assets("/a", false, "index.html"), "[www/a]");
    Check.is(assets("/a/", true, "index.html"), "[www/a/index.html, www/index.html]");
    Check.is(assets(null, true, "x.html"), "[www/index.html, www/x.html]");
    Check.is(assets("//a///b.js", false, ""), "[www/a/b.js]");
    Check.is(assets("//", false, ""), "[www/index.html]");
    Check.is(assets("/a.js", true, "index.html"), "[www/a.js, www/a.js/index.html, www/a.js.html]");
    // These names don't lead out of the folder.
    Check.is(assets("/a..b/..c/.d", false, ""), "[www/a..b/..c/.d]");
    Check.is(assets("/100% + ü.js", false, ""), "[www/100% + ü.js]");
    Check.is(assets("/../shell.json", true, "index.html"), "[]");
    Check.is(assets("/a/../b", false, ""), "[]");
    Check.is(assets("/a/..", false, ""), "[]");
    Check.is(assets("/a\0.js", false, ""), "[]");
  }

  private static void types() {
    Check.is(Files.typeOf("www/a.MJS"), "text/javascript");
    Check.is(Files.typeOf("www/a.unknown"), null);
    Check.is(Files.typeOf("noext"), null);
    Check.is(Files.typeOf("www/a.js/b"), null);
    Check.is(Files.typeOf("x.wasm"), "application/wasm");
    Check.is(Files.typeOf("x.pdf"), "application/pdf");
    Check.is(Files.extensionOf("www/a.b/LICENSE"), "");
    Check.is(Files.extensionOf("a.tar.GZ"), "gz");
  }

  private static void fileNames() {
    StringBuilder stars = new StringBuilder();
    for (int index = 0; index < 100; index++) {
      stars.append("\ud83d\ude00");
    }
    String[][] names = {
      {"report.pdf", "application/pdf", "report.pdf"},
      {"report", "application/pdf", "report.pdf"},
      {"report", "application/x-unknown", "report"},
      {"report.v2", "text/plain", "report.v2"},
      {"../../etc/passwd.txt", "", "passwd.txt"},
      {"..\\..\\x.txt", "", "_.._x.txt"},
      {"..", "text/html", "download.html"},
      {".htaccess", "", "htaccess"},
      {" . a.txt . ", "", "a.txt"},
      {"a\0b\n?.txt", "", "a_b__.txt"},
      {"日本 ü.png", "", "日本 ü.png"},
      {"", "image/png", "download.png"},
      {null, "application/x-unknown", "download"},
      {stars + ".xy", "", "_" + stars.substring(0, 76) + ".xy"},
    };
    for (String[] each : names) {
      Check.is(Files.fileName(each[0], each[1]), each[2]);
    }
  }

  private static void ranges() {
    Check.is(Files.contentRange("bytes=0-", 10), "bytes 0-9/10");
    Check.is(Files.contentRange("bytes=2-3", 10), "bytes 2-3/10");
    Check.is(Files.contentRange("bytes=-4", 10), "bytes 6-9/10");
    Check.is(Files.contentRange("bytes=-40", 10), "bytes 0-9/10");
    Check.is(Files.contentRange("bytes=5-100", 10), "bytes 5-9/10");
    Check.is(Files.contentRange("bytes=0-9007199254740991", 10), "bytes 0-9/10");
    Check.is(Files.contentRange("bytes=10-", 10), null);
    Check.is(Files.contentRange("bytes=0-1,3-4", 10), null);
    Check.is(Files.contentRange("bytes=-", 10), null);
    Check.is(Files.contentRange(null, 10), null);
    Check.is(Files.contentRange("bytes=3-2", 10), null);
    Check.is(Files.contentRange("bytes=-0", 10), null);
    Check.is(Files.contentRange("bytes=0-", 0), null);
    Check.is(Files.contentRange("bytes=9999999999999999999-", 10), null);
    Check.is(Files.contentRange("items=0-1", 10), null);
    Check.is(Files.contentRange(" BYTES = 2 - 3 ", 10), "bytes 2-3/10");
    Check.is(Files.endOfRange("bytes 2-3/10"), 4L);
  }

  private static void origins() {
    Check.is(Urls.originOf("https://localhost/a?b#c"), "https://localhost");
    Check.is(Urls.originOf("https://localhost"), "https://localhost");
    Check.is(Urls.originOf("https://localhost?a"), "https://localhost");
    Check.is(Urls.originOf("https://localhost#a"), "https://localhost");
    Check.is(Urls.originOf("HTTP://Example.COM:8080/A"), "http://example.com:8080");
    Check.is(Urls.originOf("https://localhost@evil.org/"), "https://localhost@evil.org");
    Check.is(Urls.originOf("https://localhost.evil.org/"), "https://localhost.evil.org");
    Check.is(Urls.originOf("https://localhost\\@evil.org/"), "https://localhost");
    Check.is(Urls.originOf("https:localhost/"), null);
    Check.is(Urls.originOf("ftp://localhost/"), null);
    Check.is(Urls.originOf("about:blank"), null);
    Check.is(Urls.originOf("blob:https://localhost/1"), null);
    Check.is(Urls.originOf("index.html"), null);
    Check.is(Urls.originOf(""), null);
    Check.is(Urls.originOf(null), null);
  }

  private static void patterns() {
    Check.is(Urls.matches("*", "https://x.de/"), true);
    Check.is(Urls.matches("*", "tel:1"), false);
    Check.is(Urls.matches("tel:*", "tel:123"), true);
    Check.is(Urls.matches("tel:*", "sms:1"), false);
    Check.is(Urls.matches("tel:+49*", "tel:+4930"), true);
    Check.is(Urls.matches("tel:110", "tel:1100"), false);
    Check.is(Urls.matches("https://example.com", "https://example.com/a?b"), true);
    Check.is(Urls.matches("https://example.com/*", "https://example.com"), true);
    Check.is(Urls.matches("https://example.com/*", "https://example.com.evil.org/"), false);
    Check.is(Urls.matches("https://example.com/*", "https://example.com@evil.org/"), false);
    Check.is(Urls.matches("https://example.com/*", "https://example.com:1@evil.org/"), false);
    Check.is(Urls.matches("https://example.com/*", "https://example.com\\.evil.org/"), true);
    Check.is(Urls.matches("https://*.example.com/*", "https://a.b.example.com/x"), true);
    Check.is(Urls.matches("https://*.example.com/*", "https://example.com/x"), true);
    Check.is(Urls.matches("https://*.example.com/*", "https://evilexample.com/x"), false);
    Check.is(Urls.matches("https://*.example.com/*", "https://evil.org/a.example.com/"), false);
    Check.is(Urls.matches("https://*.example.com/*", "https://evil.org?a.example.com/"), false);
    Check.is(Urls.matches("https://*.example.com/*", "https://evil.org#a.example.com"), false);
    Check.is(Urls.matches("http://*/*", "http://any:8080/x"), true);
    Check.is(Urls.matches("http://*/*", "https://any/x"), false);
    Check.is(Urls.matches("*://*.x.de/*", "http://a.x.de/"), true);
    Check.is(Urls.matches("*://*.x.de/*", "ftp://a.x.de/"), false);
    Check.is(Urls.matches("https://e.com:8443/*", "https://e.com:8443/"), true);
    Check.is(Urls.matches("https://e.com:8443/*", "https://e.com/"), false);
    Check.is(Urls.matches("https://e.com:*/*", "https://e.com:1/"), true);
    Check.is(Urls.matches("https://[::1]/*", "https://[::1]:8080/a"), true);
    Check.is(Urls.matches("https://[::1]/*", "https://[::2]/a"), false);
    Check.is(Urls.matches("https://e.com/a/*", "https://e.com/a/b"), true);
    Check.is(Urls.matches("https://e.com/a/*", "https://e.com/b"), false);
    Check.is(Urls.matches("HTTPS://E.com/*", "https://e.COM/"), true);
    Check.is(Urls.matches("myapp://open/*", "myapp://open/1"), true);
    Check.is(Urls.matches("MyApp:*", "myapp:x"), true);
    Check.is(Urls.matches("", "https://e.com/"), false);
    Check.is(Urls.matches("https://e.com/*", "e.com"), false);
  }

  /**
   * Paths are case-sensitive, queries don't count, and a pattern with only a host matches both
   * schemes.
   */
  private static void patternsOfCordova() {
    Check.is(Urls.matches("https://e.com/A", "https://e.com/a"), false);
    Check.is(Urls.matches("https://e.com/a", "https://e.com/a?b=1#c"), true);
    Check.is(Urls.matches("https://e.com/a?b=*", "https://e.com/a?b=1"), true);
    Check.is(Urls.matches("https://e.com/a", "https://e.com/ab"), false);
    Check.is(Urls.matches("https://e.com/*/b/*.html", "https://e.com/a/b/c.html"), true);
    Check.is(Urls.matches("https://e.com/*/b/*.html", "https://e.com/a/c/d.html"), false);
    Check.is(Urls.matches("https://e.com/*ab*ab", "https://e.com/ab"), false);
    Check.is(Urls.matches("https://e.com/*ab*ab", "https://e.com/abab"), true);
    Check.is(Urls.matches("e.com", "http://e.com/a"), true);
    Check.is(Urls.matches("*.e.com", "https://a.e.com/a"), true);
    Check.is(Urls.matches("e.com/a/*", "https://e.com/b"), false);
  }

  /** A page can request URLs of any length. A backtracking expression would take hours for 4 MB, so the time must be linear. */
  private static void longUrls() {
    StringBuilder url = new StringBuilder("https://e.com/");
    for (int index = 0; index < 2000000; index++) {
      url.append("ab");
    }
    Check.is(Urls.matches("https://e.com/*a*a*a*a*a*a*a*a*c", url.toString()), false);
    Check.is(Urls.matches("https://e.com/*a*a*a*a*a*a*a*a*b", url.toString()), true);
    Check.is(Urls.originOf(url.toString()), "https://e.com");
  }
}
