package dev.sluice.activities.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file whose existence tells the sample job to misbehave. */
final class FlagFile {

  private FlagFile() {}

  /** Where the flag would be; it is not raised yet. */
  static Path in(FlinkCluster cluster, String name) {
    return cluster.folder(name + "-" + SampleJob.newId());
  }

  static void raise(Path flag) throws IOException {
    Files.createFile(flag);
  }

  static void lower(Path flag) throws IOException {
    Files.delete(flag);
  }
}
