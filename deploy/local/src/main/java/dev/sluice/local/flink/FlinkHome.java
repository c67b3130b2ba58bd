package dev.sluice.local.flink;

import java.nio.file.Path;

/**
 * A Flink home in the cache: what {@code /opt/flink} is in the image. Read only once it is there.
 *
 * @param release its version
 * @param folder absolute
 */
public record FlinkHome(FlinkRelease release, Path folder) {

  /** The jars of Flink and its logging. */
  public Path lib() {
    return folder.resolve("lib");
  }

  /** A file that holds the class path of {@link #lib}, in the order that {@link #archives} need. */
  public Path classpath() {
    return folder.resolve("classpath");
  }

  /** A jar that goes before all others: see {@link LocalNodeClasses}. */
  public Path localNodeClasses() {
    return folder.resolve("local-node.jar");
  }

  /** Where the class data archive {@code flink.jsa} is, if it was made. */
  public Path archives() {
    return folder.resolve("archives");
  }
}
