package dev.sluice.sample;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/**
 * Assigns each split once, round robin, and tells every subtask that no more will come. After a
 * restore the splits are in the readers' state, which Flink deals out to the subtasks by itself.
 */
final class NumberEnumerator implements SplitEnumerator<NumberSplit, List<NumberSplit>> {

  private final SplitEnumeratorContext<NumberSplit> context;
  private final List<NumberSplit> unassigned;

  NumberEnumerator(SplitEnumeratorContext<NumberSplit> context, List<NumberSplit> unassigned) {
    this.context = context;
    this.unassigned = new ArrayList<>(unassigned);
  }

  @Override
  public void start() {
    // splits are assigned when a reader registers
  }

  @Override
  public void addReader(int subtask) {
    List<NumberSplit> assigned =
        unassigned.stream()
            .filter(split -> split.index() % context.currentParallelism() == subtask)
            .toList();
    unassigned.removeAll(assigned);
    assigned.forEach(split -> context.assignSplit(split, subtask));
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void addSplitsBack(List<NumberSplit> splits, int subtask) {
    unassigned.addAll(splits);
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    // readers get their splits without a request
  }

  @Override
  public List<NumberSplit> snapshotState(long checkpoint) {
    return List.copyOf(unassigned);
  }

  @Override
  public void close() {
    // holds nothing
  }
}
