package dev.sluice.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of the image, run as far as possible as Kubernetes runs it. */
final class Container implements AutoCloseable {

  /** How long a JVM of its own may take to start where two cores have other tests to run. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Pattern HEALTH = Pattern.compile("(?i)health on \\S+:(\\d+)");
  private static final Duration CALL = Duration.ofSeconds(5);

  private final Process process;
  private final Path log;

  private Container(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param tmp its {@code /tmp}
   * @param variables beside those of the image
   */
  static Container start(
      ImageFile image,
      Isolation isolation,
      Path tmp,
      Map<String, String> variables,
      String... arguments)
      throws IOException {
    Path log = Files.createTempFile(tmp.getParent(), "container", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(isolation.command(image, tmp, arguments))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().putAll(image.environment());
    builder.environment().putAll(variables);
    builder.environment().put("PATH", path);
    return new Container(builder.start(), log);
  }

  /** What it answers at a path of its health port; 0 while it does not. */
  int answers(String path) {
    Matcher port = HEALTH.matcher(said());
    if (!port.find()) {
      return 0;
    }
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + path))
              .timeout(CALL)
              .build();
      return HttpClient.newHttpClient()
          .send(request, HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException notYet) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /**
   * What the kernel says of it.
   *
   * @param topic {@code status} or {@code maps}
   */
  String kernelSays(String topic) throws IOException {
    return Files.readString(Path.of("/proc", Long.toString(process.pid()), topic));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to stop, as Kubernetes does. */
  void terminate() {
    process.destroy();
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end; it said: " + said());
    }
    return process.exitValue();
  }

  /** All that it has said. */
  String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
