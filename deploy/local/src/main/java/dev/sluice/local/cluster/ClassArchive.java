package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The class data archive of one staged program: Java maps its classes instead of parsing and
 * verifying them, which halves the start. A program without one writes down which classes it loads;
 * from that list the archive is made, beside everything else, and used from the next start on.
 *
 * <p>The program's command line never changes, or it would count as outdated: what does change is
 * in a file of arguments (see "@argfiles" in the manual of {@code java}).
 */
final class ClassArchive {

  private static final String FOLDER = "classes";

  private final Path home;
  private final Path program;
  private final Path folder;
  private final Path seen;
  private final Path archive;
  private final Path draft;

  /**
   * @param home of the cluster
   * @param program folder of the program's copy
   */
  ClassArchive(Path home, Path program) {
    this.home = home;
    this.program = program;
    this.folder = program.resolve(FOLDER);
    this.seen = folder.resolve("seen");
    // an archive fits one build of Java only
    this.archive = folder.resolve(System.getProperty("java.vm.version") + ".jsa");
    this.draft = folder.resolve("draft.jsa");
  }

  /** The argument for {@code java}. */
  String argument() {
    return "@" + arguments();
  }

  /** Writes the arguments: to use the archive, or to find out what belongs into it. */
  void choose() throws IOException {
    Files.createDirectories(folder);
    Path next = isMade() ? using() : finding();
    Files.move(next, arguments(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path using() throws IOException {
    String archived = "-Xshare:auto\n" + quoted("-XX:SharedArchiveFile=" + archive);
    return Files.writeString(folder.resolve("arguments.using"), archived + "\n");
  }

  private Path finding() throws IOException {
    String listed = quoted("-XX:DumpLoadedClassList=" + seen);
    return Files.writeString(folder.resolve("arguments.finding"), listed + "\n");
  }

  boolean isMade() {
    return Files.isRegularFile(archive);
  }

  /**
   * Begins to make the archive and does not wait: at the lowest priority, in a process that belongs
   * to the cluster and so ends with it. Does nothing when it is made or in the making, or when the
   * program has not run yet.
   */
  void beginMaking() throws IOException {
    if (isMade()
        || !Files.isRegularFile(seen)
        || new MarkedProcesses(home).anyRuns(draft.toString())) {
      return;
    }
    Path list = Files.write(folder.resolve("list"), wholeLines(Files.readString(seen)));
    ProcessBuilder builder =
        new ProcessBuilder(makingCommand(list, using()))
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().putAll(Map.of(PartSpecs.CLUSTER_MARK, home.toString()));
    builder.start();
  }

  private List<String> makingCommand(Path list, Path using) {
    List<String> command = new ArrayList<>(List.of("setsid", "nice", "-n", "19", "sh", "-c"));
    command.add(
        "draft=$1 archive=$2 using=$3 arguments=$4; shift 4;"
            + " \"$@\" && mv \"$draft\" \"$archive\" && mv \"$using\" \"$arguments\"");
    command.addAll(List.of("sh", draft.toString(), archive.toString()));
    command.addAll(List.of(using.toString(), arguments().toString()));
    command.addAll(List.of(JavaCommand.java(), "-Xshare:dump", "-XX:+UseSerialGC"));
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:SharedClassListFile=" + list);
    command.add("-XX:SharedArchiveFile=" + draft);
    command.addAll(List.of("-cp", program + "/*"));
    return command;
  }

  /** The program may be writing the last line. */
  static List<String> wholeLines(String text) {
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private Path arguments() {
    return folder.resolve("arguments");
  }

  /** In these files blanks separate arguments, unless in quotes. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
