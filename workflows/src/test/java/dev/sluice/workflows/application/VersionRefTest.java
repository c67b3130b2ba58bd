package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.Colour;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VersionRefTest {

  @Test
  void aVersionIsCalledByItsCluster() {
    assertThat(version("1a2b3c4d5e", null).display()).isEqualTo("orders-1a2b3c4d5e");
    assertThat(version("1a2b3c4d5e", Colour.GREEN).display())
        .isEqualTo("orders-1a2b3c4d5e (green)");
  }

  @Test
  void oneOnTheClusterOfAnEarlierVersionIsToldFromThat() {
    assertThat(version("5f6a7b8c9d", null).display()).isEqualTo("5f6a7b8c9d on orders-1a2b3c4d5e");
  }

  private static VersionRef version(String hash, @Nullable Colour colour) {
    return new VersionRef(hash, null, "orders-1a2b3c4d5e", colour, 1, null, false);
  }
}
