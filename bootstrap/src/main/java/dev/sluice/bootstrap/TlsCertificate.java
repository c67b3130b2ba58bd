package dev.sluice.bootstrap;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * A certificate with its key.
 *
 * @param context shows the certificate to others
 * @param expires when the certificate does
 */
public record TlsCertificate(SSLContext context, Instant expires) {

  /** Protects nothing: the store is in memory only. */
  private static final char[] IN_MEMORY = "sluice".toCharArray();

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /**
   * Reads one.
   *
   * @param chain PEM, its own certificate first
   * @param key PEM of its key, unencrypted PKCS #8
   * @param trusted check the certificates of others
   * @throws IllegalArgumentException with what is wrong
   */
  public static TlsCertificate read(String chain, String key, TrustManager... trusted) {
    try {
      Certificate[] certificates = certificates(chain);
      X509Certificate own = (X509Certificate) certificates[0];
      PrivateKey secret = key(key, own.getPublicKey().getAlgorithm());
      if (!areOnePair(secret, own.getPublicKey())) {
        throw new IllegalArgumentException("the key is that of another certificate");
      }
      return new TlsCertificate(
          context(secret, certificates, trusted), own.getNotAfter().toInstant());
    } catch (GeneralSecurityException | IOException wrong) {
      throw new IllegalArgumentException(
          "is no certificate with its key: " + wrong.getMessage(), wrong);
    }
  }

  /**
   * Trusts what these authorities have signed, and nothing else.
   *
   * @param authorities PEM
   * @throws IllegalArgumentException with what is wrong
   */
  public static X509TrustManager trust(String authorities) {
    try {
      KeyStore store = emptyStore();
      for (Certificate authority : certificates(authorities)) {
        store.setCertificateEntry("authority-" + store.size(), authority);
      }
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      return (X509TrustManager) trusted.getTrustManagers()[0];
    } catch (GeneralSecurityException | IOException wrong) {
      throw new IllegalArgumentException(
          "is no certificate of an authority: " + wrong.getMessage(), wrong);
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

  private static SSLContext context(PrivateKey key, Certificate[] chain, TrustManager... trusted)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setKeyEntry("own", key, IN_MEMORY, chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, IN_MEMORY);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted, null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
