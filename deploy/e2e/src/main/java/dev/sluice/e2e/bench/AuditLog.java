package dev.sluice.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.cluster.ClusterException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The API server's audit log, read from where one stands. */
final class AuditLog {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  AuditLog(Path file) {
    this.file = file;
  }

  /**
   * The position after the last call, in bytes.
   *
   * @throws ClusterException when there is no such log
   */
  long end() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new ClusterException(
          "there is no audit log " + file + ": './sluice up' restarts the API server with one", e);
    }
  }

  /** The calls after a position. */
  CallCount since(long position) {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      // a shorter file is a new one: the API server began it when the old one was full
      long from = position <= log.length() ? position : 0;
      byte[] bytes = new byte[Math.toIntExact(log.length() - from)];
      log.seek(from);
      log.readFully(bytes);
      return count(new String(bytes, StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** The calls in these lines; the last one may be only half written, and does not count yet. */
  static CallCount count(List<String> lines) {
    return new CallCount(lines.stream().flatMap(line -> call(line).stream()).toList());
  }

  private static Optional<ApiCall> call(String line) {
    try {
      return ApiCall.of(JSON.readTree(line));
    } catch (JsonProcessingException halfWritten) {
      return Optional.empty();
    }
  }
}
