package dev.sluice.local.jvm;

import dev.sluice.local.os.Trees;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * An installed Java.
 *
 * @param home its folder, as in {@code JAVA_HOME}
 * @param version with the build: a class archive fits one build only
 */
public record Java(Path home, Runtime.Version version) {

  public static Java current() {
    return new Java(Path.of(System.getProperty("java.home")), Runtime.version());
  }

  /** The newest one that is installed in the same folder as {@link #current}. */
  public static Java newest() {
    return newest(current());
  }

  static Java newest(Java current) {
    return in(Trees.folder(current.home()))
        .reduce(current, (best, it) -> it.version().compareTo(best.version()) > 0 ? it : best);
  }

  /**
   * The one in a folder.
   *
   * @return empty when there is none
   */
  public static Optional<Java> at(Path home) {
    Path release = home.resolve("release");
    if (!Files.isRegularFile(release) || !Files.isExecutable(executable(home))) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(release)) {
      properties.load(reader);
      String version = properties.getProperty("JAVA_RUNTIME_VERSION", "").replace("\"", "");
      return Optional.of(new Java(home, Runtime.Version.parse(version)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  public Path executable() {
    return executable(home);
  }

  private static Path executable(Path home) {
    return home.resolve("bin").resolve("java");
  }

  private static Stream<Java> in(Path folder) {
    try {
      return Trees.list(folder, "*").stream().flatMap(it -> at(it).stream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
