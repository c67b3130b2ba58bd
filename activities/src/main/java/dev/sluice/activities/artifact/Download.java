package dev.sluice.activities.artifact;

import dev.sluice.activities.artifact.ArtifactUri.Remote;
import dev.sluice.activities.artifact.ArtifactUri.WorkerFile;
import dev.sluice.activities.flink.Redaction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import okhttp3.Call;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** One fetch, with its redirects. It follows them itself, so that each is checked as the first. */
final class Download {

  private static final int BLOCK = 64 << 10;

  /** Login pages and error pages come with 200, too. */
  private static final byte[] JAR = {'P', 'K'};

  private final ArtifactOptions options;
  private final ArtifactFolder folder;
  private final OkHttpClient http;

  Download(ArtifactOptions options, ArtifactFolder folder, OkHttpClient http) {
    this.options = options;
    this.folder = folder;
    this.http = http;
  }

  /** Copies a file of this process, so that what is hashed is what is used. */
  FetchedArtifact from(WorkerFile file) {
    try {
      Path real = file.path().toRealPath();
      if (options.sources().folders().stream().noneMatch(it -> isIn(it, real))) {
        throw notAllowed(file);
      }
      try (InputStream in = Files.newInputStream(real)) {
        return copy(in, file.display(), file.sha256());
      }
    } catch (IOException e) {
      // where files are not allowed, nobody learns which ones there are
      if (options.sources().folders().stream().noneMatch(file.path()::startsWith)) {
        throw notAllowed(file);
      }
      throw ArtifactException.passing(
          "the worker cannot read " + file.display() + ": " + e.getClass().getSimpleName());
    }
  }

  private static ArtifactException notAllowed(WorkerFile file) {
    return ArtifactException.lasting(
        file.display()
            + " is outside the folders in SLUICE_ARTIFACT_FOLDERS of the worker, the only ones"
            + " that it takes files from");
  }

