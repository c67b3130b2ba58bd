package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerLogTest {
  @Test
  void readsWhatTheApiServerAsks() {
    URI uri =
        URI.create(
            "/containerLogs/ns/pod/c?follow=true&previous=true&tailLines=7&timestamps=false");

    assertThat(ContainerLog.of(uri)).isEqualTo(new ContainerLog("ns", "pod", "c", true, true, 7));
  }

  @Test
  void withoutOptionsItIsTheWholeLogSoFar() {
    assertThat(ContainerLog.of(URI.create("/containerLogs/ns/pod/c")))
        .isEqualTo(new ContainerLog("ns", "pod", "c", false, false, -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/containerLogs/ns/pod",
        "/containerLogs/ns/pod/c?tailLines=many",
        "/containerLogs/ns/pod/c?sinceSeconds=60",
        "/containerLogs/ns/pod/c?timestamps=true"
      })
  void whatItCannotDoIsRefusedWithAReason(String uri) {
    assertThatThrownBy(() -> ContainerLog.of(URI.create(uri)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("null");
  }
}
