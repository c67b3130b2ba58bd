package dev.sluice.sample;

import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * How Flink is told, in code, to run the job.
 *
 * @param maxParallelism maximum parallelism; 0: Flink's default
 * @param retention what becomes of the checkpoints of a canceled job
 * @param noSlots whether each slot has to be larger than any TaskManager
 * @param batch whether and how it is a batch job
 */
record Execution(int maxParallelism, Retention retention, boolean noSlots, Batch batch)
    implements Serializable {

  @Serial private static final long serialVersionUID = 1L;

  private static final double MORE_CORES_THAN_ANY_MACHINE_HAS = 1_000_000;

  /** What becomes of the checkpoints of a canceled job. */
  enum Retention {
    /** What Flink's configuration says. */
    CONFIGURED,
    /** They are deleted, whatever Flink's configuration says. */
    DELETE,
    /** They stay, whatever Flink's configuration says. */
    RETAIN
  }

  /**
   * A batch job.
   *
   * @param wanted whether the job is one
   * @param elements how many elements it reads
   * @param delay how long each element takes in each stage
   */
  record Batch(boolean wanted, long elements, Duration delay) implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  static Execution parse(Flags flags) {
    return new Execution(
        (int) flags.number("max-parallelism", 0, 0, 32768),
        flags.choice("retention", Retention.CONFIGURED),
        flags.yes("no-slots"),
        new Batch(
            flags.yes("batch"),
            flags.number("batch-elements", 100, 1, Long.MAX_VALUE),
            Duration.ofMillis(flags.number("batch-delay", 10, 0, 3_600_000))));
  }

  void configure(StreamExecutionEnvironment env) {
    if (maxParallelism > 0) {
      env.setMaxParallelism(maxParallelism);
    }
    switch (retention) {
      case CONFIGURED -> {}
      case DELETE -> retain(env, ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION);
      case RETAIN -> retain(env, ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    }
    if (noSlots) {
      // of the group that every operator is in
      env.registerSlotSharingGroup(
          SlotSharingGroup.newBuilder("default")
              .setCpuCores(MORE_CORES_THAN_ANY_MACHINE_HAS)
              .setTaskHeapMemoryMB(1)
              .build());
    }
    if (batch.wanted()) {
      env.setRuntimeMode(RuntimeExecutionMode.BATCH);
    }
  }

  private static void retain(
      StreamExecutionEnvironment env, ExternalizedCheckpointRetention retention) {
    env.getCheckpointConfig().setExternalizedCheckpointRetention(retention);
  }
}
