package dev.sluice.activities.artifact;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A jar with a manifest alone, the same bytes each time. */
final class EmptyJar {

  private static final LocalDateTime ANY_TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

  private EmptyJar() {}

  static byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream jar = new ZipOutputStream(bytes)) {
      ZipEntry manifest = new ZipEntry(JarFile.MANIFEST_NAME);
      manifest.setTimeLocal(ANY_TIME);
      jar.putNextEntry(manifest);
      jar.write("Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    return bytes.toByteArray();
  }
}
