package dev.sluice.sample;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/** Reads its splits by turns; its input ends when all of them have ended and no more will come. */
final class NumberReader implements SourceReader<Long, NumberSplit> {

  private final int splitsOfTheSource;
  private final Deque<NumberSplit> splits = new ArrayDeque<>();
  private boolean noMoreSplits;
  private CompletableFuture<Void> available = new CompletableFuture<>();

  /**
   * @param splitsOfTheSource number of splits that the numbers are dealt to
   */
  NumberReader(int splitsOfTheSource) {
    this.splitsOfTheSource = splitsOfTheSource;
  }

  @Override
  public void start() {
    // splits come without a request
  }

  @Override
  public InputStatus pollNext(ReaderOutput<Long> output) {
    NumberSplit split = splits.poll();
    if (split != null) {
      output.collect(split.next());
      keep(split.advanced());
      return InputStatus.MORE_AVAILABLE;
    }
    if (noMoreSplits) {
      return InputStatus.END_OF_INPUT;
    }
    if (available.isDone()) {
      available = new CompletableFuture<>();
    }
    return InputStatus.NOTHING_AVAILABLE;
  }

  /**
   * Takes new splits, or those of a restored state.
   *
   * @throws IllegalStateException when the state was made with another number of splits: numbers
   *     would be read twice or never
   */
  @Override
  public void addSplits(List<NumberSplit> added) {
    for (NumberSplit split : added) {
      if (split.of() != splitsOfTheSource) {
        throw new IllegalStateException(
            "The state was made with --splits "
                + split.of()
                + " and the job now has --splits "
                + splitsOfTheSource
                + ". Use the old value, or start without state.");
      }
      keep(split);
    }
    available.complete(null);
  }

  @Override
  public void notifyNoMoreSplits() {
    noMoreSplits = true;
    available.complete(null);
  }

  @Override
  public List<NumberSplit> snapshotState(long checkpoint) {
    return List.copyOf(splits);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return available;
  }

  @Override
  public void close() {
    // holds nothing
  }

  private void keep(NumberSplit split) {
    if (!split.ended()) {
      splits.add(split);
    }
  }
}
