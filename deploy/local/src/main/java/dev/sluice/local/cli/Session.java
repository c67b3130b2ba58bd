package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.flink.FlinkHomeException;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.ConsoleProgress;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Repository;
import java.nio.file.Path;
import java.time.InstantSource;

/** What the environment of a command says. */
final class Session {

  /** The image that the examples start with. */
  private static final String EXAMPLES = "flink:2.2";

  private Session() {}

  static ClusterConfig config() {
    return ClusterConfig.of(
        System.getenv(),
        Path.of(System.getProperty("user.home", "")),
        CacheDirectory.ofThisUser(),
        Repository.root());
  }

  static LocalCluster cluster() {
    return LocalCluster.of(config(), progress());
  }

  /** On a terminal it moves. */
  static Progress progress() {
    return new ConsoleProgress(System.out, isTerminal(), InstantSource.system());
  }

  /**
   * Makes the Flink of the examples ready: at once when it is in the cache.
   *
   * @throws FlinkHomeException when it cannot be had
   */
  static void prepareFlink() {
    new FlinkImages(CacheDirectory.ofThisUser(), progress()).prepare(EXAMPLES);
  }

  /** Whether standard output is a terminal: the launcher knows. */
  static boolean isTerminal() {
    return "1".equals(System.getenv("SLUICE_TERMINAL"));
  }
}
