package dev.sluice.sample;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Two stages with a blocking exchange between them: {@code numbers (1 subtask) -> sum, by key (job
 * parallelism) -> sink}. The second stage starts when the first has finished.
 */
final class BatchGraph {

  private BatchGraph() {}

  static void build(StreamExecutionEnvironment env, CounterOptions options) {
    long keys = options.counting().keys();
    long delay = options.execution().batch().delay().toMillis();
    DataGeneratorSource<Long> numbers =
        new DataGeneratorSource<>(
            number -> slowly(number, delay), options.execution().batch().elements(), Types.LONG);
    env.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers")
        .uid("numbers")
        .setParallelism(1)
        .keyBy(number -> number % keys, Types.LONG)
        .reduce((sum, number) -> slowly(sum + number, delay))
        .uid("sum")
        .name("sum")
        .sinkTo(new DiscardingSink<>())
        .uid("sink")
        .name("sink");
  }

  private static long slowly(long result, long delay) throws InterruptedException {
    Thread.sleep(delay);
    return result;
  }
}
