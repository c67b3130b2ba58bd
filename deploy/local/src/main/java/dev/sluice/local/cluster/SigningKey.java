package dev.sluice.local.cluster;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A key that signs service-account tokens: elliptic, because making an RSA key takes a second. The
 * API server reads it in the form of RFC 5915 only, which Java does not write; for one curve that
 * is the number between two constants.
 */
final class SigningKey {

  private static final int BYTES = 32;

  /** SEQUENCE of 49 bytes, INTEGER 1, OCTET STRING of 32 bytes. */
  private static final byte[] BEFORE = HexFormat.of().parseHex("30310201010420");

  /** Tag 0 with the object identifier of the curve P-256, 1.2.840.10045.3.1.7. */
  private static final byte[] AFTER = HexFormat.of().parseHex("a00a06082a8648ce3d030107");

  private SigningKey() {}

  /** A new one, as PEM. */
  static String generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return pem((ECPrivateKey) generator.generateKeyPair().getPrivate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has elliptic curves", e);
    }
  }

  static String pem(ECPrivateKey key) {
    byte[] number = key.getS().toByteArray();
    ByteArrayOutputStream der = new ByteArrayOutputStream();
    der.writeBytes(BEFORE);
    // the number may be shorter, or have a zero in front for its sign
    for (int i = number.length; i < BYTES; i++) {
      der.write(0);
    }
    int sign = Math.max(0, number.length - BYTES);
    der.write(number, sign, number.length - sign);
    der.writeBytes(AFTER);
    return "-----BEGIN EC PRIVATE KEY-----\n%s\n-----END EC PRIVATE KEY-----\n"
        .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der.toByteArray()));
  }
}
