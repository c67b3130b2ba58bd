package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** A writer applies only the fields it owns, so a status must serialise to exactly what was set. */
class JsonOfStatusTest {
  @Test
  void anEmptyStatusIsAnEmptyObject() {
    assertThat(Serialization.asJson(FlinkDeploymentStatus.EMPTY)).isEqualTo("{}");
  }

  @Test
  void onlyTheFieldsThatWereSetAreWritten() {
    FlinkDeploymentStatus status =
        FlinkDeploymentStatus.EMPTY
            .withOperation(
                OperationStatus.EMPTY
                    .withType(OperationType.UPGRADE)
                    .withState(OperationState.RUNNING)
                    .withTargetGeneration(8L))
            .withJobStatus(JobStatus.EMPTY.withState(FlinkJobState.RUNNING));

    assertThat(Serialization.asJson(status))
        .isEqualTo(
            "{\"jobStatus\":{\"state\":\"RUNNING\"},\"operation\":{\"type\":\"Upgrade\","
                + "\"state\":\"Running\",\"targetGeneration\":8}}");
  }

  @Test
  void aSpecHasNoPropertyThatIsNoField() {
    assertThat(Serialization.asJson(FlinkDeploymentSpec.EMPTY))
        .isEqualTo(
            "{\"jobManager\":{\"replicas\":1},\"taskManager\":{},\"logConfiguration\":{},"
                + "\"mode\":\"native\"}");
  }

  @Test
  void aStateOfALaterReleaseReadsAsUnknown() {
    FlinkDeploymentStatus status =
        Serialization.unmarshal(
            "{\"lifecycleState\":\"LEVITATING\",\"jobStatus\":{\"state\":\"DREAMING\"},"
                + "\"operation\":{\"type\":\"Teleport\"},\"later\":1}",
            FlinkDeploymentStatus.class);

    assertThat(status)
        .isEqualTo(
            FlinkDeploymentStatus.EMPTY
                .withJobStatus(JobStatus.EMPTY)
                .withOperation(OperationStatus.EMPTY));
  }

  @Test
  void aResourceWithoutSpecAndStatusIsReadWithoutNulls() {
    FlinkDeployment resource =
        Serialization.unmarshal(
            "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nspec: null\nstatus: null",
            FlinkDeployment.class);

    assertThat(resource.getSpec()).isEqualTo(FlinkDeploymentSpec.EMPTY);
    assertThat(resource.getStatus()).isEqualTo(FlinkDeploymentStatus.EMPTY);
  }
}
