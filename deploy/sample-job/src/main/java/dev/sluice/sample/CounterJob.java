package dev.sluice.sample;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Builds and submits the job that the flags ask for. Flags: {@link CounterOptions}. */
public final class CounterJob {

  private CounterJob() {}

  /**
   * Submits the job.
   *
   * @param args {@code --flag value} pairs
   * @throws IllegalArgumentException for an unknown flag or a value out of range
   */
  public static void main(String[] args) throws Exception {
    CounterOptions options = CounterOptions.parse(args);
    options.faults().inMain();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.registerJobListener(options.faults());
    build(env, options);
    env.execute(options.name());
  }

  static void build(StreamExecutionEnvironment env, CounterOptions options) {
    options.execution().configure(env);
    if (options.execution().batch().wanted()) {
      BatchGraph.build(env, options);
    } else {
      CounterGraph.build(env, options);
    }
  }
}
