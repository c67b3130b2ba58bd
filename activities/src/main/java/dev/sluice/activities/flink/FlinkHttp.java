package dev.sluice.activities.flink;

import dev.sluice.activities.flink.FlinkRestException.MalformedAnswer;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import java.io.IOException;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * An HTTP client for all clusters. Its dispatcher limits the calls to a host at a time, which is a
 * cluster's REST Service, and queues the others.
 */
final class FlinkHttp implements AutoCloseable {

  private final ExecutorService threads;
  private final OkHttpClient client;
  private final long maxAnswerBytes;
  private final LongAdder calls = new LongAdder();

  /**
   * @param callsPerCluster how many calls one cluster gets at a time
   */
  FlinkHttp(FlinkRestOptions options, Dns dns, int callsPerCluster) {
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "flink-rest-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    Dispatcher dispatcher = new Dispatcher(threads);
    dispatcher.setMaxRequests(options.maxConcurrentCalls());
    dispatcher.setMaxRequestsPerHost(callsPerCluster);
    this.client =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .dns(dns)
            .proxy(Proxy.NO_PROXY)
            .followRedirects(false)
            .connectionPool(new ConnectionPool(options.maxConcurrentCalls(), 30, TimeUnit.SECONDS))
            .connectTimeout(options.connectTimeout())
            .readTimeout(options.readTimeout())
            .writeTimeout(options.readTimeout())
            .callTimeout(options.callTimeout())
            .build();
    this.maxAnswerBytes = options.maxAnswerBytes();
  }

  /**
   * Sends a request.
   *
   * @param cluster whose request it is, for messages
   * @param read makes the result of the reply; may throw a FlinkRestException, or any other
   *     RuntimeException for an answer that is not as expected
   */
  <T> CompletableFuture<T> send(
      Endpoint cluster, Request request, Function<FlinkResponse, T> read) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Call call = client.newCall(request);
    calls.increment();
    String what = cluster + ": " + request.method() + " " + request.url().encodedPath();
    call.enqueue(
        new Callback() {
          @Override
          public void onFailure(Call failed, IOException e) {
            handOver(() -> result.completeExceptionally(noAnswer(what, e)));
          }

          @Override
          public void onResponse(Call answered, Response response) {
            try (response) {
              T value =
                  interpret(new FlinkResponse(what, response.code(), text(what, response)), read);
              handOver(() -> result.complete(value));
            } catch (FlinkRestException e) {
              handOver(() -> result.completeExceptionally(e));
            } catch (IOException e) {
              handOver(() -> result.completeExceptionally(noAnswer(what, e)));
            }
          }
        });
    CompletableFuture<T> unused =
        result.whenComplete(
            (value, thrown) -> {
              if (result.isCancelled()) {
                call.cancel();
              }
            });
    return result;
  }

  /** How many requests were made so far, answered or not. */
  long calls() {
    return calls.sum();
  }

  /**
   * Completes on another thread, so that what hangs on the result neither holds the cluster's turn
   * nor waits for it in vain if it calls the same cluster again.
   */
  private void handOver(Runnable completion) {
    try {
      threads.execute(completion);
    } catch (RejectedExecutionException closed) {
      completion.run();
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

  private static Unreachable noAnswer(String what, IOException e) {
    return new Unreachable(
        what + " got no answer: " + Redaction.redact(e.getClass().getSimpleName() + why(e)), e);
  }

  private static String why(IOException e) {
    return e.getMessage() == null ? "" : ": " + e.getMessage();
  }

  @Override
  public void close() {
    client.dispatcher().cancelAll();
    client.connectionPool().evictAll();
    threads.shutdown();
  }
}
