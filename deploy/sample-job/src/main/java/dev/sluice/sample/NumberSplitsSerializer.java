package dev.sluice.sample;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Splits as five numbers each, one after the other. */
final class NumberSplitsSerializer implements SimpleVersionedSerializer<List<NumberSplit>> {

  private static final int VERSION = 1;
  private static final int SPLIT_BYTES = 5 * Long.BYTES;

  /** The form of a single split: a list of one. */
  static SimpleVersionedSerializer<NumberSplit> ofOne() {
    return new OfOne(new NumberSplitsSerializer());
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(List<NumberSplit> splits) {
    ByteBuffer bytes = ByteBuffer.allocate(splits.size() * SPLIT_BYTES);
    for (NumberSplit split : splits) {
      bytes.putLong(split.index()).putLong(split.of()).putLong(split.keys());
      bytes.putLong(split.next()).putLong(split.left());
    }
    return bytes.array();
  }

  @Override
  public List<NumberSplit> deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException("Splits of version " + version + "; this job reads version " + VERSION);
    }
    ByteBuffer bytes = ByteBuffer.wrap(serialized);
    List<NumberSplit> splits = new ArrayList<>();
    while (bytes.hasRemaining()) {
      splits.add(
          new NumberSplit(
              (int) bytes.getLong(),
              (int) bytes.getLong(),
              bytes.getLong(),
              bytes.getLong(),
              bytes.getLong()));
    }
    return splits;
  }

  private record OfOne(NumberSplitsSerializer list)
      implements SimpleVersionedSerializer<NumberSplit> {

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(NumberSplit split) {
      return list.serialize(List.of(split));
    }

    @Override
    public NumberSplit deserialize(int version, byte[] serialized) throws IOException {
      return list.deserialize(version, serialized).get(0);
    }
  }
}
