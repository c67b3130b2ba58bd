package dev.sluice.local.node.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogRequestTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  @Test
  void readsWhatTheApiServerAsks() {
    URI uri =
        URI.create(
            "/containerLogs/ns/pod/c?follow=true&previous=true&tailLines=7&limitBytes=99"
                + "&sinceSeconds=60");

    assertThat(LogRequest.of(uri, NOW))
        .isEqualTo(new LogRequest("ns", "pod", "c", true, true, 7, 99, NOW.minusSeconds(60)));
  }

  @Test
  void withoutOptionsItIsTheWholeLogSoFar() {
    assertThat(LogRequest.of(URI.create("/containerLogs/ns/pod/c"), NOW))
        .isEqualTo(new LogRequest("ns", "pod", "c", false, false, -1, -1, null));
  }

  @Test
  void aTimeToStartFromMayBeColonEncoded() {
    URI uri = URI.create("/containerLogs/ns/pod/c?sinceTime=2026-11-21T07%3A00%3A00Z");

    assertThat(LogRequest.of(uri, NOW).since()).isEqualTo(Instant.parse("2026-11-21T07:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/containerLogs/ns/pod",
        "/containerLogs/ns/pod/c?tailLines=many",
        "/containerLogs/ns/pod/c?sinceTime=yesterday",
        "/containerLogs/ns/pod/c?timestamps=true"
      })
  void whatItCannotDoIsRefusedWithAReason(String uri) {
    assertThatThrownBy(() -> LogRequest.of(URI.create(uri), NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("null");
  }
}
