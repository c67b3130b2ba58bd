package dev.sluice.local.flink;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.volume.Trees;
import dev.sluice.local.parts.FileMutex;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Class data archive of a Flink home, one for JobManager and TaskManager, which then share its
 * memory: Java maps the classes instead of parsing them, which takes a third off the start of each
 * Flink process. Made once, in half a minute; without it everything works, only slower.
 */
final class ClassDataArchive {

  private static final long DUMP_SECONDS = 180;

  private final Progress progress;

  ClassDataArchive(Progress progress) {
    this.progress = progress;
  }

  /**
   * Makes the archive of an image's home when it is missing or another Java's.
   *
   * @throws FlinkHomeException when the training run or Java fails; nothing is left then
   */
  void make(FlinkHome home, FlinkImage image) {
    try {
      if (isMade(home)) {
        return;
      }
      try (FileMutex lock =
          FileMutex.take(
              home.folder().resolveSibling(home.release().version() + ".cds.lock"),
              () ->
                  progress.say("Another process is preparing Flink " + home.release().version()))) {
        if (!isMade(home)) {
          train(home, image);
        }
      }
    } catch (IOException e) {
      throw new FlinkHomeException("Cannot make a class data archive in " + home.folder(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FlinkHomeException("Interrupted while making a class data archive", e);
    }
  }

  private void train(FlinkHome home, FlinkImage image) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(home.folder(), ".cds-");
    try (Progress.Step step =
        progress.begin("speeding up the start of Flink " + home.release().version())) {
      step.detail("a training run");
      Path classList = new TrainingRun(image, Files.createDirectory(work.resolve("run"))).run();
      Path made = Files.createDirectory(work.resolve("cds"));
      step.detail("the archive");
      dump(home, classList, made.resolve("flink.jsa"));
      Files.writeString(made.resolve("recipe"), recipe());
      Trees.delete(home.archives());
      Files.move(made, home.archives(), StandardCopyOption.ATOMIC_MOVE);
      step.done("");
    } finally {
      Trees.delete(work);
    }
  }

  private static void dump(FlinkHome home, Path classList, Path archive)
      throws IOException, InterruptedException {
    Path log = archive.resolveSibling("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:dump",
                "-XX:+UseSerialGC",
                "-XX:SharedClassListFile=" + classList,
                "-XX:SharedArchiveFile=" + archive,
                "-cp",
                home.localNodeClasses() + ":" + Files.readString(home.classpath()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)
          || process.exitValue() != 0
          || !Files.isRegularFile(archive)) {
        List<String> said = Files.readAllLines(log);
        throw new FlinkHomeException(
            "Java made no class data archive:%n%s"
                .formatted(
                    String.join("\n", said.subList(Math.max(0, said.size() - 10), said.size()))),
            null);
      }
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(log);
    }
  }

  private static boolean isMade(FlinkHome home) throws IOException {
    Path recipe = home.archives().resolve("recipe");
    return Files.isRegularFile(recipe) && Files.readString(recipe).equals(recipe());
  }

  /** An archive fits one build of Java only. */
  private static String recipe() {
    return "one for both, "
        + System.getProperty("java.home")
        + " "
        + System.getProperty("java.vm.version");
  }
}
