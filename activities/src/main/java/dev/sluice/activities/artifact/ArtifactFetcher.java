package dev.sluice.activities.artifact;

import dev.sluice.activities.artifact.ArtifactUri.ClassPath;
import dev.sluice.activities.artifact.ArtifactUri.Remote;
import dev.sluice.activities.artifact.ArtifactUri.WorkerFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import okhttp3.Dns;
import okhttp3.OkHttpClient;

/**
 * Fetches artifacts into temporary files, some at a time. Its folder is for one worker: it begins
 * by deleting what the process before it left. May be used from any thread.
 */
public final class ArtifactFetcher implements AutoCloseable {

  private final ArtifactOptions options;
  private final Download download;
  private final Semaphore slots;
  private final LongAdder open = new LongAdder();

  /**
   * A fetcher that resolves hosts as the process does.
   *
   * @throws UncheckedIOException when it cannot keep temporary files
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
    this.download = new Download(options, dns, base);
    this.slots = new Semaphore(options.limits().fetches(), true);
    try {
      if (!Files.isDirectory(options.folder())) { // createDirectories refuses a link to one
        Files.createDirectories(options.folder());
      }
      deleteFilesBefore(ProcessHandle.current().info().startInstant().orElse(Instant.MIN));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot keep temporary files of artifacts in " + options.folder(), e);
    }
  }

  private void deleteFilesBefore(Instant end) throws IOException {
    try (Stream<Path> files = Files.list(options.folder())) {
      for (Path file : files.filter(TemporaryFile::isOne).toList()) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(end)) {
          Files.deleteIfExists(file);
        }
      }
    }
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
        return fetched(from, configuration);
      } finally {
        slots.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ArtifactException.passing(from.display() + " was not fetched: interrupted");
    } finally {
      open.decrement();
    }
  }

  private FetchedArtifact fetched(ArtifactUri from, Map<String, String> configuration) {
    try {
      if (from instanceof Remote remote) {
        return download.from(remote, configuration);
      }
      if (from instanceof WorkerFile file) {
        return copied(file);
      }
      if (from instanceof ClassPath) {
        return file().write(emptyJar(), from.display(), Optional.empty());
      }
      throw ArtifactException.lasting(
          from.display() + " is a file in the image of the JobManager, which nobody can fetch");
    } catch (IOException e) {
      throw ArtifactException.passing(
          "the worker cannot read or store "
              + from.display()
              + ": "
              + e.getClass().getSimpleName());
    }
  }

  /** A copy, so that what is hashed is what is used. */
  private FetchedArtifact copied(WorkerFile file) throws IOException {
    // where files are not allowed, nobody learns which ones there are
    requireAllowed(file, file.path(), options.sources().folders());
    Path real = file.path().toRealPath();
    requireAllowed(
        file, real, options.sources().folders().stream().map(ArtifactFetcher::real).toList());
    try (InputStream in = Files.newInputStream(real)) {
      return file().write(in, file.display(), file.sha256());
    }
  }

  private static void requireAllowed(WorkerFile file, Path path, List<Path> folders) {
    if (folders.stream().noneMatch(path::startsWith)) {
      throw ArtifactException.lasting(
          file.display()
              + " is outside the folders in SLUICE_ARTIFACT_FOLDERS of the worker, the only ones"
              + " that it takes files from");
    }
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder;
    }
  }

  private TemporaryFile file() {
    return new TemporaryFile(options.folder(), options.limits().maxBytes());
  }

  /** A jar with a manifest alone: Flink runs jars only, also for a class that it has. */
  private static InputStream emptyJar() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    new JarOutputStream(bytes, manifest).close();
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  public long open() {
    return open.sum();
  }

  /** Ends fetches in flight. */
  @Override
  public void close() {
    download.close();
  }
}
