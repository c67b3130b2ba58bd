package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SearchAttributeRegistrationTest {

  @Test
  void attributesThatExistAreFine() {
    try (TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance()) {
      SearchAttributeRegistration registration =
          new SearchAttributeRegistration(
              temporal.getWorkflowServiceStubs(), temporal.getNamespace(), Duration.ofMinutes(1));
      registration.ensure();

      assertThatCode(registration::ensure).doesNotThrowAnyException();
    }
  }

  @Test
  void aServerThatIsAwayIsToldToTheCaller() {
    WorkflowServiceStubs away =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:1").build());

    assertThatThrownBy(
            () -> new SearchAttributeRegistration(away, "default", Duration.ofMillis(200)).ensure())
        .isInstanceOf(StatusRuntimeException.class);
    away.shutdownNow();
  }
}
