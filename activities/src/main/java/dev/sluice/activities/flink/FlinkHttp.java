package dev.sluice.activities.flink;

import dev.sluice.activities.flink.FlinkRestException.MalformedAnswer;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import dev.sluice.api.common.FlinkConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import java.io.IOException;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client for all clusters. Its dispatcher limits the calls to a host at a time, which is a
 * cluster's REST Service, and queues the others.
 */
final class FlinkHttp implements AutoCloseable {

  /** For callers that leave the limit to the timeout of the call itself. */
  static final Duration UNBOUNDED = Duration.ofHours(1);

  private final OkHttpClient client;
  private final Supplier<Optional<RestTls>> tls;
  private volatile @Nullable Secured secured;
  private final long maxAnswerBytes;
  private final MeterRegistry registry;

  /** The client with the certificates that were the newest at the last call. */
  private record Secured(RestTls with, OkHttpClient client) {}

  /**
   * @param tls for clusters that take TLS alone, as it is now
   * @param callsPerCluster how many calls one cluster gets at a time
   * @param registry gets the number of calls, and their times
   */
  FlinkHttp(
      FlinkRestOptions options,
      Dns dns,
      Supplier<Optional<RestTls>> tls,
      int callsPerCluster,
      MeterRegistry registry) {
    this.tls = tls;
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(options.maxConcurrentCalls());
    dispatcher.setMaxRequestsPerHost(callsPerCluster);
    this.client =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .dns(dns)
            .addInterceptor(this::measured)
            .proxy(Proxy.NO_PROXY)
            .followRedirects(false)
            .connectionPool(new ConnectionPool(options.maxConcurrentCalls(), 30, TimeUnit.SECONDS))
            .connectTimeout(options.connectTimeout())
            .readTimeout(options.readTimeout())
            .writeTimeout(options.readTimeout())
            .callTimeout(options.callTimeout())
            .build();
    this.maxAnswerBytes = options.maxAnswerBytes();
    this.registry = registry;
  }

  <T> T send(Endpoint cluster, Request request, Function<FlinkResponse, T> read) {
    return send(cluster, request, UNBOUNDED, read);
  }

  /**
   * Sends a request and waits for the reply, which a thread of the dispatcher reads: an interrupt
   * of the caller would not end a read of its own.
   *
   * @param cluster whose request it is, for messages
   * @param atMost how long the caller waits, including the time queued; without any left, or
   *     interrupted already, nothing is sent
   * @param read makes the result of the reply; may throw a FlinkRestException, or any other
   *     RuntimeException for an answer that is not as expected
   * @throws FlinkRestException without a usable answer
   */
  <T> T send(Endpoint cluster, Request request, Duration atMost, Function<FlinkResponse, T> read) {
    String what = cluster + ": " + request.method() + " " + request.url().encodedPath();
    Call call = client(cluster).newCall(request);
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (atMost.isNegative() || atMost.isZero()) {
        throw new TimeoutException();
      }
      return interpret(enqueued(call, what).get(atMost.toNanos(), TimeUnit.NANOSECONDS), read);
    } catch (TimeoutException late) {
      call.cancel();
      throw new Unreachable(what + " got no answer in time", late);
    } catch (InterruptedException stopped) {
      call.cancel();
      Thread.currentThread().interrupt();
      throw new Unreachable(what + " was abandoned", stopped);
    } catch (ExecutionException failed) {
      Throwable cause = Objects.requireNonNull(failed.getCause());
      throw cause instanceof FlinkRestException failure
          ? failure
          : new Unreachable(what + " got no answer: " + words(cause), cause);
    }
  }

  private OkHttpClient client(Endpoint cluster) {
    if (!cluster.tls()) {
      return client;
    }
    RestTls newest =
        tls.get()
            .orElseThrow(
                () ->
                    new Unreachable(
                        cluster
                            + " has "
                            + FlinkConfiguration.REST_TLS
                            + ", and this process of Sluice has no certificates for it. Set"
                            + " SLUICE_FLINK_TLS_FOLDER, flink.tls.secretName of the chart",
                        null));
    Secured last = secured;
    if (last == null || !last.with.equals(newest)) {
      last =
          new Secured(
              newest,
              client.newBuilder().sslSocketFactory(newest.sockets(), newest.trusted()).build());
      secured = last;
    }
    return last.client;
  }

  private Future<FlinkResponse> enqueued(Call call, String what) {
    CompletableFuture<FlinkResponse> reply = new CompletableFuture<>();
    call.enqueue(
        new Callback() {
          @Override
          public void onFailure(Call failed, IOException e) {
            reply.completeExceptionally(e);
          }

          @Override
          public void onResponse(Call answered, Response response) {
            try (response) {
              reply.complete(new FlinkResponse(what, response.code(), text(what, response)));
            } catch (IOException | RuntimeException e) {
              reply.completeExceptionally(e);
            }
          }
        });
    return reply;
  }

  /** Measures a call until its reply begins, by the first segment of its path: no ids in labels. */
  private Response measured(Interceptor.Chain chain) throws IOException {
    Request request = chain.request();
    Timer.Sample begun = Timer.start(registry);
    Outcome outcome = Outcome.UNKNOWN;
    try {
      Response reply = chain.proceed(request);
      outcome = Outcome.forStatus(reply.code());
      return reply;
    } finally {
      begun.stop(
          registry.timer(
              "sluice.flink.requests",
              "method",
              request.method(),
              "path",
              request.url().pathSegments().get(0),
              "outcome",
              outcome.name()));
    }
  }

  private static <T> T interpret(FlinkResponse reply, Function<FlinkResponse, T> read) {
    try {
      return read.apply(reply);
    } catch (FlinkRestException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new MalformedAnswer(
          reply.call() + " answered " + reply.status() + ", but " + e.getMessage(), e);
    }
  }

  private String text(String what, Response response) throws IOException {
    if (response.body().source().request(maxAnswerBytes + 1)) {
      throw new MalformedAnswer(what + " answered more than " + maxAnswerBytes + " bytes", null);
    }
    return response.body().source().readString(StandardCharsets.UTF_8);
  }

  private static String words(Throwable e) {
    String name = e.getClass().getSimpleName();
    String message = e.getMessage() == null ? name : name + ": " + e.getMessage();
    return Redaction.redact(message.replaceAll("\\s+", " "));
  }

  @Override
  public void close() {
    client.dispatcher().cancelAll();
    client.connectionPool().evictAll();
    client.dispatcher().executorService().shutdown();
  }
}
