package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusWriter.Written;
import dev.sluice.controller.deployment.DeployedSpec;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
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

  private StatusWriter<FlinkDeployment, FlinkDeploymentStatus> writer;
  private FlinkDeployment resource;

  @BeforeEach
  void createResource(ApiServer server) {
    writer = new StatusWriter<>(server.client(), FlinkDeployment.class);
    FlinkDeployment wanted = new FlinkDeployment();
    wanted.setMetadata(
        new ObjectMetaBuilder().withNamespace(server.namespace()).withName("orders").build());
    wanted.setSpec(DeployedSpec.valid());
    resource = server.client().resource(wanted).create();
  }

  @Test
  void a_status_that_is_refused_is_told_with_its_field() {
    Written<FlinkDeployment> written = writer.apply(resource, REFUSED);

    assertThat(written.resource()).isNull();
    assertThat(written.refused()).startsWith("status.taskManager.replicas: ");
  }

  @Test
  void another_instance_of_the_name_is_not_taken_for_this_one() {
    resource.getMetadata().setUid("00000000-0000-4000-8000-000000000000");

    Written<FlinkDeployment> written =
        writer.apply(resource, FlinkDeploymentStatus.EMPTY.withObservedGeneration(1L));

    assertThat(written).isEqualTo(new Written<>(null, null));
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
