package dev.sluice.sample;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/** Keeps what an enumerator tells the readers, of which there are as many as the parallelism. */
final class RecordedAssignments implements SplitEnumeratorContext<NumberSplit> {

  private final int parallelism;
  private final Map<Integer, List<NumberSplit>> assigned = new HashMap<>();
  private final Set<Integer> toldOfNoMoreSplits = new HashSet<>();

  RecordedAssignments(int parallelism) {
    this.parallelism = parallelism;
  }

  List<NumberSplit> of(int subtask) {
    return assigned.getOrDefault(subtask, List.of());
  }

  Set<Integer> toldOfNoMoreSplits() {
    return toldOfNoMoreSplits;
  }

  @Override
  public int currentParallelism() {
    return parallelism;
  }

  @Override
  public void assignSplits(SplitsAssignment<NumberSplit> splits) {
    splits
        .assignment()
        .forEach(
            (subtask, added) ->
                assigned.computeIfAbsent(subtask, key -> new ArrayList<>()).addAll(added));
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    toldOfNoMoreSplits.add(subtask);
  }

  @Override
  public SplitEnumeratorMetricGroup metricGroup() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void sendEventToSourceReader(int subtask, SourceEvent event) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<Integer, ReaderInfo> registeredReaders() {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> void callAsync(
      Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void runInCoordinatorThread(Runnable runnable) {
    throw new UnsupportedOperationException();
  }
}
