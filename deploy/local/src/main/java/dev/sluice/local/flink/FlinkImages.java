package dev.sluice.local.flink;

import dev.sluice.local.jvm.ClassArchive;
import dev.sluice.local.node.container.FlinkImage;
import dev.sluice.local.node.container.Image;
import dev.sluice.local.node.container.ImageCatalogue;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** In the cache of the user who runs this process; says nothing while it works. */
  public FlinkImages() {
    this(CacheDirectory.ofThisUser(), Progress.silent());
  }

  /** In this cache. */
  public FlinkImages(CacheDirectory cache, Progress progress) {
    this(
        cache,
        new FlinkHomes(cache, progress),
        new SampleJob(cache, SampleJob.built(System.getenv())));
  }

  FlinkImages(CacheDirectory cache, FlinkHomes homes, SampleJob sampleJob) {
    this.cache = cache;
    this.homes = homes;
    this.sampleJob = sampleJob;
  }

  @Override
  public Optional<Image> pull(String name) throws ImagePullException {
    Optional<FlinkRelease> release = FlinkRelease.ofImage(name);
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
   * Makes an image ready ahead of time: quick when it is in the cache, else as long as Maven takes
   * to download it.
   *
   * @param name such as {@code flink:2.2}
   * @throws FlinkHomeException when Flink or the sample job cannot be had
   */
  public void prepare(String name) {
    try {
      pull(name);
    } catch (ImagePullException e) {
      throw new FlinkHomeException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Those of the homes in the cache. */
  public List<ClassArchive> classArchives() throws IOException {
    List<ClassArchive> archives = new ArrayList<>();
    for (FlinkHome home : homes.made()) {
      archives.add(home.classArchive());
    }
    return archives;
  }

  @Override
  public List<String> known() {
    return FlinkRelease.images();
  }

  private FlinkImage image(FlinkHome home) throws IOException {
    Path memory = cache.root().resolve("flink").resolve("memory");
    return new FlinkImage(
        home.folder(),
        List.of(sampleJob.jar()),
        new Shims(cache).folder(),
        Map.of(
            "JAVA_HOME", System.getProperty("java.home"),
            "SLUICE_MEMORY_CACHE", memory.toString(),
            "SLUICE_CLASS_ARCHIVE", home.classArchive().file().toString()));
  }
}
