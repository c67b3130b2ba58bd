package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As docs/local-cluster.md says. */
class PackagesTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/sluice/local");
  private static final List<String> ORDER =
      List.of("parts", "os", "jvm", "node", "flink", "cluster", "demo", "cli");
  private static final Pattern USED = Pattern.compile("dev\\.sluice\\.local\\.([a-z]+)\\.");

  @ParameterizedTest
  @ValueSource(strings = {"os", "jvm", "node", "flink", "cluster", "demo", "cli"})
  void aPackageUsesOnlyThoseBeforeIt(String name) throws IOException {
    List<String> allowed = ORDER.subList(0, ORDER.indexOf(name) + 1);
    try (Stream<Path> files = Files.walk(SOURCES.resolve(name))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        assertThat(USED.matcher(Files.readString(file)).results().map(it -> it.group(1)))
            .as(file.toString())
            .isSubsetOf(allowed);
      }
    }
  }

  @Test
  void everyPackageHasItsPlace() throws IOException {
    try (Stream<Path> packages = Files.list(SOURCES)) {
      assertThat(packages.map(it -> it.getFileName().toString())).isSubsetOf(ORDER);
    }
  }
}
