package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Calls to a Temporal that does not answer do not hold all threads. */
class TemporalCallsTest {

  private final TemporalCalls calls = new TemporalCalls("temporal:7233", 1);

  @Test
  void a_call_too_many_is_not_made_and_waits_for_nothing() throws Exception {
    var pool = Executors.newSingleThreadExecutor();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    var first =
        pool.submit(
            () ->
                calls.within(
                    () -> {
                      begun.countDown();
                      answered.await();
                      return true;
                    }));
    begun.await();

    assertThat(failure(() -> calls.within(() -> true)).why()).isNull();

    answered.countDown();
    assertThat(first.get()).isTrue();
    assertThat(calls.within(() -> "next")).isEqualTo("next");
    pool.shutdown();
  }

  @Test
  void a_refusal_is_described_with_its_reason() {
    assertThatThrownBy(
            () ->
                calls.within(
                    () -> {
                      throw Status.INVALID_ARGUMENT
                          .withDescription("no such type")
                          .asRuntimeException();
                    }))
        .hasMessage(
            "Temporal at temporal:7233 refused the call: INVALID_ARGUMENT no such type; running"
                + " jobs are not affected, and the call is tried again");
  }

  private static TemporalFailure failure(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return catchThrowableOfType(TemporalFailure.class, call);
  }
}
