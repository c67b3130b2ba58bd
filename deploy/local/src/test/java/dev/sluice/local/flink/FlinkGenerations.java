package dev.sluice.local.flink;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A session cluster of each generation of Flink: started for the first test class that registers
 * this, stopped after the last test.
 */
final class FlinkGenerations implements BeforeAllCallback {

  private @Nullable Clusters clusters;

  private record Clusters(SessionCluster older, SessionCluster newer) implements AutoCloseable {

    static Clusters start() {
      try {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "flink-");
        SessionCluster older = SessionCluster.start("flink:1.20", folder.resolve("older"));
        SessionCluster newer = SessionCluster.start("flink:2.2", folder.resolve("newer"));
        older.awaitReady();
        newer.awaitReady();
        return new Clusters(older, newer);
      } catch (Exception e) {
        throw new IllegalStateException("Flink did not start", e);
      }
    }

    @Override
    public void close() {
      older.close();
      newer.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    clusters =
        context
            .getRoot()
            .getStore(Namespace.create(FlinkGenerations.class))
            .computeIfAbsent(Clusters.class, key -> Clusters.start(), Clusters.class);
  }

  /**
   * @param version 1.20 or 2.2
   */
  SessionCluster of(String version) {
    Clusters started = requireNonNull(clusters);
    return version.equals("1.20") ? started.older() : started.newer();
  }
}
