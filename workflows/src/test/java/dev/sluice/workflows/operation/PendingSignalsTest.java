package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PendingSignalsTest {

  /** Of a run that was started for generation 7. */
  @ParameterizedTest
  @CsvSource({
    "nothing,                      ",
    "retarget 8,                   Newer[generation=8]",
    "retarget 6,                   ",
    "observed 8; retarget 8,       ",
    "retarget 999; observed 7,     ",
    "retarget 8; abort stop,       Abort[reason=stop]",
    "abort stop; delete,           Delete[]",
    "hold; abort stop,             ",
    "hold; abort stop; retarget 8, ",
    "hold; abort stop; release,    Abort[reason=stop]",
    "abort first; abort second,    Abort[reason=first]",
    "not abortable; abort stop,    ",
  })
  void theStrongestRequestInterrupts(String happens, @Nullable String interrupt) {
    PendingSignals requests = new PendingSignals(7, true);
    for (String one : happens.split("; ")) {
      happens(requests, one.split(" "));
    }

    assertThat(requests.interrupt() == null ? null : requests.interrupt().toString())
        .isEqualTo(interrupt);
  }

  private static void happens(PendingSignals requests, String... what) {
    switch (what[0]) {
      case "retarget" -> requests.retarget(Long.parseLong(what[1]));
      case "observed" -> requests.observed(requests.wanted(), Long.parseLong(what[1]));
      case "abort" -> requests.abort(what[1]);
      case "delete" -> requests.delete();
      case "hold" -> requests.holdAbort(true);
      case "release" -> requests.holdAbort(false);
      case "not" -> requests.abortable(false);
      default -> assertThat(what).containsExactly("nothing");
    }
  }

  @Test
  void generationThatWasAskedForDuringTheObservationInterrupts() {
    PendingSignals requests = new PendingSignals(7, true);
    long before = requests.wanted();
    requests.retarget(9);
    requests.observed(before, 8);

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Newer(9));
  }

  @Test
  void whatIsHeldStaysAskedForAndShown() {
    PendingSignals requests = new PendingSignals(7, true);
    requests.holdAbort(true);
    requests.abort(" ");

    assertThat(requests.pending()).containsExactly("abort: no reason given");
  }

  @Test
  void retryThatCameBeforeItWasWaitedForIsVoid() {
    PendingSignals requests = new PendingSignals(7, true);
    requests.retry();
    requests.forgetRetry();

    assertThat(requests.retryAsked()).isFalse();
  }
}
