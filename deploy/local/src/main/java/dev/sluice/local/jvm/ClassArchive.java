package dev.sluice.local.jvm;

import dev.sluice.local.os.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Class data archive of a class path: Java maps the classes instead of parsing them, which takes a
 * third off a start. A program that starts without one lists the classes it loads in a file {@code
 * seen*}; the archive is made from these lists in the background.
 */
public final class ClassArchive {

  /** Chosen at each start, so that the command does not change when the archive is there. */
  private static final String START =
      """
      java=$1 archive=$2 seen=$3; shift 3
      if [ -f "$archive" ]; then set -- -Xshare:auto "-XX:SharedArchiveFile=$archive" "$@"
      else set -- "-XX:DumpLoadedClassList=$seen" "$@"; fi
      exec "$java" "$@"
      """;

  /**
   * The last line of a list may be incomplete: its program runs. A list is empty when its program
   * could not start.
   */
  private static final String MAKE =
      """
      archive=$1; shift
      sed -s '$d' seen* | awk '!known[$0]++' >list && [ -s list ] && "$@" && mv draft "$archive" && rm -f seen*
      """;

  private final Java java;
  private final Path folder;
  private final String classPath;

  public ClassArchive(Path folder, String classPath) {
    this(Java.current(), folder, classPath);
  }

  /**
   * @param java that starts the program
   * @param folder for the archive and what it is made from
   * @param classPath what the program's class path is, or begins with
   */
  public ClassArchive(Java java, Path folder, String classPath) {
    this.java = java;
    this.folder = folder;
    this.classPath = classPath;
  }

  /** The archive: it fits one build of Java only. */
  public Path file() {
    return folder.resolve(java.version() + ".jsa");
  }

  public boolean isMade() {
    return Files.isRegularFile(file());
  }

  /** The words of a command that stand for {@code java}. */
  public List<String> command() {
    return List.of(
        "sh",
        "-c",
        START,
        "sh",
        java.executable().toString(),
        file().toString(),
        folder.resolve("seen").toString());
  }

  /**
   * Begins to make the archive, at the lowest priority, and does not wait. Does nothing when it is
   * made or in the making, or when no program has run yet.
   *
   * @param environment marks the process that makes it
   */
  public void beginMaking(Map<String, String> environment) throws IOException {
    if (isMade() || !hasLists()) {
      return;
    }
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    "setsid",
                    "nice",
                    "-n",
                    "19",
                    "flock",
                    "--nonblock",
                    "lock",
                    "sh",
                    "-c",
                    MAKE,
                    "sh",
                    file().toString(),
                    java.executable().toString(),
                    "-Xshare:dump",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:SharedClassListFile=list",
                    "-XX:SharedArchiveFile=draft",
                    "-cp",
                    classPath))
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().putAll(environment);
    builder.start();
  }

  private boolean hasLists() throws IOException {
    return !Trees.list(folder, "seen*").isEmpty();
  }
}
