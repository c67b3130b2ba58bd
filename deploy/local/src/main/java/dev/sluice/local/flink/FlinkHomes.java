package dev.sluice.local.flink;

import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.FileMutex;
import dev.sluice.local.parts.Fingerprint;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The Flink homes in the cache, {@code CACHE/flink/VERSION}, resolved with Maven when they are
 * missing. A home appears whole or not at all, and two processes at once make it once.
 */
final class FlinkHomes {

  private static final String POM = "home/pom.xml";

  private final Path root;
  private final String maven;
  private final Progress progress;

  /**
   * @param maven {@code mvn}, or the path of one; it has the user's settings and local repository
   */
  FlinkHomes(CacheDirectory cache, String maven, Progress progress) {
    this.root = cache.root().resolve("flink");
    this.maven = maven;
    this.progress = progress;
  }

  /**
   * The home of a release; made first when it is missing, which takes 10 s to some minutes.
   *
   * @throws ImagePullException when Maven cannot resolve it or the cache cannot be written
   */
  FlinkHome get(FlinkRelease release) throws ImagePullException {
    FlinkHome home = new FlinkHome(release, root.resolve(release.version()));
    try {
      if (!isMade(home)) {
        try (FileMutex lock =
            FileMutex.take(
                root.resolve(release.version() + ".lock"),
                () -> progress.say("Another process is making Flink " + release.version()))) {
          if (!isMade(home)) {
            make(home);
          }
        }
      }
      return home;
    } catch (IOException e) {
      throw new ImagePullException(
          "Cannot make Flink " + release.version() + " in " + root + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImagePullException("Interrupted while making Flink " + release.version(), e);
    }
  }

  /** Those that are there. */
  List<FlinkHome> made() throws IOException {
    List<FlinkHome> made = new ArrayList<>();
    for (FlinkRelease release : FlinkRelease.KNOWN) {
      FlinkHome home = new FlinkHome(release, root.resolve(release.version()));
      if (isMade(home)) {
        made.add(home);
      }
    }
    return made;
  }

  private void make(FlinkHome home) throws IOException, InterruptedException, ImagePullException {
    String version = home.release().version();
    Path work = Files.createTempDirectory(root, "." + version + "-");
    try (Progress.Step step = progress.begin("resolving Flink " + version + " with Maven")) {
      FlinkHome draft = new FlinkHome(home.release(), work.resolve("home"));
      Files.createDirectories(draft.lib());
      Files.write(work.resolve("pom.xml"), ImageFiles.resource(POM));
      resolve(draft, work);
      LocalNodeClasses.layRpcSystem(jars(draft), draft.lib());
      List<Path> jars = jars(draft);
      Files.writeString(
          draft.classpath(),
          jars.stream()
              .map(jar -> home.lib().resolve(jar.getFileName()).toString())
              .collect(Collectors.joining(":")));
      LocalNodeClasses.lay(jars, draft.localNodeClasses());
      Files.writeString(recipeFile(draft), recipe(home, ingredients()));
      if (Files.exists(home.folder())) {
        Files.move(home.folder(), work.resolve("old"));
      }
      Files.move(draft.folder(), home.folder(), StandardCopyOption.ATOMIC_MOVE);
      step.done(jars.size() + " jars");
    } finally {
      Trees.delete(work);
    }
  }

  /**
   * What is in the local repository needs no network.
   *
   * @param work where the pom is; it must be in no project, since Maven reads {@code .mvn} of the
   *     folders above
   */
  private void resolve(FlinkHome home, Path work)
      throws IOException, InterruptedException, ImagePullException {
    List<String> command =
        List.of(
            maven,
            "-B",
            "-f",
            "pom.xml",
            "dependency:copy-dependencies",
            "-Dflink.version=" + home.release().version(),
            "-Dflink.container.version=" + home.release().containerVersion(),
            "-Dflink.kubernetes.version=" + home.release().kubernetesVersion(),
            "-Dhome.lib=" + home.lib());
    Path log = work.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // set by an outer Maven for itself
    builder
        .environment()
        .keySet()
        .removeAll(List.of("MAVEN_CMD_LINE_ARGS", "MAVEN_PROJECTBASEDIR"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = start(builder);
    try {
      if (process.waitFor() != 0) {
        List<String> said = Files.readAllLines(log);
        throw new ImagePullException(
            "'%s' failed in %s. Is a Maven repository reachable (~/.m2/settings.xml)? Run it again when it is: what was downloaded is kept.%n%s"
                .formatted(
                    String.join(" ", command),
                    work,
                    String.join("\n", said.subList(Math.max(0, said.size() - 20), said.size()))),
            null);
      }
    } finally {
      process.destroy();
    }
  }

  private Process start(ProcessBuilder builder) throws ImagePullException {
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return process;
    } catch (IOException e) {
      throw new ImagePullException(
          "Cannot run '" + maven + "': install Maven 3.8 or newer and put it on PATH.", e);
    }
  }

  /** By name, so that the class path is the same on every machine. */
  private static List<Path> jars(FlinkHome home) throws IOException {
    return Trees.list(home.lib(), "*.jar");
  }

  private static boolean isMade(FlinkHome home) throws IOException {
    return Files.isRegularFile(recipeFile(home))
        && Files.readString(recipeFile(home)).equals(recipe(home, ingredients()));
  }

  private static Path recipeFile(FlinkHome home) {
    return home.folder().resolve("recipe");
  }

  /** What a home was made from; anything else in it, or another place, asks for a new one. */
  static String recipe(FlinkHome home, Map<String, byte[]> ingredients) {
    StringBuilder recipe = new StringBuilder(home.folder() + "\n" + home.release() + "\n");
    ingredients.forEach(
        (name, content) ->
            recipe.append(name).append(' ').append(Fingerprint.of(content)).append('\n'));
    return recipe.toString();
  }

  /** What comes with this package, classes that change Flink's too. */
  static SortedMap<String, byte[]> ingredients() throws IOException {
    SortedMap<String, byte[]> ingredients = new TreeMap<>();
    for (String name : List.of(POM, "LocalNodeClasses.class", "SharedRpcSystemLoader.class")) {
      ingredients.put(name, ImageFiles.resource(name));
    }
    return ingredients;
  }
}
