package dev.sluice.sample;

import java.io.Serial;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Numbers in splits, some of which may end. A subtask whose splits have all ended finishes, also
 * when others go on.
 */
final class NumberSource implements Source<Long, NumberSplit, List<NumberSplit>> {

  @Serial private static final long serialVersionUID = 1L;

  private final List<NumberSplit> splits;
  private final RateLimiterStrategy rate;

  private NumberSource(List<NumberSplit> splits, long perSecond) {
    this.splits = splits;
    this.rate = RateLimiterStrategy.perSecond(perSecond);
  }

  /**
   * @param splits all of its splits, at their beginning
   * @param perSecond elements per second, divided equally among the subtasks
   */
  static NumberSource of(List<NumberSplit> splits, long perSecond) {
    return new NumberSource(splits, perSecond);
  }

  @Override
  public Boundedness getBoundedness() {
    return splits.stream().allMatch(split -> split.left() < NumberSplit.ENDLESS)
        ? Boundedness.BOUNDED
        : Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SplitEnumerator<NumberSplit, List<NumberSplit>> createEnumerator(
      SplitEnumeratorContext<NumberSplit> context) {
    return new NumberEnumerator(context, splits);
  }

  @Override
  public SplitEnumerator<NumberSplit, List<NumberSplit>> restoreEnumerator(
      SplitEnumeratorContext<NumberSplit> context, List<NumberSplit> unassigned) {
    return new NumberEnumerator(context, unassigned);
  }

  @Override
  public SourceReader<Long, NumberSplit> createReader(SourceReaderContext context) {
    return new RateLimitedSourceReader<>(
        new NumberReader(splits.size()), rate.createRateLimiter(context.currentParallelism()));
  }

  @Override
  public SimpleVersionedSerializer<NumberSplit> getSplitSerializer() {
    return NumberSplitsSerializer.ofOne();
  }

  @Override
  public SimpleVersionedSerializer<List<NumberSplit>> getEnumeratorCheckpointSerializer() {
    return new NumberSplitsSerializer();
  }
}
