package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {

  @TempDir Path home;

  @BeforeEach
  void lay() throws IOException {
    new Credentials(TestConfigs.in(home)).lay();
  }

  @Test
  void areReadableByTheirOwnerOnly() throws IOException {
    try (Stream<Path> files = Files.walk(home.resolve("credentials"))) {
      assertThat(files.filter(Files::isRegularFile))
          .hasSizeGreaterThan(5)
          .allSatisfy(file -> assertThat(rights(file)).isEqualTo("rw-------"));
    }
    assertThat(rights(home.resolve("credentials"))).isEqualTo("rwx------");
    assertThat(rights(home.resolve("kubeconfig"))).isEqualTo("rw-------");
  }

  @Test
  void stayWhatTheyAre() throws IOException {
    String before = tokens();

    lay();

    assertThat(tokens()).isEqualTo(before);
  }

  @Test
  void giveEveryPartATokenOfItsOwn() throws IOException {
    List<String> tokens = tokens().lines().map(line -> line.split(",", -1)[0]).toList();

    assertThat(tokens).hasSize(3).doesNotHaveDuplicates().allMatch(token -> token.length() == 64);
  }

  @Test
  void makeOnlyTheAdministratorAMaster() throws IOException {
    assertThat(tokens().lines().filter(line -> line.contains("system:masters")))
        .singleElement()
        .asString()
        .contains(",admin,");
  }

  @Test
  void writeKubeconfigsWithTheirOwnToken() throws IOException {
    String node = Files.readString(home.resolve("credentials/node.token"));

    assertThat(home.resolve("credentials/node.kubeconfig"))
        .content()
        .contains("token: " + node, "server: https://127.0.0.1:21900");
    assertThat(home.resolve("kubeconfig")).content().doesNotContain(node);
  }

  private String tokens() throws IOException {
    return Files.readString(home.resolve("credentials/tokens.csv"));
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
