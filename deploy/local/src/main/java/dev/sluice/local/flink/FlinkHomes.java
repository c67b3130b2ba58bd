package dev.sluice.local.flink;

import dev.sluice.local.node.container.Trees;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.FileMutex;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Flink homes in the cache, {@code CACHE/flink/VERSION}, resolved with Maven when they are
 * missing. A home appears whole or not at all, and two processes at once make it once.
 */
public final class FlinkHomes {

  private static final String POM = "home/pom.xml";

  private final Path root;
  private final Maven maven;
  private final Progress progress;

  /** Homes in this cache, resolved with the {@code mvn} on PATH. */
  public FlinkHomes(CacheDirectory cache, Progress progress) {
    this(cache, new Maven("mvn"), progress);
  }

  FlinkHomes(CacheDirectory cache, Maven maven, Progress progress) {
    this.root = cache.root().resolve("flink");
    this.maven = maven;
    this.progress = progress;
  }

  /**
   * The home of a release; made first when it is missing, which takes 10 s to some minutes.
   *
   * @throws FlinkHomeException when Maven cannot resolve it or the cache cannot be written
   */
  public FlinkHome get(FlinkRelease release) {
    FlinkHome home = new FlinkHome(release, root.resolve(release.version()));
    try {
      if (!isMade(home) || !LocalNodeClasses.areLaid(home)) {
        try (FileMutex lock =
            FileMutex.take(
                root.resolve(release.version() + ".lock"),
                () -> progress.say("Another process is making Flink " + release.version()))) {
          if (!isMade(home)) {
            make(home);
          }
          LocalNodeClasses.lay(home);
        }
      }
      return home;
    } catch (IOException e) {
      throw new FlinkHomeException(
          "Cannot make Flink " + release.version() + " in " + root + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FlinkHomeException("Interrupted while making Flink " + release.version(), e);
    }
  }

  /** Those that are there. */
  List<FlinkHome> made() throws IOException {
    List<FlinkHome> made = new ArrayList<>();
    for (FlinkRelease release : FlinkRelease.KNOWN) {
      FlinkHome home = new FlinkHome(release, root.resolve(release.version()));
      if (isMade(home) && LocalNodeClasses.areLaid(home)) {
        made.add(home);
      }
    }
    return made;
  }

  private void make(FlinkHome home) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(root, "." + home.release().version() + "-");
    try (Progress.Step step =
        progress.begin("resolving Flink " + home.release().version() + " with Maven")) {
      FlinkHome draft = new FlinkHome(home.release(), work.resolve("home"));
      resolve(draft, work);
      List<String> jars = jars(draft);
      Files.writeString(
          draft.classpath(),
          jars.stream()
              .map(jar -> home.lib().resolve(jar).toString())
              .collect(Collectors.joining(":")));
      Files.writeString(recipeFile(draft), recipe(home));
      if (Files.exists(home.folder())) {
        Files.move(home.folder(), work.resolve("old"));
      }
      Files.move(draft.folder(), home.folder(), StandardCopyOption.ATOMIC_MOVE);
      step.done(jars.size() + " jars");
    } finally {
      Trees.delete(work);
    }
  }

  private void resolve(FlinkHome home, Path work) throws IOException, InterruptedException {
    Files.createDirectories(home.lib());
    Files.writeString(work.resolve("pom.xml"), Resources.text(POM));
    maven.run(
        work,
        "dependency:copy-dependencies",
        Map.of(
            "flink.version", home.release().version(),
            "flink.container.version", home.release().containerVersion(),
            "flink.kubernetes.version", home.release().kubernetesVersion(),
            "home.lib", home.lib().toString()));
  }

  /** By name, so that the class path is the same on every machine. */
  private static List<String> jars(FlinkHome home) throws IOException {
    try (var files = Files.list(home.lib())) {
      List<String> jars =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".jar"))
              .sorted()
              .toList();
      if (jars.stream().noneMatch(jar -> jar.startsWith("flink-runtime-"))) {
        throw new FlinkHomeException(
            "Maven resolved no flink-runtime of " + home.release().version() + ", only " + jars,
            null);
      }
      return jars;
    }
  }

  private static boolean isMade(FlinkHome home) throws IOException {
    return Files.isRegularFile(recipeFile(home))
        && Files.readString(recipeFile(home)).equals(recipe(home));
  }

  private static Path recipeFile(FlinkHome home) {
    return home.folder().resolve("recipe");
  }

  /** What a home was made from. Another pom or another place of the cache asks for a new one. */
  private static String recipe(FlinkHome home) {
    return "%s%n%s%npom %s%n"
        .formatted(home.folder(), home.release(), Resources.digest(List.of(POM)));
  }
}
