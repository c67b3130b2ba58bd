package dev.sluice.activities.flink;

import dev.sluice.testing.Authority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** A certificate with its key and its authority, in a PKCS #12 file as Flink reads it. */
record Certificates(Path file) {

  static final String PASSWORD = "sluice";

  static Certificates issue(Authority authority, Path file) throws Exception {
    authority.issue(file, PASSWORD);
    return new Certificates(file);
  }

  /** Shows the certificate, and trusts its authority. */
  RestTls client() throws Exception {
    X509TrustManager trusted = trusted();
    return new RestTls(context(trusted).getSocketFactory(), trusted);
  }

  /** As {@link #client}, without a certificate. */
  RestTls anonymous() throws Exception {
    X509TrustManager trusted = trusted();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new X509TrustManager[] {trusted}, null);
    return new RestTls(context.getSocketFactory(), trusted);
  }

  SSLContext context(X509TrustManager trusted) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store(), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new X509TrustManager[] {trusted}, null);
    return context;
  }

  X509TrustManager trusted() throws Exception {
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store());
    return (X509TrustManager) trusted.getTrustManagers()[0];
  }

  private KeyStore store() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }
}
