package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void anErrorAtTheStartEndsTheProcess(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Incomplete.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).isEqualTo(ExitCode.INTERNAL.number());
    assertThat(log).content().contains("could not start", "example/Missing");
  }
}
