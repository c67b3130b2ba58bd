package dev.sluice.bootstrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * What every process is configured with.
 *
 * @param httpAddress where health and metrics listen ({@code SLUICE_HTTP_ADDRESS}; without it the
 *     pod's address {@code POD_IP}, else 127.0.0.1; never every interface)
 * @param httpPort {@code SLUICE_HTTP_PORT}, 8080; 0 takes any free port
 * @param logFormat {@code SLUICE_LOG_FORMAT}: text or json
 * @param logLevel {@code SLUICE_LOG_LEVEL} of Sluice's own loggers; others log warnings
 * @param drainTimeout {@code SLUICE_DRAIN_TIMEOUT}, 20 s: how long a stop may take; must be shorter
 *     than the pod's terminationGracePeriodSeconds
 * @param temporalRpcTimeout {@code SLUICE_TEMPORAL_RPC_TIMEOUT}, 5 s: for each call to Temporal
 *     that is not a long poll
 * @param defaults Flink configuration that holds where a resource does not say
 * @param flinkTls certificates for Flinks whose REST API takes TLS alone
 */
public record ProcessSettings(
    String httpAddress,
    int httpPort,
    Logging.Format logFormat,
    Level logLevel,
    Duration drainTimeout,
    Duration temporalRpcTimeout,
    Defaults defaults,
    FlinkTls flinkTls) {

  /**
   * A file with default configuration.
   *
   * @param file {@code SLUICE_DEFAULT_CONFIGURATION}; null for no defaults
   * @param reload {@code SLUICE_DEFAULT_CONFIGURATION_RELOAD}, 5 s: how often it is looked at
   */
  public record Defaults(@Nullable Path file, Duration reload) {

    private static final String KEY = "SLUICE_DEFAULT_CONFIGURATION";

    /**
     * Reads the file, and again when it changes.
     *
     * @param absent what holds without a file
     * @param parse throws {@link IllegalArgumentException} with what is wrong
     * @throws ConfigurationException when it cannot be read, or is wrong
     */
    public <T> WatchedFile<T> open(T absent, Function<String, T> parse) {
      return WatchedFile.open(KEY, file, absent, parse, reload);
    }

    static Defaults from(Settings settings) {
      String path = settings.optionalText(KEY);
      return new Defaults(path == null ? null : Path.of(path), interval(settings, KEY + "_RELOAD"));
    }
  }

  /**
   * Certificates for Flinks whose REST API takes TLS alone.
   *
   * @param folder {@code SLUICE_FLINK_TLS_FOLDER}, such as a mounted Secret: {@code ca.crt} (the
   *     authorities of Flink's certificates), {@code tls.crt} and {@code tls.key} (Sluice's own,
   *     which Flink may want to see), all PEM; null for none
   * @param reload {@code SLUICE_FLINK_TLS_RELOAD}, 5 s: how often they are looked at
   */
  public record FlinkTls(@Nullable Path folder, Duration reload) {

    private static final String KEY = "SLUICE_FLINK_TLS_FOLDER";

    /** Whether there are any. */
    public boolean isGiven() {
      return folder != null;
    }

    /**
     * Reads them, and again when they change.
     *
     * @param client how a client takes them
     * @return what is empty without a folder
     * @throws ConfigurationException when they cannot be read, or are wrong
     */
    public <T> WatchedFile<Optional<T>> open(
        BiFunction<SSLSocketFactory, X509TrustManager, T> client) {
      Path there = folder;
      return there == null
          ? WatchedFile.open(KEY, List.of(), none -> Optional.empty(), reload)
          : WatchedFile.open(
              KEY,
              Stream.of("ca.crt", "tls.crt", "tls.key").map(there::resolve).toList(),
              pem -> {
                X509TrustManager trusted = TlsCertificate.trust(pem.get(0));
                SSLContext own = TlsCertificate.read(pem.get(1), pem.get(2), trusted).context();
                return Optional.of(client.apply(own.getSocketFactory(), trusted));
              },
              reload);
    }

    static FlinkTls from(Settings settings) {
      String path = settings.optionalText(KEY);
      return new FlinkTls(
          path == null ? null : Path.of(path), interval(settings, "SLUICE_FLINK_TLS_RELOAD"));
    }
  }

  private static final String LOOPBACK = "127.0.0.1";

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  public static ProcessSettings from(Settings settings) {
    return new ProcessSettings(
        settings.text("SLUICE_HTTP_ADDRESS", settings.text("POD_IP", LOOPBACK)),
        settings.integer("SLUICE_HTTP_PORT", 8080, 0, 65_535),
        settings.choice("SLUICE_LOG_FORMAT", Logging.Format.TEXT),
        settings.choice("SLUICE_LOG_LEVEL", Level.INFO),
        settings.duration(
            "SLUICE_DRAIN_TIMEOUT",
            Duration.ofSeconds(20),
            Duration.ofSeconds(1),
            Duration.ofMinutes(10)),
        settings.duration(
            "SLUICE_TEMPORAL_RPC_TIMEOUT",
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofMinutes(1)),
        Defaults.from(settings),
        FlinkTls.from(settings));
  }

  private static Duration interval(Settings settings, String key) {
    return settings.duration(
        key, Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofHours(1));
  }
}
