package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
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

  @Test
  void signTokensWithAKeyOfTheirOwnThatTheOtherChecks() throws Exception {
    KeyFactory keys = KeyFactory.getInstance("EC");
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.generatePrivate(new PKCS8EncodedKeySpec(der("service-accounts.key"))));
    signature.update((byte) 7);
    byte[] signed = signature.sign();

    signature.initVerify(keys.generatePublic(new X509EncodedKeySpec(der("service-accounts.pub"))));
    signature.update((byte) 7);
    assertThat(signature.verify(signed)).isTrue();
  }

  @Test
  void forgetACertificateThatEndsSoon() throws IOException {
    Credentials credentials = new Credentials(TestConfigs.in(home));
    Files.createDirectories(credentials.certificates());
    Files.writeString(credentials.certificate(), "");

    credentials.removeOldCertificate(Instant.now().plus(Duration.ofDays(300)));
    assertThat(credentials.certificate()).exists();
    credentials.removeOldCertificate(Instant.now().plus(Duration.ofDays(340)));
    assertThat(credentials.certificate()).doesNotExist();
  }

  private byte[] der(String file) throws IOException {
    String pem = Files.readString(home.resolve("credentials").resolve(file));
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
  }

  private String tokens() throws IOException {
    return Files.readString(home.resolve("credentials/tokens.csv"));
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
