package dev.sluice.activities.artifact;

import dev.sluice.activities.artifact.ArtifactUri.Remote;
import dev.sluice.activities.flink.Redaction;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Dns;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Downloads artifacts. It follows redirects itself, so that each is checked as the first. */
final class Download {

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final ArtifactOptions options;
  private final OkHttpClient http;

  /**
   * @param base whose TLS settings are taken
   */
  Download(ArtifactOptions options, Dns dns, OkHttpClient base) {
    this.options = options;
    this.http =
        base.newBuilder()
            .dns(options.sources().addresses().guarding(dns))
            .proxy(Proxy.NO_PROXY)
            .followRedirects(false)
            .connectTimeout(CONNECT)
            .readTimeout(SILENCE)
            .build();
  }

  FetchedArtifact from(Remote remote, Map<String, String> configuration) {
    Headers own = HostHeaders.in(configuration);
    long deadline = System.nanoTime() + options.limits().atMost().toNanos();
    HttpUrl at = remote.url();
    for (int redirects = 0; redirects <= options.limits().redirects(); redirects++) {
      requireEncryption(at);
      String what =
          redirects == 0
              ? remote.display()
              : remote.display() + ", redirected to " + Remote.display(at) + ",";
      try {
        options.sources().addresses().requireIfLiteral(at.host());
        try (Response response = send(request(remote, own, at), deadline)) {
          if (!response.isRedirect()) {
            return body(response, what, remote.sha256());
          }
          at = next(response, what);
        }
      } catch (IOException e) {
        throw failure(what, e);
      }
    }
    throw ArtifactException.lasting(
        "%s was redirected more than %d times"
            .formatted(remote.display(), options.limits().redirects()));
  }

  /** Credentials of the URI and of the resource go to the server of the URI only. */
  private Request request(Remote remote, Headers own, HttpUrl at) {
    Request.Builder request =
        new Request.Builder().url(at).headers(HostHeaders.of(options.sources().headers(), at));
    HttpUrl first = remote.url();
    if (at.scheme().equals(first.scheme())
        && at.host().equals(first.host())
        && at.port() == first.port()) {
      own.forEach(it -> request.addHeader(it.getFirst(), it.getSecond()));
      remote.authorization().ifPresent(it -> request.header("Authorization", it));
    }
    return request.header("Accept-Encoding", "identity").build();
  }

  private Response send(Request request, long deadline) throws IOException {
    Call next = http.newCall(request);
    // 0 would mean that it may take for ever
    next.timeout().timeout(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    return next.execute();
  }

  private void requireEncryption(HttpUrl url) {
    if (!url.isHttps() && !options.sources().http()) {
      throw ArtifactException.lasting(
          Remote.display(url)
              + " is not encrypted, which the worker does not take: use https, or set"
              + " SLUICE_ARTIFACT_HTTP=true on the worker");
    }
  }

  private static HttpUrl next(Response response, String what) {
    String location = response.header("Location");
    HttpUrl next = location == null ? null : response.request().url().resolve(location);
    if (next == null) {
      throw ArtifactException.lasting(
          what + " answered " + response.code() + " with no http or https URL to go to");
    }
    return next.newBuilder().username("").password("").build();
  }

  private FetchedArtifact body(Response response, String what, Optional<String> sha256)
      throws IOException {
    int code = response.code();
    if (code != 200) {
      boolean mayPass = code / 100 == 5 || code == 408 || code == 425 || code == 429;
      String message = what + " answered " + code;
      throw mayPass ? ArtifactException.passing(message) : ArtifactException.lasting(message);
    }
    TemporaryFile file = new TemporaryFile(options.folder(), options.limits().maxBytes());
    file.requireAtMost(response.body().contentLength(), what);
    return file.write(response.body().byteStream(), what, sha256);
  }

  private ArtifactException failure(String what, IOException e) {
    if (e instanceof AddressRules.Forbidden forbidden) {
      return ArtifactException.lasting(
          what
              + " is on a server at "
              + forbidden.getMessage()
              + ", which is no address of the internet: use another server, or allow that one with"
              + " SLUICE_ARTIFACT_NETWORKS on the worker");
    }
    boolean late = e instanceof InterruptedIOException && "timeout".equals(e.getMessage());
    String words =
        e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    return ArtifactException.passing(
        late
            ? "%s did not come within %d s (SLUICE_ARTIFACT_TIMEOUT)"
                .formatted(what, options.limits().atMost().toSeconds())
            : what + " could not be read: " + Redaction.redact(words));
  }

  void close() {
    http.dispatcher().cancelAll();
    http.connectionPool().evictAll();
  }
}
