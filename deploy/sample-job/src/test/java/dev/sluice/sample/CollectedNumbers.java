package dev.sluice.sample;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/** Keeps what a reader emits. */
final class CollectedNumbers implements ReaderOutput<Long> {

  private final List<Long> numbers = new ArrayList<>();

  List<Long> numbers() {
    return numbers;
  }

  @Override
  public void collect(Long number) {
    numbers.add(number);
  }

  @Override
  public void collect(Long number, long timestamp) {
    numbers.add(number);
  }

  @Override
  public void emitWatermark(Watermark watermark) {}

  @Override
  public void markIdle() {}

  @Override
  public void markActive() {}

  @Override
  public SourceOutput<Long> createOutputForSplit(String split) {
    return this;
  }

  @Override
  public void releaseOutputForSplit(String split) {}
}
