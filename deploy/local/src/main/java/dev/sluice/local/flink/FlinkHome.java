package dev.sluice.local.flink;

import dev.sluice.local.jvm.ClassArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Flink home in the cache: what {@code /opt/flink} is in the image. Read only once it is there,
 * but for its class data archive.
 *
 * @param release its version
 * @param folder absolute
 */
public record FlinkHome(FlinkRelease release, Path folder) {

  public Path lib() {
    return folder.resolve("lib");
  }

  /**
   * A file that holds the class path of {@link #lib}, in the order that {@link #classArchive} need.
   */
  public Path classpath() {
    return folder.resolve("classpath");
  }

  /** A jar that goes before all others: see {@link LocalNodeClasses}. */
  public Path localNodeClasses() {
    return folder.resolve("local-node.jar");
  }

  /** What JobManager and TaskManager start quicker with; one for both, whose memory they share. */
  ClassArchive classArchive() throws IOException {
    String classPath = localNodeClasses() + ":" + Files.readString(classpath());
    return new ClassArchive(folder.resolve("classes"), classPath);
  }
}
