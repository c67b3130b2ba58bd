package dev.sluice.activities.flink;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An upload of which Flink has got half of the jar. It is closed as the connection of a process
 * that is killed.
 */
public final class HalfUpload implements AutoCloseable {

  private final Socket connection;

  private HalfUpload(Socket connection) {
    this.connection = connection;
  }

  /** Sends the first half of a jar under a name, and goes no further. */
  public static HalfUpload begin(Endpoint cluster, Path jar, String name) {
    try {
      byte[] bytes = Files.readAllBytes(jar);
      Socket connection = new Socket(InetAddress.getLoopbackAddress(), cluster.port());
      OutputStream out = connection.getOutputStream();
      out.write(head(bytes.length, name).getBytes(StandardCharsets.US_ASCII));
      out.write(Arrays.copyOf(bytes, bytes.length / 2));
      out.flush();
      return new HalfUpload(connection);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String head(int length, String name) {
    String part =
        "--b\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\nContent-Type: application/java-archive\r\n\r\n"
            .formatted(name);
    return "POST /jars/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(part.length() + length + "\r\n--b--\r\n".length(), part);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
