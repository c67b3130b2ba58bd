package dev.sluice.local.flink;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.image.Image;
import dev.sluice.local.node.image.ImageCatalogue;
import dev.sluice.local.node.image.ImagePullException;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The official Flink images, {@code flink:2.2} and so on, as homes from Maven with the sample job
 * in usrlib.
 */
public final class FlinkImages implements ImageCatalogue {

  private final CacheDirectory cache;
  private final FlinkHomes homes;
  private final SampleJob sampleJob;
  private final Progress progress;

  /** In the cache of the user who runs this process; says nothing while it works. */
  public FlinkImages() {
    this(CacheDirectory.ofThisUser(), Progress.silent());
  }

  /** In this cache. */
  public FlinkImages(CacheDirectory cache, Progress progress) {
    this(
        cache,
        new FlinkHomes(cache, progress),
        new SampleJob(cache, SampleJob.built(System.getenv())),
        progress);
  }

  FlinkImages(CacheDirectory cache, FlinkHomes homes, SampleJob sampleJob, Progress progress) {
    this.cache = cache;
    this.progress = progress;
    this.homes = homes;
    this.sampleJob = sampleJob;
  }

  @Override
  public Optional<Image> pull(String name) throws ImagePullException {
    Optional<FlinkRelease> release = FlinkImageName.release(name);
    if (release.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(image(homes.get(release.get())));
    } catch (IOException | FlinkHomeException e) {
      throw new ImagePullException(name + ": " + e.getMessage(), e);
    }
  }

  /**
   * Makes images ready ahead of time, with a class data archive if possible, which {@link #pull}
   * alone does not make. Quick when all is there; else up to a minute each, more while Maven
   * downloads.
   *
   * @param names such as {@code flink:2.2}
   * @throws IllegalArgumentException for a name that is not one of {@link #known}
   * @throws FlinkHomeException when Flink or the sample job cannot be had
   */
  public void prepare(List<String> names) {
    for (String name : names) {
      FlinkRelease release =
          FlinkImageName.release(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "'" + name + "' is not one of the images " + known()));
      try {
        FlinkHome home = homes.get(release);
        quicken(home, image(home));
      } catch (IOException e) {
        throw new FlinkHomeException("Cannot prepare " + name + ": " + e, e);
      }
    }
  }

  private void quicken(FlinkHome home, FlinkImage image) {
    try {
      new ClassDataArchive(progress).make(home, image);
    } catch (FlinkHomeException e) {
      progress.say(
          "Flink %s works, but starts slower than it could: %s"
              .formatted(home.release().version(), e.getMessage()));
    }
  }

  @Override
  public List<String> known() {
    return FlinkImageName.known();
  }

  private FlinkImage image(FlinkHome home) throws IOException {
    Path memory = cache.root().resolve("flink").resolve("memory");
    return new FlinkImage(
        home.folder(),
        List.of(sampleJob.jar()),
        new Shims(cache).folder(),
        Map.of(
            "JAVA_HOME", System.getProperty("java.home"),
            "SLUICE_MEMORY_CACHE", memory.toString()));
  }
}
