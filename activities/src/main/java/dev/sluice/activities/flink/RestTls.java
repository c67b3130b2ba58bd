package dev.sluice.activities.flink;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;

/**
 * How clusters are called whose REST API takes TLS alone.
 *
 * @param sockets show Sluice's certificate
 * @param trusted checks that of Flink
 */
public record RestTls(SSLSocketFactory sockets, X509TrustManager trusted) {

  /** For a process without certificates. */
  public static final Supplier<Optional<RestTls>> NONE = Optional::empty;
}
