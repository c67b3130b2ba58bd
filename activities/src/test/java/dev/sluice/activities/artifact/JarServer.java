package dev.sluice.activities.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import okio.Buffer;

/** HTTP servers on this machine that answer what a test wants, and clients that know them. */
final class JarServer implements AutoCloseable {

  /** Begins as every jar does. */
  static final byte[] JAR = "PK\3\4 the rest of a jar".getBytes(StandardCharsets.ISO_8859_1);

  /** Every host is this machine. */
  static final Dns LOOPBACK = host -> List.of(InetAddress.getLoopbackAddress());

  private static final char[] PASSWORD = "changeit".toCharArray();

  final MockWebServer server = new MockWebServer();
  private final String scheme;

  private JarServer(String scheme) {
    this.scheme = scheme;
  }

  static JarServer http() {
    JarServer plain = new JarServer("http");
    plain.begin();
    return plain;
  }

  static JarServer https(Tls tls) {
    JarServer secure = new JarServer("https");
    secure.server.useHttps(tls.context.getSocketFactory());
    secure.begin();
    return secure;
  }

  private void begin() {
    try {
      server.start(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A URL of it under some host name. */
  String url(String host, String path) {
    return scheme + "://" + host + ":" + server.getPort() + path;
  }

  JarServer answering(MockResponse response) {
    server.enqueue(response);
    return this;
  }

  JarServer answering(int status) {
    return answering(new MockResponse.Builder().code(status).build());
  }

  JarServer redirecting(String location) {
    return answering(new MockResponse.Builder().code(302).setHeader("Location", location).build());
  }

  JarServer withTheJar() {
    return answering(jar().build());
  }

  static MockResponse.Builder jar() {
    return new MockResponse.Builder().body(new Buffer().write(JAR));
  }

  RecordedRequest asked() {
    try {
      RecordedRequest request = server.takeRequest(1, TimeUnit.MINUTES);
      if (request == null) {
        throw new AssertionError("no request came");
      }
      return request;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  /** A certificate for {@code *.example.com} that its client trusts. */
  record Tls(SSLContext context, X509TrustManager trust) {

    static Tls in(Path folder) {
      Path file = folder.resolve("keys.p12");
      try {
        Process keytool =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-alias",
                    "server",
                    "-dname",
                    "CN=example.com",
                    "-ext",
                    "san=dns:*.example.com",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    new String(PASSWORD),
                    "-keystore",
                    file.toString())
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
          throw new AssertionError("keytool failed");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
          keys.load(in, PASSWORD);
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return new Tls(context, (X509TrustManager) trust.getTrustManagers()[0]);
      } catch (IOException | GeneralSecurityException e) {
        throw new AssertionError(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }

    OkHttpClient client() {
      return new OkHttpClient.Builder().sslSocketFactory(context.getSocketFactory(), trust).build();
    }
  }
}
