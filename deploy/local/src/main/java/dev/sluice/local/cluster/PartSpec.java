package dev.sluice.local.cluster;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a part is started and how to tell that it is ready.
 *
 * @param command program and arguments
 * @param environment variables set on top of what this process has
 * @param ports on 127.0.0.1 that it listens on and that must be free before it starts
 * @param readyUrl answers 200 once it is ready
 */
record PartSpec(
    PartName name,
    List<String> command,
    Map<String, String> environment,
    List<Integer> ports,
    String readyUrl) {

  PartSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    ports = List.copyOf(ports);
  }

  /** Changes when the part would be started differently. */
  String fingerprint() {
    String text = command + "\n" + new TreeMap<>(environment);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
