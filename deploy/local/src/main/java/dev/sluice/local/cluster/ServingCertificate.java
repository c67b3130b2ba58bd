package dev.sluice.local.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** The API server's own certificate, which it makes when there is none, good for a year. */
final class ServingCertificate {

  private static final Duration RENEW_BEFORE = Duration.ofDays(30);

  private ServingCertificate() {}

  /** {@code --cert-dir} of the API server. */
  static Path folder(ClusterConfig config) {
    return config.home().resolve("certificates");
  }

  /** The certificate: self-signed, so its own authority. */
  static Path of(ClusterConfig config) {
    return folder(config).resolve("apiserver.crt");
  }

  /** Removes one that ends soon, so that the API server makes another when it starts. */
  static void removeWhenEnding(ClusterConfig config, Instant now) throws IOException {
    if (!Files.exists(of(config))) {
      return;
    }
    Instant end = Instant.MIN;
    try (InputStream in = Files.newInputStream(of(config))) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      end = certificate.getNotAfter().toInstant();
    } catch (CertificateException e) {
      end = Instant.MIN;
    }
    if (end.isBefore(now.plus(RENEW_BEFORE))) {
      Files.delete(of(config));
      Files.deleteIfExists(folder(config).resolve("apiserver.key"));
    }
  }
}
