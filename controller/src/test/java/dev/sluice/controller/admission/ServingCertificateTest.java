package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServingCertificateTest {

  private final Authority authority = new Authority();
  @TempDir private Path folder;
  private Path key;

  @BeforeEach
  void name() {
    key = folder.resolve("tls.key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void keys_of_all_usual_kinds_are_read(String algorithm) throws Exception {
    KeyPair pair = Authority.pair(algorithm);
    Files.writeString(key, Authority.pem(pair.getPrivate()));

    ServingCertificate read = ServingCertificate.read(authority.chain(5, pair), key);

    assertThat(Duration.between(Instant.now(), read.expires())).isBetween(days(4), days(5));
  }

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }

  @Test
  void the_key_of_another_certificate_is_refused() throws Exception {
    Files.writeString(key, Authority.pem(Authority.pair("EC").getPrivate()));

    assertThatThrownBy(() -> ServingCertificate.read(authority.chain(5, Authority.pair("EC")), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("is not the certificate of the key in " + key);
  }

  /** What cert-manager writes unless it is told otherwise. */
  @Test
  void a_key_of_PKCS_1_is_refused_with_what_is_needed() throws Exception {
    KeyPair pair = Authority.pair("RSA");
    Files.writeString(
        key, Authority.pem(pair.getPrivate()).replace("PRIVATE KEY", "RSA PRIVATE KEY"));

    assertThatThrownBy(() -> ServingCertificate.read(authority.chain(5, pair), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PKCS #8")
        .hasMessageContaining(key.toString());
  }

  @Test
  void a_key_that_is_not_there_is_named() throws Exception {
    KeyPair pair = Authority.pair("EC");

    assertThatThrownBy(() -> ServingCertificate.read(authority.chain(5, pair), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key.toString());
  }
}
