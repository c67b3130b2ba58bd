package dev.sluice.local.flink;

import dev.sluice.local.jvm.ClassArchive;
import dev.sluice.local.node.container.FlinkImage;
import dev.sluice.local.node.container.Image;
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
public final class FlinkImages {

  private final Path memory;
  private final FlinkHomes homes;
  private final ImageFiles files;

  /** In the cache of the user who runs this process; says nothing while it works. */
  public FlinkImages() {
    this(CacheDirectory.ofThisUser(), Progress.silent());
  }

  public FlinkImages(CacheDirectory cache, Progress progress) {
    this(
        cache,
        new FlinkHomes(cache, "mvn", progress),
        new ImageFiles(cache, ImageFiles.builtJob()));
  }

  FlinkImages(CacheDirectory cache, FlinkHomes homes, ImageFiles files) {
    this.memory = cache.root().resolve("flink").resolve("memory");
    this.homes = homes;
    this.files = files;
  }

  /** Quick when all is in the cache, else it takes as long as Maven takes to download Flink. */
  public Optional<Image> pull(String name) throws ImagePullException {
    Optional<FlinkRelease> release = FlinkRelease.ofImage(name);
    if (release.isEmpty()) {
      return Optional.empty();
    }
    try {
      FlinkHome home = homes.get(release.get());
      return Optional.of(
          new FlinkImage(
              home.folder(),
              List.of(files.job()),
              files.scripts(),
              Map.of(
                  "JAVA_HOME", System.getProperty("java.home"),
                  "SLUICE_MEMORY_CACHE", memory.toString(),
                  "SLUICE_CLASS_ARCHIVE", home.classArchive().file().toString())));
    } catch (IOException | ImagePullException e) {
      throw new ImagePullException(name + ": " + e.getMessage(), e);
    }
  }

  public List<ClassArchive> classArchives() throws IOException {
    List<ClassArchive> archives = new ArrayList<>();
    for (FlinkHome home : homes.made()) {
      archives.add(home.classArchive());
    }
    return archives;
  }
}
