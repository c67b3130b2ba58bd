package dev.sluice.e2e.cluster;

import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Repository;
import dev.sluice.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line {@code ./sluice} of one cluster, as a person types it in the repository. */
public final class Launcher {

  private static final Duration PATIENCE = Patience.times(3);

  /** So that commands work as on pages that are not about the laptop. */
  private static final String SHORTHANDS =
      """
      kubectl() { ./sluice kubectl "$@"; }
      temporal() { ./sluice temporal "$@"; }
      """;

  private final Path home;
  private final int portBase;

  private Launcher(Path home, int portBase) {
    this.home = home;
    this.portBase = portBase;
  }

  /** For the cluster that the tests share. */
  public static Launcher of(TestCluster cluster) {
    return new Launcher(cluster.home(), cluster.local().config().ports().base());
  }

  /** For a cluster of its own, which need not exist yet. */
  public static Launcher alone(Path home) {
    return new Launcher(home.toAbsolutePath().normalize(), FreePorts.base(1));
  }

  /**
   * What a command came to.
   *
   * @param exitCode 0 when it went well
   * @param out what it printed
   * @param err what it complained of
   */
  public record Outcome(int exitCode, String out, String err) {}

  /** Runs a line of bash until it ends. */
  public Outcome run(String command) {
    try (Running running = start(command)) {
      if (!running.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("'%s' does not end: %s".formatted(command, running.said()));
      }
      return new Outcome(running.process().exitValue(), running.text("out"), running.text("err"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Running start(String command) {
    try {
      Path said = Files.createTempDirectory("sluice-command");
      ProcessBuilder builder =
          new ProcessBuilder("bash", "-c", SHORTHANDS + command)
              .directory(Repository.root().toFile())
              // files, because what a command leaves running keeps a pipe open
              .redirectOutput(said.resolve("out").toFile())
              .redirectError(said.resolve("err").toFile());
      builder.environment().put("SLUICE_HOME", home.toString());
      builder.environment().put("SLUICE_PORT_BASE", Integer.toString(portBase));
      builder.environment().put("SLUICE_BUILD", "never");
      Process process = builder.start();
      process.getOutputStream().close();
      return new Running(process, said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Running(Process process, Path folder) implements AutoCloseable {

    String text(String stream) {
      try {
        return Files.readString(folder.resolve(stream));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String said() {
      return text("out") + text("err");
    }

    /** Ends what has not ended, and all that it started; forgets what it said. */
    @Override
    public void close() {
      List<ProcessHandle> all = process.descendants().toList();
      if (process.isAlive()) {
        all.forEach(ProcessHandle::destroy);
        process.destroy();
      }
      try {
        Trees.delete(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
