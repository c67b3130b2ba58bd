package dev.sluice.local.cluster;

import dev.sluice.local.jvm.Java;
import dev.sluice.local.parts.CacheDirectory;
import java.nio.file.Path;

/** Configurations of clusters that are never started. */
final class TestConfigs {

  private TestConfigs() {}

  static ClusterConfig in(Path home) {
    return new ClusterConfig(
        home,
        new Ports(21_900),
        "127.5.1",
        new CacheDirectory(Path.of("/cache")),
        Path.of("/root"),
        Java.current());
  }
}
