package dev.sluice.sample;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * {@code sequence (1 subtask) -> counter, by key (job parallelism) -> sink}. Every operator has a
 * uid, so that its state is found again after any change of parallelism or of the job's shape.
 * Flags: {@link CounterOptions}.
 */
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
    if (options.maxParallelism() > 0) {
      env.setMaxParallelism(options.maxParallelism());
    }
    build(env, options);
    env.execute(options.name());
  }

  private static void build(StreamExecutionEnvironment env, CounterOptions options) {
    long keys = options.keys();
    DataGeneratorSource<Long> sequence =
        new DataGeneratorSource<>(
            number -> number,
            Long.MAX_VALUE,
            RateLimiterStrategy.perSecond(options.rate()),
            Types.LONG);
    env.fromSource(sequence, WatermarkStrategy.noWatermarks(), "sequence")
        .uid("sequence")
        .setParallelism(1)
        .keyBy(number -> number % keys, Types.LONG)
        .process(new CountPerKey(options), Types.LONG)
        .uid("counter")
        .name("counter")
        .sinkTo(new DiscardingSink<>())
        .uid("sink")
        .name("sink");
  }
}
