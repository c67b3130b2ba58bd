package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process as the operating system sees it. */
class SluiceProcessIT {

  private static final long PATIENCE_SECONDS = 180;

  /** A process whose class path lacks something, when others of its threads run already. */
  static final class Incomplete {
    private Incomplete() {}

    public static void main(String[] arguments) throws InterruptedException {
      SluiceProcess.run(
          (settings, common, environment, lifecycle) -> {
            new Thread(Incomplete::work, "work").start();
            throw new NoClassDefFoundError("example/Missing");
          });
    }

    private static void work() {
      try {
        Thread.currentThread().join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A process whose port is taken. */
  static final class Taken {
    private Taken() {}

    public static void main(String[] arguments) throws InterruptedException {
      SluiceProcess.run(
          (settings, common, environment, lifecycle) -> {
            throw new BindException("Address already in use");
          });
    }
  }

  @Test
  void anErrorAtTheStartEndsTheProcess(@TempDir Path folder) throws Exception {
    assertThat(end(Incomplete.class, folder, ExitCode.INTERNAL))
        .contains("could not start", "example/Missing");
  }

  @Test
  void aPortThatIsTakenIsNamed(@TempDir Path folder) throws Exception {
    assertThat(end(Taken.class, folder, ExitCode.UNAVAILABLE))
        .contains("cannot listen on 127.0.0.1:8080", "SLUICE_HTTP_PORT");
  }

  /** Runs the process until it ends with that code; returns its log. */
  private static String end(Class<?> main, Path folder, ExitCode code) throws Exception {
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(code.number());
    return Files.readString(log);
  }
}
