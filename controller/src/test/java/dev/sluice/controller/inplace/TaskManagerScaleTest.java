package dev.sluice.controller.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.support.UnreliableApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each change of the number restarts the job, and the Deployment changes with each of its pods. */
class TaskManagerScaleTest {

  private static final String UID = "0a1b2c3d-0000-4000-8000-00000000000f";
  private static final ResourceRef REF =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "shop", "orders", "uid-1");

  private final UnreliableApiServer server = new UnreliableApiServer();
  private final TaskManagerScale scale = new TaskManagerScale(server.client());
  private int version;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aNumberIsSetOnceAndWhatSomethingElseSetsAfterwardsStays() {
    assertThat(bring(5, 2).events()).hasSize(1);
    for (int time = 0; time < 3; time++) {
      assertThat(bring(2, 2)).isEqualTo(InPlaceOutcome.DONE);
      assertThat(bring(7, 2)).isEqualTo(InPlaceOutcome.DONE);
    }

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aNumberThatWasThereIsNotPutRight() {
    assertThat(bring(2, 2)).isEqualTo(InPlaceOutcome.DONE);

    assertThat(bring(5, 2)).isEqualTo(InPlaceOutcome.DONE);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aWriteThatTheInformerHasNotSeenYetIsNotRepeated() {
    InPlaceOutcome unused = bring(5, 2);

    assertThat(bring(5, 2)).isEqualTo(InPlaceOutcome.DONE);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void anotherNumberInTheSpecIsSetAtOnce() {
    InPlaceOutcome unused = bring(5, 2);

    assertThat(bring(5, 7).events())
        .extracting(StatusEvent::message)
        .containsExactly("TaskManagers: 7 instead of 5; Flink uses what is there.");
  }

  @Test
  void theNumberOfAnotherDeploymentIsSetAtOnce() {
    InPlaceOutcome unused = bring(5, 2);
    Deployment another = there(5);
    another.getMetadata().setUid("0a1b2c3d-0000-4000-8000-000000000010");

    assertThat(scale.bring(REF, another, 2).events()).hasSize(1);
  }

  /** A webhook that does not work must not keep the threads that reconcile all resources. */
  @ParameterizedTest
  @ValueSource(ints = {500, 409})
  void whatMayPassIsTriedOnceAndAgainInFiveSeconds(int code) {
    server.answers("shop", code);

    assertThat(bring(5, 2)).isEqualTo(new InPlaceOutcome(null, List.of(), Duration.ofSeconds(5)));
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aRefusalIsToldAndTriedAgainInHalfAMinute() {
    server.answers("shop", 403);

    InPlaceOutcome refused = bring(5, 2);

    assertThat(refused.problem().reason()).isEqualTo("Refused");
    assertThat(refused.review()).isEqualTo(Duration.ofSeconds(30));
    assertThat(bring(5, 2).problem()).isEqualTo(refused.problem());
    assertThat(server.requests()).hasSize(2);
  }

  private InPlaceOutcome bring(int has, int wanted) {
    return scale.bring(REF, there(has), wanted);
  }

  /** As the informer has it: each time of another version. */
  private Deployment there(int replicas) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(REF.namespace())
        .withName(REF.name() + "-taskmanager")
        .withUid(UID)
        .withResourceVersion("" + ++version)
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .endSpec()
        .build();
  }
}
