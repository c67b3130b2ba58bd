package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

  @TempDir Path home;

  @BeforeEach
  void writeFiles() throws IOException {
    new Credentials(TestConfigs.in(home)).writeFiles();
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

    Config config = kubeconfig(home.resolve("credentials/node.kubeconfig"));
    assertThat(config.getUsers().get(0).getUser().getToken()).isEqualTo(node);
    assertThat(config.getClusters().get(0).getCluster().getServer())
        .isEqualTo("https://127.0.0.1:21900");
    assertThat(home.resolve("kubeconfig")).content().doesNotContain(node);
  }

  @ParameterizedTest
  @ValueSource(strings = {"my: home", "home #2", "- home", "it's \"home\""})
  void writeKubeconfigsThatReadWhateverTheHomeIsCalled(String name) throws IOException {
    ClusterConfig odd = TestConfigs.in(Files.createDirectory(home.resolve(name)));

    new Credentials(odd).writeFiles();

    assertThat(kubeconfig(odd.kubeconfig()).getClusters().get(0).getCluster())
        .extracting(Cluster::getCertificateAuthority)
        .isEqualTo(home.resolve(name) + "/certificates/apiserver.crt");
  }

  private static Config kubeconfig(Path file) throws IOException {
    return Serialization.unmarshal(Files.readString(file), Config.class);
  }

  @Test
  void forgetACertificateThatEndsSoon() throws IOException {
    Credentials credentials = new Credentials(TestConfigs.in(home));
    Files.createDirectories(credentials.certificates());
    Files.writeString(credentials.certificate(), "");
    Path key = Files.writeString(credentials.certificates().resolve("apiserver.key"), "");

    credentials.removeOldCertificate(Instant.now().plus(Duration.ofDays(300)));
    assertThat(credentials.certificate()).exists();
    assertThat(key).exists();
    credentials.removeOldCertificate(Instant.now().plus(Duration.ofDays(340)));
    assertThat(credentials.certificate()).doesNotExist();
    assertThat(key).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"apiserver.crt", "apiserver.key"})
  void forgetHalfAPairThatAKillHasLeft(String left) throws IOException {
    Credentials credentials = new Credentials(TestConfigs.in(home));
    Files.createDirectories(credentials.certificates());
    Path half = Files.writeString(credentials.certificates().resolve(left), "");

    credentials.removeOldCertificate(Instant.now());

    assertThat(half).doesNotExist();
  }

  private String tokens() throws IOException {
    return Files.readString(home.resolve("credentials/tokens.csv"));
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
