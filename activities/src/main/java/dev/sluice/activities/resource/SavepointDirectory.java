package dev.sluice.activities.resource;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.List;
import java.util.Optional;

/** Where the savepoints of a job go, unless a path is given for one. */
public final class SavepointDirectory {

  private static final List<String> KEYS =
      List.of("execution.checkpointing.savepoint-dir", "state.savepoints.dir");

  private SavepointDirectory() {}

  /** The directory that is configured, as people wrote it. */
  public static Optional<String> of(FlinkConfiguration configuration) {
    return KEYS.stream()
        .map(configuration::get)
        .flatMap(Optional::stream)
        .filter(directory -> !directory.isBlank())
        .findFirst();
  }
}
