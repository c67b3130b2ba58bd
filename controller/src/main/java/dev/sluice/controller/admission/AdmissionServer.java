package dev.sluice.controller.admission;

import dev.sluice.bootstrap.TlsCertificate;
import dev.sluice.bootstrap.WatchedFile;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admission webhook over HTTPS, on one address. Its certificate is read again when it changes;
 * connections that are open go on with the old one.
 */
public final class AdmissionServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AdmissionServer.class);

  /** An object has 3 MiB at most, and a review has the old one, too. */
  private static final long LARGEST_REVIEW = 8L << 20;

  /** Longer than the API server keeps a connection, which else may send into one that we close. */
  private static final Duration IDLE = Duration.ofMinutes(3);

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(3);
  private static final int THREADS = 16;

  private final Server server;
  private final ServerConnector connector;
  private final WatchedFile<TlsCertificate> certificate;

  private AdmissionServer(
      Server server, ServerConnector connector, WatchedFile<TlsCertificate> certificate) {
    this.server = server;
    this.connector = connector;
    this.certificate = certificate;
  }

  /**
   * Listens from now on.
   *
   * @throws dev.sluice.bootstrap.ConfigurationException when the certificate cannot be used
   * @throws IOException when it cannot listen there
   */
  public static AdmissionServer start(
      AdmissionSettings settings, SpecAdmission admission, MeterRegistry registry)
      throws IOException {
    WatchedFile<TlsCertificate> certificate = watch(settings);
    registry.gauge(
        "sluice.admission.certificate.expires.seconds",
        certificate,
        it -> it.get().expires().getEpochSecond());
    registry.gauge(
        "sluice.admission.certificate.broken", certificate, it -> it.problem().isPresent() ? 1 : 0);
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(certificate.get().context());
    certificate.onChange(() -> reload(tls, certificate.get()));
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("admission");
    threads.setDaemon(true);
    Server server = new Server(threads);
    ServerConnector connector = connector(server, tls);
    connector.setHost(settings.address());
    connector.setPort(settings.port());
    server.addConnector(connector);
    SizeLimitHandler limited = new SizeLimitHandler(LARGEST_REVIEW, -1);
    limited.setHandler(new ReviewEndpoint(admission, registry));
    server.setHandler(new GracefulHandler(limited));
    server.setStopTimeout(LAST_ANSWERS.toMillis());
    AdmissionServer started = new AdmissionServer(server, connector, certificate);
    started.listen(settings);
    return started;
  }

  private static WatchedFile<TlsCertificate> watch(AdmissionSettings settings) {
    return WatchedFile.open(
        AdmissionSettings.CERTIFICATE,
        List.of(settings.certificate(), settings.key()),
        pem -> TlsCertificate.read(pem.get(0), pem.get(1)),
        settings.reload());
  }

  private static void reload(SslContextFactory.Server tls, TlsCertificate newest) {
    try {
      tls.reload(factory -> factory.setSslContext(newest.context()));
      LOG.info("The certificate of the webhook is one that expires on {}", newest.expires());
    } catch (Exception failed) {
      throw new IllegalStateException("the certificate cannot be taken", failed);
    }
  }

  private static ServerConnector connector(Server server, SslContextFactory.Server tls) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector =
        new ServerConnector(
            server,
            1,
            1,
            new SslConnectionFactory(tls, HttpVersion.HTTP_1_1.asString()),
            new HttpConnectionFactory(http));
    connector.setIdleTimeout(IDLE.toMillis());
    return connector;
  }

  private void listen(AdmissionSettings settings) throws IOException {
    try {
      server.start();
    } catch (Exception failed) {
      close();
      throw new IOException(
          "the webhook cannot listen on %s:%d: free it or set SLUICE_WEBHOOK_ADDRESS and SLUICE_WEBHOOK_PORT"
              .formatted(settings.address(), settings.port()),
          failed);
    }
  }

  /** The port it listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Answers what has come in, and listens no more. */
  @Override
  public void close() {
    certificate.close();
    try {
      server.stop();
    } catch (Exception failed) {
      LOG.warn("the webhook did not stop cleanly", failed);
    }
  }
}