  private static boolean isIn(Path folder, Path file) {
    try {
      return file.startsWith(folder.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  /** A jar with a manifest alone: Flink runs jars only, also for a class that it has. */
  FetchedArtifact emptyJar() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try {
      new JarOutputStream(bytes, manifest).close();
      InputStream jar = new ByteArrayInputStream(bytes.toByteArray());
      return copy(jar, "the empty jar", Optional.empty());
    } catch (IOException e) {
      throw ArtifactException.passing("the worker cannot write an empty jar: " + words(e));
    }
  }

  /**
   * Downloads it.
   *
   * @param headers for the host of the URI only
   * @param byHost for each host
   */
  FetchedArtifact from(Remote remote, Headers headers, HostHeaders byHost) {
    long deadline = System.nanoTime() + options.limits().atMost().toNanos();
    HttpUrl at = remote.url();
    for (int redirects = 0; ; redirects++) {
      if (redirects > options.limits().redirects()) {
        throw ArtifactException.lasting(
            remote.display() + " was redirected more than " + (redirects - 1) + " times");
      }
      checkScheme(at);
      Request.Builder request = new Request.Builder().url(at).headers(byHost.of(at));
      if (isSameServer(at, remote.url())) {
        headers.forEach(it -> request.addHeader(it.getFirst(), it.getSecond()));
        remote.authorization().ifPresent(it -> request.header("Authorization", it));
      }
      request.header("Accept-Encoding", "identity");
      String what = what(remote, at);
      try (Response response = send(request.build(), deadline)) {
        Optional<HttpUrl> next = redirect(response, what);
        if (next.isEmpty()) {
          return body(response, what, remote.sha256());
        }
        at = next.get();
      } catch (IOException e) {
        throw failure(what, e);
      }
    }
  }

  private Response send(Request request, long deadline) throws IOException {
    Call next = http.newCall(request);
    // 0 would mean that it may take for ever
    long left = Math.max(1, deadline - System.nanoTime());
    next.timeout().timeout(left, TimeUnit.NANOSECONDS);
    return next.execute();
  }

  private static String what(Remote remote, HttpUrl at) {
    return at.equals(remote.url())
        ? remote.display()
        : remote.display() + ", redirected to " + Remote.display(at) + ",";
  }

  private void checkScheme(HttpUrl url) {
    if (!url.isHttps() && !options.sources().http()) {
      throw ArtifactException.lasting(
          Remote.display(url)
              + " is not encrypted, which the worker does not take: use https, or set"
              + " SLUICE_ARTIFACT_HTTP=true on the worker");
    }
  }

  private static boolean isSameServer(HttpUrl one, HttpUrl other) {
    return one.scheme().equals(other.scheme())
        && one.host().equals(other.host())
        && one.port() == other.port();
  }

  private static Optional<HttpUrl> redirect(Response response, String what) {
    if (!response.isRedirect()) {
      return Optional.empty();
    }
    String location = response.header("Location");
    HttpUrl next = location == null ? null : response.request().url().resolve(location);
    if (next == null) {
      throw ArtifactException.lasting(
          what + " answered " + response.code() + " with no http or https URL to go to");
    }
    return Optional.of(next.newBuilder().username("").password("").build());
  }

  private FetchedArtifact body(Response response, String what, Optional<String> sha256)
      throws IOException {
    int code = response.code();
    if (code != 200) {
      boolean mayPass = code / 100 == 5 || code == 408 || code == 425 || code == 429;
      String message = what + " answered " + code;
      throw mayPass ? ArtifactException.passing(message) : ArtifactException.lasting(message);
    }
    if (response.body().contentLength() > options.limits().maxBytes()) {
      throw tooLarge(what);
    }
    return copy(response.body().byteStream(), what, sha256);
  }

  private FetchedArtifact copy(InputStream from, String what, Optional<String> sha256)
      throws IOException {
    FetchedArtifact artifact = new FetchedArtifact(folder.newFile());
    MessageDigest digest = sha256();
    try (InputStream in = new DigestInputStream(from, digest);
        OutputStream out = Files.newOutputStream(artifact.file())) {
      copy(in, out, what);
      String found = HexFormat.of().formatHex(digest.digest());
      if (sha256.isPresent() && !sha256.get().equals(found)) {
        throw ArtifactException.lasting(
            "%s has the sha256 %s, not %s as its URI says: somebody replaced the jar, or the URI has another one's checksum"
                .formatted(what, found, sha256.get()));
      }
      return artifact;
    } catch (IOException | RuntimeException e) {
      artifact.close();
      throw e;
    }
  }

  private void copy(InputStream in, OutputStream out, String what) throws IOException {
    byte[] block = in.readNBytes(2);
    if (!Arrays.equals(block, JAR)) {
      throw ArtifactException.lasting(
          what + " is no jar: it does not begin as one; it may be a page that asks to log in");
    }
    long bytes = 0;
    while (block.length > 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      bytes += block.length;
      if (bytes > options.limits().maxBytes()) {
        throw tooLarge(what);
      }
      out.write(block);
      block = in.readNBytes(BLOCK);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private ArtifactException tooLarge(String what) {
    return ArtifactException.lasting(
        what
            + " has more than "
            + (options.limits().maxBytes() >> 20)
            + " MiB, the limit of the worker (SLUICE_ARTIFACT_MAX_MIB)");
  }

  private ArtifactException failure(String what, IOException e) {
    if (e instanceof GuardedSockets.Forbidden forbidden) {
      return ArtifactException.lasting(
          what
              + " is on a server at "
              + forbidden.getMessage()
              + ", which is no address of the internet: use another server, or allow that one with"
              + " SLUICE_ARTIFACT_NETWORKS on the worker");
    }
    Duration atMost = options.limits().atMost();
    boolean late = e instanceof InterruptedIOException && "timeout".equals(e.getMessage());
    return ArtifactException.passing(
        late
            ? what + " did not come within " + atMost.toSeconds() + " s (SLUICE_ARTIFACT_TIMEOUT)"
            : what + " could not be read: " + Redaction.redact(words(e)));
  }

  private static String words(IOException e) {
    return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
  }
}
