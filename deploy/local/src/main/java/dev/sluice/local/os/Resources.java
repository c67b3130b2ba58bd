package dev.sluice.local.os;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Files that come with a class, in its package. */
public final class Resources {
  private Resources() {}

  /** The content of one; a build without it is broken. */
  public static byte[] bytes(Class<?> near, String name) throws IOException {
    try (InputStream in = near.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in this build");
      }
      return in.readAllBytes();
    }
  }

  public static String text(Class<?> near, String name) throws IOException {
    return new String(bytes(near, name), StandardCharsets.UTF_8);
  }
}
