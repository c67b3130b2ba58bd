package dev.sluice.local.cluster;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Asks a part on the loopback address whether it is ready. No credentials are sent, so it does not
 * matter that the self-signed certificates are not checked. (The JDK's older client, because it
 * loads in a tenth of the newer one's time.)
 */
final class ReadyProbe {
  private static final int TIMEOUT_MILLIS = 3_000;

  private ReadyProbe() {}

  /** Empty when {@code url} answers 200. */
  static Optional<String> problem(String url) {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
      if (connection instanceof HttpsURLConnection secure) {
        secure.setSSLSocketFactory(trustingAny().getSocketFactory());
        secure.setHostnameVerifier((host, session) -> true);
      }
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        int status = connection.getResponseCode();
        return status == 200 ? Optional.empty() : Optional.of(url + " answers " + status);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return Optional.of(url + ": " + e.getMessage());
    }
  }

  private static SSLContext trustingAny() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAny()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS", e);
    }
  }

  private static final class TrustAny implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
