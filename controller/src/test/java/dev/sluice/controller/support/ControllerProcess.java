package dev.sluice.controller.support;

import dev.sluice.controller.ControllerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The controller as the process that it is, with Temporal away. What it says is in a file. */
public final class ControllerProcess implements AutoCloseable {

  /** How long a JVM of its own may take to start where two cores have other tests to run. */
  public static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Process process;
  private final Path log;

  private ControllerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param folder for what it says
   * @param settings variables, beside those of this process
   */
  public static ControllerProcess start(Path folder, Map<String, String> settings)
      throws IOException {
    Path log = Files.createTempFile(folder, "controller", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ControllerMain.class.getName()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("SLUICE_HTTP_PORT", "0");
    builder.environment().put("TEMPORAL_ADDRESS", "127.0.0.1:1");
    builder.environment().putAll(settings);
    return new ControllerProcess(builder.start(), log);
  }

  /** Asks it to stop, as Kubernetes does. */
  public void terminate() {
    process.destroy();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its end. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the controller does not end; it said: " + said());
    }
    return process.exitValue();
  }

  /** All that it has said. */
  public String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
