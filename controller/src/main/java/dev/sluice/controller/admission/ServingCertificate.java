package dev.sluice.controller.admission;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * By what the API server knows the webhook.
 *
 * @param context that shows the certificate to clients
 * @param expires when the certificate does
 */
record ServingCertificate(SSLContext context, Instant expires) {

  /** Protects nothing: the store is in memory only. */
  private static final char[] IN_MEMORY = "sluice".toCharArray();

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /**
   * Reads one.
   *
   * @param chain PEM, that of the webhook first
   * @param keyFile PEM of its key, unencrypted PKCS #8; read now
   * @throws IllegalArgumentException with what is wrong
   */
  static ServingCertificate read(String chain, Path keyFile) {
    try {
      Certificate[] certificates = certificates(chain);
      X509Certificate own = (X509Certificate) certificates[0];
      PrivateKey key = key(Files.readString(keyFile), own.getPublicKey().getAlgorithm());
      if (!areOnePair(key, own.getPublicKey())) {
        throw new IllegalArgumentException("is not the certificate of the key in " + keyFile);
      }
      return new ServingCertificate(context(key, certificates), own.getNotAfter().toInstant());
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("its key cannot be read: " + unreadable, unreadable);
    } catch (GeneralSecurityException wrong) {
      throw new IllegalArgumentException(
          "is no certificate with a key in %s: %s".formatted(keyFile, wrong.getMessage()), wrong);
    }
  }

  private static Certificate[] certificates(String chain) throws CertificateException {
    Collection<? extends Certificate> found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)));
    if (found.isEmpty()) {
      throw new CertificateException("it is empty");
    }
    return found.toArray(Certificate[]::new);
  }

  private static PrivateKey key(String pem, String algorithm) throws GeneralSecurityException {
    Matcher found = PRIVATE_KEY.matcher(pem);
    if (!found.find()) {
      throw new GeneralSecurityException(
          "the key must be unencrypted PKCS #8 (-----BEGIN PRIVATE KEY-----)");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }

  private static boolean areOnePair(PrivateKey ours, PublicKey theirs)
      throws GeneralSecurityException {
    String algorithm =
        switch (theirs.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> theirs.getAlgorithm();
        };
    byte[] said = "sluice".getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(ours);
    signature.update(said);
    byte[] signed = signature.sign();
    signature.initVerify(theirs);
    signature.update(said);
    return signature.verify(signed);
  }

  private static SSLContext context(PrivateKey key, Certificate[] chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("webhook", key, IN_MEMORY, chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, IN_MEMORY);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
