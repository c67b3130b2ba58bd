package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PendingSignalsTest {

  private final PendingSignals requests = new PendingSignals(7, true);

  @Test
  void nothingIsAskedAtFirst() {
    assertThat(requests.interrupt()).isNull();
    assertThat(requests.pending()).isEmpty();
  }

  @Test
  void newerGenerationInterrupts() {
    requests.retarget(8);

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Newer(8));
  }

  @Test
  void olderGenerationDoesNotInterrupt() {
    requests.retarget(6);

    assertThat(requests.interrupt()).isNull();
  }

  @Test
  void generationThatTheRunFoundItselfDoesNotInterrupt() {
    requests.observed(requests.wanted(), 8);
    requests.retarget(8);

    assertThat(requests.interrupt()).isNull();
  }

  @Test
  void generationThatWasNeverThereIsForgottenOnceTheRunHasLooked() {
    PendingSignals started = new PendingSignals(999_999, true);

    started.observed(started.wanted(), 7);

    assertThat(started.interrupt()).isNull();
  }

  @Test
  void generationThatWasAskedForDuringTheObservationInterrupts() {
    long before = requests.wanted();
    requests.retarget(9);
    requests.observed(before, 8);

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Newer(9));
  }

  @Test
  void abortWinsOverANewerGeneration() {
    requests.retarget(8);
    requests.abort("stop");

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Abort("stop"));
  }

  @Test
  void deletionWinsOverAnAbort() {
    requests.abort("stop");
    requests.delete();

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Delete());
  }

  @Test
  void heldAbortStaysAskedForButDoesNotInterrupt() {
    requests.holdAbort(true);
    requests.abort("stop");

    assertThat(requests.interrupt()).isNull();
    assertThat(requests.pending()).containsExactly("abort: stop");
  }

  @Test
  void heldAbortInterruptsOnceItIsReleased() {
    requests.holdAbort(true);
    requests.abort("stop");
    requests.holdAbort(false);

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Abort("stop"));
  }

  @Test
  void firstReasonOfAnAbortIsKept() {
    requests.abort("first");
    requests.abort("second");

    assertThat(requests.interrupt()).isEqualTo(new InterruptedRun.Interrupt.Abort("first"));
  }

  @Test
  void abortWithoutAReasonSaysSo() {
    requests.abort(" ");

    assertThat(requests.pending()).containsExactly("abort: no reason given");
  }

  @Test
  void abortHasNoMeaningForARollback() {
    PendingSignals ofRollback = new PendingSignals(7, false);
    ofRollback.abort("stop");

    assertThat(ofRollback.interrupt()).isNull();
    assertThat(ofRollback.pending()).isEmpty();
  }

  @Test
  void retryThatCameBeforeItWasWaitedForIsVoid() {
    requests.retry();
    requests.forgetRetry();

    assertThat(requests.retryAsked()).isFalse();
  }
}
