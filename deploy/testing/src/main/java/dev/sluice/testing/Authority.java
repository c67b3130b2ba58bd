package dev.sluice.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates for 127.0.0.1 and {@code *.default}, as cert-manager does. */
public final class Authority {

  private static final X500Name NAME = new X500Name("CN=authority");

  private final KeyPair keys;
  private final X509Certificate certificate;

  public Authority() {
    try {
      keys = pair("EC");
      certificate =
          sign(
              new JcaX509v3CertificateBuilder(
                  NAME, BigInteger.ONE, days(-1), days(30), NAME, keys.getPublic()),
              true);
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Its own certificate, in PEM and then in Base64, as {@code caBundle} wants it. */
  public String bundle() {
    return Base64.getEncoder().encodeToString(pem().getBytes(StandardCharsets.US_ASCII));
  }

  /** A context for clients that trust it alone. */
  public SSLContext trust() throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setCertificateEntry("authority", certificate);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return context;
  }

  /** Writes {@code tls.crt}, {@code tls.key} and {@code ca.crt}, each in one step. */
  public void issue(Path folder, int serial, String algorithm) throws Exception {
    KeyPair own = pair(algorithm);
    replace(folder.resolve("tls.key"), pem("PRIVATE KEY", own.getPrivate().getEncoded()));
    replace(folder.resolve("tls.crt"), chain(serial, own));
    replace(folder.resolve("ca.crt"), pem());
  }

  /** The same in one PKCS #12 file, as Flink reads it. */
  public void issue(Path file, String password) throws Exception {
    KeyPair own = pair("RSA");
    KeyStore store = emptyStore();
    X509Certificate[] chain = {signed(2, own), certificate};
    store.setKeyEntry("own", own.getPrivate(), password.toCharArray(), chain);
    store.setCertificateEntry("authority", certificate);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
  }

  /** Its own certificate, in PEM. */
  public String pem() {
    return pem("CERTIFICATE", encoded());
  }

  /** The certificate and that of the authority. */
  public String chain(int serial, KeyPair of) throws Exception {
    return pem("CERTIFICATE", signed(serial, of).getEncoded()) + pem();
  }

  private X509Certificate signed(int serial, KeyPair of) throws Exception {
    return sign(
        new JcaX509v3CertificateBuilder(
            NAME,
            BigInteger.valueOf(serial),
            days(-1),
            days(serial),
            new X500Name("CN=issued"),
            of.getPublic()),
        false);
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  public static KeyPair pair(String algorithm) throws GeneralSecurityException {
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
  }

  public static String pem(PrivateKey key) {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  private X509Certificate sign(JcaX509v3CertificateBuilder builder, boolean authority)
      throws OperatorCreationException, CertIOException, GeneralSecurityException {
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
    if (!authority) {
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              new GeneralName[] {
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.dNSName, "*.default")
              }));
    }
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  private byte[] encoded() {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Date days(int fromNow) {
    return Date.from(Instant.now().plus(fromNow, ChronoUnit.DAYS));
  }

  private static String pem(String what, byte[] encoded) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(
            what,
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(encoded));
  }

  private static void replace(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
