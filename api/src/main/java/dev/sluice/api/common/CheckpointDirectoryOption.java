package dev.sluice.api.common;

import java.util.List;
import java.util.Optional;

/** The option that says where the checkpoints of a job go, in every spelling that Flink reads. */
public final class CheckpointDirectoryOption {

  private static final List<String> KEYS =
      List.of(
          "execution.checkpointing.dir", "state.checkpoints.dir", "state.backend.fs.checkpointdir");

  private CheckpointDirectoryOption() {}

  /** The directory that is configured, as people wrote it. */
  public static Optional<String> of(FlinkConfiguration configuration) {
    return KEYS.stream()
        .map(configuration::get)
        .flatMap(Optional::stream)
        .filter(directory -> !directory.isBlank())
        .findFirst();
  }
}
