package dev.sluice.activities.artifact;

import java.net.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Dns;
import okhttp3.Headers;
import okhttp3.OkHttpClient;

/**
 * Fetches artifacts into temporary files, some at a time on threads of its own. May be used from
 * any thread.
 */
public final class ArtifactFetcher implements AutoCloseable {

  private static final int CONNECT_SECONDS = 10;
  private static final int SILENCE_SECONDS = 30;

  private final ArtifactOptions options;
  private final ArtifactFolder folder;
  private final OkHttpClient http;
  private final ThreadPoolExecutor threads;

  /**
   * A fetcher that resolves hosts as the process does.
   *
   * @throws java.io.UncheckedIOException when it cannot keep temporary files
   */
  public ArtifactFetcher(ArtifactOptions options) {
    this(options, Dns.SYSTEM, new OkHttpClient());
  }

  /**
   * @param dns resolves hosts
   * @param base whose TLS settings are taken
   */
  ArtifactFetcher(ArtifactOptions options, Dns dns, OkHttpClient base) {
    this.options = options;
    this.folder = ArtifactFolder.open(options.folder());
    this.http =
        base.newBuilder()
            .dns(dns)
            .socketFactory(new GuardedSockets(options.sources().addresses()))
            .proxy(Proxy.NO_PROXY)
            .followRedirects(false)
            .followSslRedirects(false)
            .connectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
            .readTimeout(SILENCE_SECONDS, TimeUnit.SECONDS)
            .build();
    AtomicInteger number = new AtomicInteger();
    int fetches = options.limits().fetches();
    this.threads =
        new ThreadPoolExecutor(
            fetches,
            fetches,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "artifact-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Fetches a jar.
   *
   * @param configuration of the resource, which may have headers ({@code
   *     kubernetes.operator.user.artifacts.http.header}); they go to the host of the URI only
   * @return completes on a thread of the fetcher, exceptionally with an {@link ArtifactException};
   *     who gets the artifact closes it; cancelling ends the fetch and leaves no file
   */
  public CompletableFuture<FetchedArtifact> fetch(
      ArtifactUri from, Map<String, String> configuration) {
    CompletableFuture<FetchedArtifact> result = new CompletableFuture<>();
    Download download = new Download(options, folder, http, result);
    threads.execute(
        () -> {
          if (!result.isDone()) {
            run(from, configuration, download, result);
          }
        });
    CompletableFuture<FetchedArtifact> unused =
        result.whenComplete(
            (artifact, thrown) -> {
              if (result.isCancelled()) {
                download.cancel();
              }
            });
    return result;
  }

  private void run(
      ArtifactUri from,
      Map<String, String> configuration,
      Download download,
      CompletableFuture<FetchedArtifact> result) {
    try {
      FetchedArtifact artifact = fetched(from, configuration, download);
      if (!result.complete(artifact)) {
        artifact.close();
      }
    } catch (ArtifactException e) {
      result.completeExceptionally(e);
    } catch (Throwable unexpected) {
      // its words may have credentials, and without an end whoever waits would wait for ever
      result.completeExceptionally(
          ArtifactException.passing(
              from.display() + " cannot be fetched: " + unexpected.getClass().getSimpleName()));
    }
  }

  private FetchedArtifact fetched(
      ArtifactUri from, Map<String, String> configuration, Download download) {
    if (from instanceof ArtifactUri.Remote remote) {
      Headers headers = HostHeaders.in(configuration);
      return download.from(remote, headers, HostHeaders.of(options.sources().headers()));
    }
    if (from instanceof ArtifactUri.WorkerFile file) {
      return download.from(file);
    }
    if (from instanceof ArtifactUri.ClassPath) {
      return download.emptyJar();
    }
    throw ArtifactException.lasting(
        from.display() + " is a file in the image of the JobManager, which nobody can fetch");
  }

  /** How many fetches run or wait. */
  public int open() {
    return threads.getActiveCount() + threads.getQueue().size();
  }

  /** Ends fetches in flight and deletes all temporary files. */
  @Override
  public void close() {
    threads.shutdownNow();
    http.dispatcher().cancelAll();
    http.connectionPool().evictAll();
    folder.close();
  }
}
