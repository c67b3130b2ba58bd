package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The official release, checked against the checksum published beside it. */
final class ReleaseSource implements Source {

  private static final long NEEDED_MEGABYTES = 500;

  private final Downloads downloads;
  private final Function<Tool, Release> releases;

  /**
   * @param releases where each tool's release is, for this platform
   */
  ReleaseSource(Downloads downloads, Function<Tool, Release> releases) {
    this.downloads = downloads;
    this.releases = releases;
  }

  @Override
  public Attempt provide(Tool tool, Path target, Progress progress) throws IOException {
    Release release = releases.apply(tool);
    String published;
    try {
      published = downloads.text(release.checksumUrl());
    } catch (IOException e) {
      return new Attempt.NotAvailable(String.valueOf(e.getMessage()));
    }
    DiskFull.check(target, NEEDED_MEGABYTES, "Downloading " + tool.binary());
    Path download = target.resolveSibling(target.getFileName() + ".download");
    try (Progress.Step step =
        progress.begin("downloading " + tool.binary() + " " + tool.version())) {
      downloads.file(release.url(), download, step);
      Optional<String> problem = problem(download, release, published);
      if (problem.isPresent()) {
        return new Attempt.NotAvailable(problem.get());
      }
      unpack(release, download, target);
      step.done("checksum fits");
      return new Attempt.Provided(release.url());
    } catch (IOException e) {
      if (DiskFull.isSaidBy(String.valueOf(e.getMessage()))) {
        throw e;
      }
      return new Attempt.NotAvailable("download failed: " + e.getMessage());
    } finally {
      Files.deleteIfExists(download);
    }
  }

  private static Optional<String> problem(Path download, Release release, String published)
      throws IOException {
    Optional<String> expected = Checksum.findIn(published, release.fileName());
    if (expected.isEmpty()) {
      return Optional.of(release.checksumUrl() + " has no checksum for " + release.fileName());
    }
    String actual = Checksum.of(download);
    return actual.equals(expected.get())
        ? Optional.empty()
        : Optional.of(
            release.url() + " has checksum " + actual + ", published is " + expected.get());
  }

  private static void unpack(Release release, Path download, Path target) throws IOException {
    if (release.member().isEmpty()) {
      Files.move(download, target);
    } else {
      extract(release.member(), download, target);
    }
    if (!target.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + target + " executable");
    }
  }

  /** With the system's tar: Java has none. */
  private static void extract(String member, Path archive, Path target) throws IOException {
    Process tar =
        new ProcessBuilder("tar", "-xzOf", archive.toString(), member)
            .redirectOutput(target.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!tar.waitFor(5, TimeUnit.MINUTES) || tar.exitValue() != 0) {
        throw new IOException("tar cannot extract " + member + " from " + archive);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      tar.destroyForcibly();
    }
  }
}
