package dev.sluice.sample;

import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * {@code sequence (1 subtask) -> counter, by key (job parallelism) -> sink}. With {@code --splits},
 * {@code splits (job parallelism)} takes the place of {@code sequence}; with {@code
 * --bounded-source} there is a second chain, {@code bounded -> bounded-sink (1 subtask)}. Every
 * operator has a uid, so that its state is found again after any change of parallelism or of the
 * job's shape.
 */
final class CounterGraph {

  private CounterGraph() {}

  static void build(StreamExecutionEnvironment env, CounterOptions options) {
    long keys = options.counting().keys();
    numbers(env, options)
        .keyBy(number -> number % keys, Types.LONG)
        .process(new CountPerKey(options), Types.LONG)
        .uid("counter")
        .name("counter")
        .sinkTo(new DiscardingSink<>())
        .uid("sink")
        .name("sink");
    if (options.sources().boundedSource() >= 0) {
      addBounded(env, options);
    }
  }

  private static DataStream<Long> numbers(StreamExecutionEnvironment env, CounterOptions options) {
    SourceOptions sources = options.sources();
    if (sources.splits() == 0) {
      DataGeneratorSource<Long> sequence =
          new DataGeneratorSource<>(
              number -> number,
              Long.MAX_VALUE,
              RateLimiterStrategy.perSecond(options.rate()),
              Types.LONG);
      return env.fromSource(sequence, WatermarkStrategy.noWatermarks(), "sequence")
          .uid("sequence")
          .setParallelism(1);
    }
    long last = sources.boundedSplit() < 0 ? NumberSplit.ENDLESS : sources.boundedSplit();
    NumberSource splits =
        NumberSource.of(
            NumberSplit.shares(sources.splits(), options.counting().keys(), last), options.rate());
    return env.fromSource(splits, WatermarkStrategy.noWatermarks(), "splits", Types.LONG)
        .uid("splits");
  }

  private static void addBounded(StreamExecutionEnvironment env, CounterOptions options) {
    NumberSource bounded =
        NumberSource.of(
            List.of(NumberSplit.below(options.sources().boundedSource())), options.rate());
    env.fromSource(bounded, WatermarkStrategy.noWatermarks(), "bounded", Types.LONG)
        .uid("bounded")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .uid("bounded-sink")
        .name("bounded-sink")
        .setParallelism(1);
  }
}
