package dev.sluice.local.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What a cluster was started with, kept in its home, so that later commands find it without the
 * variables being set again. The file also marks the folder as a cluster's: only such a one is ever
 * deleted.
 */
final class SavedSettings {

  private static final String FILE = "cluster.properties";

  private SavedSettings() {}

  static boolean existIn(Path home) {
    return Files.isRegularFile(home.resolve(FILE));
  }

  /** Empty when there is no cluster. */
  static Properties read(Path home) {
    Properties settings = new Properties();
    if (existIn(home)) {
      try (Reader reader = Files.newBufferedReader(home.resolve(FILE))) {
        settings.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return settings;
  }

  static void write(ClusterConfig config) throws IOException {
    Files.writeString(
        config.home().resolve(FILE),
        "%s=%d%n%s=%s%n"
            .formatted(
                ClusterConfig.PORT_BASE,
                config.ports().base(),
                ClusterConfig.POD_NETWORK,
                config.podNetwork()));
  }
}
