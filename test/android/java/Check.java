package appbuild.shell;

import java.util.Objects;

/** Counts expected values. The last line of a program's output contains the totals. */
final class Check {
  private static int passed;
  private static int failed;

  private Check() {}

  static void is(Object actual, Object expected) {
    if (Objects.equals(actual, expected)) {
      passed++;
    } else {
      failed++;
      StackTraceElement place = new Throwable().getStackTrace()[1];
      System.out.println(place.getFileName() + ":" + place.getLineNumber() + ": " + actual + " is not " + expected);
    }
  }

  static void end() {
    System.out.println(passed + " passed, " + failed + " failed");
  }
}
