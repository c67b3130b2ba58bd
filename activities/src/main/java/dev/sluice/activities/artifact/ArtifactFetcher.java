package dev.sluice.activities.artifact;

import java.net.Proxy;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import okhttp3.Dns;
import okhttp3.Headers;
import okhttp3.OkHttpClient;

/** Fetches artifacts into temporary files, some at a time. May be used from any thread. */
public final class ArtifactFetcher implements AutoCloseable {

  private static final int CONNECT_SECONDS = 10;
  private static final int SILENCE_SECONDS = 30;

  private final ArtifactOptions options;
  private final ArtifactFolder folder;
  private final OkHttpClient http;
  private final Semaphore slots;
  private final LongAdder open = new LongAdder();

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
    this.slots = new Semaphore(options.limits().fetches(), true);
  }

  /**
   * Fetches a jar. Blocks while others are fetched, and while it comes. An interrupt ends it at the
   * next block, or after 30 s without one.
   *
   * @param configuration of the resource, which may have headers ({@code
   *     kubernetes.operator.user.artifacts.http.header}); they go to the host of the URI only
   * @return who gets the artifact closes it
   * @throws ArtifactException when it cannot be fetched, or the thread was interrupted; no file is
   *     left then
   */
  public FetchedArtifact fetch(ArtifactUri from, Map<String, String> configuration) {
    open.increment();
    try {
      slots.acquire();
      try {
        return fetched(from, configuration, new Download(options, folder, http));
      } finally {
        slots.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ArtifactException.passing(from.display() + " was not fetched: interrupted");
    } catch (ArtifactException e) {
      throw e;
    } catch (Throwable unexpected) {
      // its words may have credentials
      throw ArtifactException.passing(
          from.display() + " cannot be fetched: " + unexpected.getClass().getSimpleName());
    } finally {
      open.decrement();
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

  public long open() {
    return open.sum();
  }

  /** Ends fetches in flight and deletes all temporary files. */
  @Override
  public void close() {
    http.dispatcher().cancelAll();
    http.connectionPool().evictAll();
    folder.close();
  }
}
