package appbuild.shell;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends after a number of bytes of another stream. */
final class Part extends FilterInputStream {
  /** Bytes left to read. */
  private long left;

  Part(InputStream content, long size) {
    super(content);
    left = size;
  }

  @Override
  public int read() throws IOException {
    int next = left > 0 ? in.read() : -1;
    left -= next < 0 ? 0 : 1;
    return next;
  }

  @Override
  public int read(byte[] into, int start, int count) throws IOException {
    int length = left > 0 ? in.read(into, start, (int) Math.min(count, left)) : -1;
    left -= Math.max(0, length);
    return length;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = in.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), left);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
