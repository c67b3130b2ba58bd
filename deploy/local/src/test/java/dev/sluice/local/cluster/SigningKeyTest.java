package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningKeyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000000000000000000000000000000000000000000000000000000000007",
        "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "fffffffe00000000000000000000000000000000000000000000000000000001"
      })
  void holdsTheNumberInExactly32Bytes(String number) throws GeneralSecurityException {
    String pem = SigningKey.pem(key(new BigInteger(number, 16)));

    assertThat(HexFormat.of().formatHex(der(pem)))
        .isEqualTo("30310201010420" + number + "a00a06082a8648ce3d030107");
  }

  @Test
  void isAnotherOneEachTime() {
    assertThat(SigningKey.generate()).isNotEqualTo(SigningKey.generate());
  }

  private static byte[] der(String pem) {
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
  }

  private static ECPrivateKey key(BigInteger number) throws GeneralSecurityException {
    AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    ECPrivateKeySpec spec =
        new ECPrivateKeySpec(number, curve.getParameterSpec(ECParameterSpec.class));
    return (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(spec);
  }
}
