package dev.sluice.api.common;

import java.util.List;
import java.util.Optional;

/** Where the checkpoints and savepoints of a job go, in every spelling that Flink reads. */
public final class StateDirectories {
  private static final List<String> CHECKPOINTS =
      List.of(
          "execution.checkpointing.dir", "state.checkpoints.dir", "state.backend.fs.checkpointdir");
  private static final List<String> SAVEPOINTS =
      List.of(
          "execution.checkpointing.savepoint-dir",
          "state.savepoints.dir",
          "savepoints.state.backend.fs.dir");

  private StateDirectories() {}

  /** The directory of checkpoints, as people wrote it. */
  public static Optional<String> checkpoints(FlinkConfiguration configuration) {
    return first(configuration, CHECKPOINTS);
  }

  /** The directory of savepoints, as people wrote it. */
  public static Optional<String> savepoints(FlinkConfiguration configuration) {
    return first(configuration, SAVEPOINTS);
  }

  /** The directory of savepoints; the running cluster's wins over that of its target. */
  public static Optional<String> savepoints(FlinkConfiguration running, FlinkConfiguration target) {
    return savepoints(running).or(() -> savepoints(target));
  }

  private static Optional<String> first(FlinkConfiguration configuration, List<String> keys) {
    return keys.stream().filter(configuration::has).findFirst().flatMap(configuration::get);
  }
}
