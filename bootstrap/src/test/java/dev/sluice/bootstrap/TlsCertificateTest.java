package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testing.Authority;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsCertificateTest {

  private final Authority authority = new Authority();

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void keys_of_all_usual_kinds_are_read(String algorithm) throws Exception {
    KeyPair pair = Authority.pair(algorithm);

    TlsCertificate read =
        TlsCertificate.read(authority.chain(5, pair), Authority.pem(pair.getPrivate()));

    assertThat(Duration.between(Instant.now(), read.expires())).isBetween(days(4), days(5));
  }

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }

  @Test
  void the_key_of_another_certificate_is_refused() throws Exception {
    String other = Authority.pem(Authority.pair("EC").getPrivate());

    assertThatThrownBy(() -> TlsCertificate.read(authority.chain(5, Authority.pair("EC")), other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the key is that of another certificate");
  }

  /** What cert-manager writes unless it is told otherwise. */
  @Test
  void a_key_of_PKCS_1_is_refused_with_what_is_needed() throws Exception {
    KeyPair pair = Authority.pair("RSA");
    String key = Authority.pem(pair.getPrivate()).replace("PRIVATE KEY", "RSA PRIVATE KEY");

    assertThatThrownBy(() -> TlsCertificate.read(authority.chain(5, pair), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PKCS #8");
  }

  @Test
  void an_authority_that_is_no_certificate_is_refused() {
    assertThatThrownBy(() -> TlsCertificate.trust("nothing"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("is no certificate of an authority: ");
  }
}
