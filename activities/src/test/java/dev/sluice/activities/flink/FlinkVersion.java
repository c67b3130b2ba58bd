package dev.sluice.activities.flink;

import dev.sluice.local.parts.CacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A Flink that the ITs ask, and where its jars are. */
public enum FlinkVersion {
  V1_20("1.20.5", "1.20.0", "1.20.1"),
  V2_2("2.2.1", "2.1.0", "2.2.0");

  private final String version;
  private final String container;
  private final String kubernetes;

  /** Not every patch release of flink-container and flink-kubernetes was published. */
  FlinkVersion(String version, String container, String kubernetes) {
    this.version = version;
    this.container = container;
    this.kubernetes = kubernetes;
  }

  public String version() {
    return version;
  }

  /** As a resource names it. */
  public dev.sluice.api.common.FlinkVersion api() {
    return dev.sluice.api.common.FlinkVersion.valueOf(name());
  }

  /**
   * The folder of its jars: the one in the user's cache that the laptop cluster runs from, or else
   * one under {@code target}, resolved with the same pom. Needs no network once Maven has them. The
   * tests of one version wait for the first that resolves it.
   */
  synchronized Path lib() {
    Path cached =
        CacheDirectory.ofThisUser().root().resolve("flink").resolve(version).resolve("lib");
    if (isThere(cached)) {
      return cached;
    }
    Path own = Path.of("target", "flink-" + version, "lib").toAbsolutePath();
    if (!isThere(own)) {
      resolve(own);
    }
    return own;
  }

  private boolean isThere(Path lib) {
    return Files.exists(lib.resolve("flink-runtime-" + version + ".jar"));
  }

  private void resolve(Path lib) {
    Path pom =
        Path.of("../deploy/local/src/main/resources/dev/sluice/local/flink/home/pom.xml")
            .toAbsolutePath()
            .normalize();
    Path log = lib.resolveSibling("maven.log");
    Path partial = lib.resolveSibling("partial");
    try {
      Files.createDirectories(lib.getParent());
      Process maven =
          new ProcessBuilder(
                  mvn(),
                  "-B",
                  "-f",
                  pom.toString(),
                  "dependency:copy-dependencies",
                  "-Dflink.version=" + version,
                  "-Dflink.container.version=" + container,
                  "-Dflink.kubernetes.version=" + kubernetes,
                  "-Dhome.lib=" + partial)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!maven.waitFor(10, TimeUnit.MINUTES) || maven.exitValue() != 0) {
        maven.destroyForcibly();
        throw new AssertionError("Maven did not resolve Flink " + version + "; see " + log);
      }
      Files.move(partial, lib);
    } catch (IOException e) {
      throw new AssertionError("cannot run Maven for Flink " + version, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String mvn() {
    return Optional.ofNullable(System.getProperty("maven.home"))
        .map(home -> Path.of(home, "bin", "mvn").toString())
        .orElse("mvn");
  }
}
