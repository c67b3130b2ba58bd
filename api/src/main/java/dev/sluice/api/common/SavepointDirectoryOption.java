package dev.sluice.api.common;

import java.util.List;
import java.util.Optional;

/** The option that says where the savepoints of a job go, in every spelling that Flink reads. */
public final class SavepointDirectoryOption {

  private static final List<String> KEYS =
      List.of(
          "execution.checkpointing.savepoint-dir",
          "state.savepoints.dir",
          "savepoints.state.backend.fs.dir");

  private SavepointDirectoryOption() {}

  /** The directory that is configured, as people wrote it. */
  public static Optional<String> of(FlinkConfiguration configuration) {
    return KEYS.stream()
        .map(configuration::get)
        .flatMap(Optional::stream)
        .filter(directory -> !directory.isBlank())
        .findFirst();
  }

  /** What the running cluster says wins over what its target says. */
  public static Optional<String> of(FlinkConfiguration running, FlinkConfiguration target) {
    return of(running).or(() -> of(target));
  }
}
