package dev.sluice.api.common;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Which kind of checkpoint Flink is asked for. */
public enum CheckpointType {
  /** One that shares no file with earlier checkpoints. */
  FULL,
  /** What the job's checkpoints are by its own configuration. */
  CONFIGURED,
  /** One on top of an earlier one; Flink 1.19 and later cannot be asked for it (FLINK-33723). */
  INCREMENTAL;

  /** Default of checkpoints that a spec asks for by a nonce or periodically. */
  public static final String KEY = "kubernetes.operator.checkpoint.type";

  /** What the configuration says, in any case; {@link #FULL} where it says nothing known. */
  public static CheckpointType of(FlinkConfiguration configuration) {
    return configuration.get(KEY).flatMap(CheckpointType::parse).orElse(FULL);
  }

  /** The type of that name, in any case; empty when there is none. */
  public static Optional<CheckpointType> parse(String text) {
    String name = text.trim().toUpperCase(Locale.ROOT);
    return Arrays.stream(values()).filter(it -> it.name().equals(name)).findFirst();
  }

  /** Whether that Flink takes it by request. */
  public boolean isTakenBy(FlinkVersion version) {
    return version.takesCheckpoints()
        && (this != INCREMENTAL || !version.isAtLeast(FlinkVersion.V1_19));
  }
}
