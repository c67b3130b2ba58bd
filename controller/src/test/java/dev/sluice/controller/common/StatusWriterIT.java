package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.deployment.DeployedSpec;
import dev.sluice.controller.deployment.DeploymentProjection;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Against a real API server, which is the one that refuses. */
@ExtendWith(ApiServer.Extension.class)
class StatusWriterIT {

  /** Not a number of replicas that the scale subresource takes. */
  private static final FlinkDeploymentStatus REFUSED =
      FlinkDeploymentStatus.EMPTY
          .withObservedGeneration(1L)
          .withTaskManager(new TaskManagerInfo("app=orders", -1_073_741_824));

  private final DeploymentProjection fields = new DeploymentProjection(Clock.systemUTC());
  private StatusWriter<FlinkDeployment, FlinkDeploymentStatus> writer;
  private FlinkDeployment resource;

  @BeforeEach
  void createResource(ApiServer server) {
    writer =
        new StatusWriter<>(
            server.client(),
            FlinkDeployment.class,
            fields,
            Clock.systemUTC(),
            Duration.ofSeconds(10));
    FlinkDeployment wanted = new FlinkDeployment();
    wanted.setMetadata(
        new ObjectMetaBuilder().withNamespace(server.namespace()).withName("orders").build());
    wanted.setSpec(DeployedSpec.valid());
    resource = server.client().resource(wanted).create();
  }

  @Test
  void a_status_that_is_refused_is_replaced_by_one_that_says_why() {
    FlinkDeployment written = writer.apply(resource, REFUSED).orElseThrow();

    Condition ready = written.getStatus().condition("Ready").orElseThrow();
    assertThat(ready.getStatus()).isEqualTo("False");
    assertThat(ready.getReason()).isEqualTo("StatusRefused");
    assertThat(ready.getMessage())
        .startsWith(
            "The API server refuses the status of this resource: status.taskManager.replicas: ")
        .doesNotContain("https:");
    assertThat(written.getStatus().observedGeneration()).isEqualTo(1);
  }

  @Test
  void a_status_that_is_refused_is_not_sent_again() {
    FlinkDeployment written =
        writer.apply(resource, refusedAt("2026-11-21T10:00:00Z")).orElseThrow();

    assertThat(writer.due(written, refusedAt("2026-11-21T10:00:01Z"))).isEmpty();
  }

  /** As it is projected anew each time: nothing in the status remembers when it changed. */
  private static FlinkDeploymentStatus refusedAt(String time) {
    return REFUSED.withConditions(
        List.of(
            new ConditionBuilder()
                .withType("Progressing")
                .withStatus("True")
                .withReason("Upgrading")
                .withMessage("Upgrading.")
                .withLastTransitionTime(time)
                .build()));
  }

  @Test
  void another_status_is_written_after_one_that_was_refused() {
    FlinkDeployment written = writer.apply(resource, REFUSED).orElseThrow();
    FlinkDeploymentStatus better =
        REFUSED.withTaskManager(new TaskManagerInfo("app=orders", 2)).withConditions(List.of());

    assertThat(writer.due(written, better)).contains(Duration.ZERO);
    FlinkDeploymentStatus status = writer.apply(written, better).orElseThrow().getStatus();
    assertThat(status.taskManager().replicas()).isEqualTo(2);
    assertThat(status.condition("Ready")).isEmpty();
  }

  @Test
  void another_instance_of_the_name_is_not_taken_for_this_one() {
    resource.getMetadata().setUid("00000000-0000-4000-8000-000000000000");

    Optional<FlinkDeployment> written =
        writer.apply(resource, FlinkDeploymentStatus.EMPTY.withObservedGeneration(1L));

    assertThat(written).isEmpty();
  }

  /** A job id in it would prove that a job of the new instance was started. */
  @Test
  void another_instance_of_the_name_does_not_keep_the_status_of_this_one(ApiServer server) {
    resource.getMetadata().setUid("00000000-0000-4000-8000-000000000000");
    FlinkDeploymentStatus status =
        FlinkDeploymentStatus.EMPTY
            .withObservedGeneration(4L)
            .withJobStatus(JobStatus.EMPTY.withJobId("ab12cd34ab12cd34ab12cd34ab12cd34"));

    writer.apply(resource, status);

    assertThat(server.client().resource(resource).get().getStatus())
        .isEqualTo(FlinkDeploymentStatus.EMPTY.withObservedGeneration(0L));
  }
}
