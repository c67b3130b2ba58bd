package dev.sluice.sample;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the elements of each key in keyed state, checks every count against the sequence number,
 * and shows the sums as gauges {@code total}, {@code restored}, {@code lost}, {@code doubled},
 * {@code keys} and {@code lastSequence}, and in a log line.
 */
final class CountPerKey extends KeyedProcessFunction<Long, Long, Long>
    implements CheckpointedFunction {

  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(CountPerKey.class);

  private final CounterOptions options;
  private transient @Nullable State state;
  // replaced by the task's thread, read by the thread that reports metrics
  private transient volatile @Nullable Tally tally;
  private transient long restored;
  private transient long countedSinceStart;
  private transient long lastLogNanos;

  private record State(
      ValueState<long[]> count, ValueState<byte[]> payload, ListState<long[]> tallies) {}

  CountPerKey(CounterOptions options) {
    this.options = options;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    KeyedStateStore keyed = context.getKeyedStateStore();
    State opened =
        new State(
            keyed.getState(
                new ValueStateDescriptor<>(
                    "count", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)),
            keyed.getState(
                new ValueStateDescriptor<>(
                    "payload", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)),
            context
                .getOperatorStateStore()
                .getListState(
                    new ListStateDescriptor<>(
                        "tallies", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)));
    Tally sum = Tally.empty(options.counting().keys());
    for (long[] part : opened.tallies().get()) {
      sum = sum.plus(Tally.of(part));
    }
    state = opened;
    tally = sum;
    restored = sum.total();
  }

  @Override
  public void open(OpenContext context) throws Exception {
    options.faults().inOpen();
    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    metrics.gauge("total", () -> tally().total());
    metrics.gauge("restored", () -> restored);
    metrics.gauge("lost", () -> tally().lost());
    metrics.gauge("doubled", () -> tally().doubled());
    metrics.gauge("keys", () -> tally().keys());
    metrics.gauge("lastSequence", () -> tally().lastSequence());
    log();
  }

  @Override
  public void processElement(Long sequence, Context context, Collector<Long> out) throws Exception {
    options.faults().atRecord(countedSinceStart);
    State states = requireNonNull(state);
    long[] kept = states.count().value();
    KeyCount before = kept == null ? KeyCount.NONE : KeyCount.of(kept);
    KeyCount after = before.next(sequence, options.counting().keys());
    states.count().update(after.toState());
    keepPayload(states.payload(), context.getCurrentKey());
    tally = tally().counted(before, after, sequence);
    countedSinceStart++;
    if (System.nanoTime() - lastLogNanos >= options.counting().logEvery().toNanos()) {
      log();
    }
    out.collect(after.count());
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    options.faults().inSnapshot();
    requireNonNull(state).tallies().update(List.of(tally().toState()));
  }

  private void keepPayload(ValueState<byte[]> payload, long key) throws Exception {
    byte[] kept = payload.value();
    if ((kept == null ? 0 : kept.length) != options.counting().stateBytes()) {
      byte[] bytes = new byte[options.counting().stateBytes()];
      new Random(key).nextBytes(bytes);
      payload.update(bytes);
    }
  }

  private Tally tally() {
    return requireNonNull(tally);
  }

  private void log() {
    lastLogNanos = System.nanoTime();
    Tally now = tally();
    LOG.info(
        "COUNTS subtask={} total={} restored={} lost={} doubled={} keys={} lastSequence={}",
        getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks(),
        now.total(),
        restored,
        now.lost(),
        now.doubled(),
        now.keys(),
        now.lastSequence());
  }
}
