package dev.sluice.local.cluster;

import dev.sluice.local.jvm.ClassArchive;
import dev.sluice.local.jvm.Java;
import dev.sluice.local.jvm.SmallJvm;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A program that Maven built in this repository. It runs from a copy in the cluster's home, because
 * a JVM does not survive its jars being rebuilt under it.
 *
 * @param name the module's last folder, such as {@code controller}
 * @param mainClass what it starts with
 * @param jars its jar and those of its dependencies
 * @param fingerprint changes with every build
 * @param java that runs it
 */
record Application(String name, String mainClass, List<Path> jars, String fingerprint, Java java) {

  Application(String name, String mainClass, List<Path> jars, String fingerprint) {
    this(name, mainClass, jars, fingerprint, Java.current());
  }

  /**
   * What Maven built of a module.
   *
   * @param module its folder below {@code root}
   * @return empty when it is not built
   */
  static Optional<Application> built(Path root, String module, String mainClass) {
    Path target = root.resolve(module).resolve("target");
    String name = Path.of(module).getFileName().toString();
    try {
      List<Path> own = Trees.list(target, "sluice-" + name + "-[0-9]*.jar");
      List<Path> jars = new ArrayList<>(own);
      jars.addAll(Trees.list(target.resolve("lib"), "*.jar"));
      return own.isEmpty()
          ? Optional.empty()
          : Optional.of(new Application(name, mainClass, jars, fingerprint(jars)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Application on(Java other) {
    return new Application(name, mainClass, jars, fingerprint, other);
  }

  Path folder(Path home) {
    return folders(home).resolve(name + "-" + fingerprint);
  }

  static Path folders(Path home) {
    return home.resolve("applications");
  }

  ClassArchive classArchive(Path home) {
    return new ClassArchive(java, folder(home).resolve("classes"), folder(home) + "/*");
  }

  /** How the copy is started: as small as our own Java programs are on a laptop. */
  List<String> command(Path home, int heapMegabytes, List<String> options) {
    List<String> command = new ArrayList<>(classArchive(home).command());
    command.addAll(SmallJvm.flags(heapMegabytes));
    command.addAll(options);
    command.addAll(List.of("-cp", folder(home) + "/*", mainClass));
    return command;
  }

  /** Makes copies of what is built now; deletes those that nothing runs from any more. */
  static void stage(Path home, List<Application> current) throws IOException {
    for (Application application : current) {
      application.stage(home);
    }
    List<Path> wanted = current.stream().map(application -> application.folder(home)).toList();
    MarkedProcesses processes = new MarkedProcesses(home);
    for (Path folder : Trees.list(folders(home), "*")) {
      if (!wanted.contains(folder) && !processes.anyRuns(folder + "/")) {
        Trees.delete(folder);
      }
    }
  }

  void stage(Path home) throws IOException {
    Path folder = folder(home);
    if (Files.isDirectory(folder)) {
      return;
    }
    Files.createDirectories(folder.getParent());
    Path temporary = Files.createTempDirectory(folder.getParent(), "partial");
    for (Path jar : jars) {
      Files.copy(jar, temporary.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.createDirectory(temporary.resolve("classes"));
    Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String fingerprint(List<Path> jars) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path jar : jars) {
      text.append(jar.getFileName()).append(' ').append(Files.size(jar)).append(' ');
      text.append(Files.getLastModifiedTime(jar)).append('\n');
    }
    return Fingerprint.of(text.toString());
  }
}
