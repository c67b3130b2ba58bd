package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumberSplitsSerializerTest {

  private final NumberSplitsSerializer serializer = new NumberSplitsSerializer();

  @Test
  void theSerializedFormKeepsEverything() throws IOException {
    List<NumberSplit> splits =
        List.of(new NumberSplit(0, 2, 37, 5, NumberSplit.ENDLESS), new NumberSplit(1, 2, 37, 6, 4));

    assertThat(serializer.deserialize(1, serializer.serialize(splits))).isEqualTo(splits);
    assertThat(serializer.deserialize(1, serializer.serialize(List.of()))).isEmpty();
  }

  @Test
  void oneSplitHasTheFormOfAListOfOne() throws IOException {
    NumberSplit split = new NumberSplit(1, 2, 37, 6, 4);
    byte[] serialized = NumberSplitsSerializer.ofOne().serialize(split);

    assertThat(NumberSplitsSerializer.ofOne().deserialize(1, serialized)).isEqualTo(split);
    assertThat(serializer.deserialize(1, serialized)).containsExactly(split);
  }

  @Test
  void anotherVersionIsRefused() {
    assertThatThrownBy(() -> serializer.deserialize(2, new byte[0]))
        .hasMessageContaining("version 2");
  }
}
