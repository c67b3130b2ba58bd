package dev.sluice.local.parts;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Downloads that give up soon: on an unreachable host after the connect timeout, and only once per
 * host; on a stalled transfer when no byte has come for a while.
 */
final class Downloads {

  private static final Duration STALL = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 500;

  private final Duration connectTimeout;
  private final Set<String> unreachable = new HashSet<>();
  private @Nullable HttpClient client;

  Downloads(Duration connectTimeout) {
    this.connectTimeout = connectTimeout;
  }

  /** The text at {@code url}. */
  String text(String url) throws IOException {
    return send(url, HttpResponse.BodyHandlers.ofString(), () -> 0L);
  }

  /** Writes what is at {@code url} to {@code target}, which is left incomplete on failure. */
  void file(String url, Path target, Progress.Step step) throws IOException {
    send(
        url,
        HttpResponse.BodyHandlers.ofFile(target),
        () -> {
          long bytes = Files.exists(target) ? target.toFile().length() : 0;
          step.detail("%d MB".formatted(bytes >> 20));
          return bytes;
        });
  }

  /** How many bytes have arrived. */
  private interface Arrived {
    long bytes();
  }

  private <T> T send(String url, HttpResponse.BodyHandler<T> body, Arrived arrived)
      throws IOException {
    URI uri = URI.create(url);
    if (unreachable.contains(uri.getHost())) {
      throw new IOException(uri.getHost() + " is unreachable");
    }
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    CompletableFuture<HttpResponse<T>> sent = client().sendAsync(request, body);
    HttpResponse<T> response;
    try {
      response = await(sent, arrived);
    } catch (ExecutionException e) {
      unreachable.add(uri.getHost());
      throw new IOException(uri.getHost() + " is unreachable (" + reason(e) + ")", e);
    }
    if (response.statusCode() != 200) {
      throw new IOException(url + " answered " + response.statusCode());
    }
    return response.body();
  }

  private static <T> HttpResponse<T> await(CompletableFuture<HttpResponse<T>> sent, Arrived arrived)
      throws IOException, ExecutionException {
    long last = -1;
    long quietMillis = 0;
    while (true) {
      try {
        return sent.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        long now = arrived.bytes();
        quietMillis = now == last ? quietMillis + POLL_MILLIS : 0;
        last = now;
        if (quietMillis >= STALL.toMillis()) {
          sent.cancel(true);
          throw new IOException("no byte came for " + STALL.toSeconds() + " s", e);
        }
      } catch (InterruptedException e) {
        sent.cancel(true);
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  /** The deepest message there is: the outer ones of the JDK's client are often empty. */
  private static String reason(ExecutionException e) {
    String reason = "connection failed";
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
    return reason;
  }

  private HttpClient client() {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .connectTimeout(connectTimeout)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
    }
    return client;
  }
}
