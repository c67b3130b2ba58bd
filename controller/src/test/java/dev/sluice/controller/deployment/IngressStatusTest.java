package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.ReconcileAction;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A change of the Ingress begins no operation, and its trouble is not the job's. */
class IngressStatusTest {

  private static final IngressSpec INGRESS =
      new IngressSpec("{{name}}.example.com", "nginx", Map.of(), Map.of(), List.of());

  @Test
  void a_change_of_nothing_but_the_Ingress_begins_no_operation_and_is_ready_at_once() {
    Deployed changed =
        Deployed.running().generation(7).spec(DeployedSpec.valid().withIngress(INGRESS));

    assertThat(DeploymentPlanner.decide(changed.snapshot()))
        .isInstanceOf(ReconcileAction.Nothing.class);
    FlinkDeploymentStatus status = project(changed);
    assertThat(words(status, "Ready")).isEqualTo("True/UpToDate");
    assertThat(status.observedGeneration()).isEqualTo(7);
    assertThat(DeploymentEvents.of(changed.snapshot(), status)).isEmpty();
  }

  @Test
  void together_with_another_image_it_is_an_upgrade() {
    Deployed changed =
        Deployed.running()
            .generation(7)
            .spec(DeployedSpec.valid().withIngress(INGRESS))
            .image("flink:2.2");

    assertThat(DeploymentPlanner.decide(changed.snapshot()))
        .isInstanceOf(ReconcileAction.Start.class);
  }

  @Test
  void an_Ingress_that_cannot_be_made_needs_a_person_and_is_told_once() {
    Deployed held = Deployed.running().ingressHeld(Reasons.NAME_TAKEN, "Taken. Rename it.");

    FlinkDeploymentStatus status = project(held);

    assertThat(words(status, "Stalled")).isEqualTo("True/NameTaken");
    assertThat(words(status, "Ready")).isEqualTo("True/UpToDate");
    assertThat(status.error()).contains("\"type\":\"NameTaken\"");
    assertThat(DeploymentEvents.of(held.snapshot(), status))
        .extracting(StatusEvent::reason)
        .containsExactly("NameTaken");
    assertThat(DeploymentEvents.of(held.status(merged(held, status)).snapshot(), status)).isEmpty();
  }

  @Test
  void the_job_of_a_finished_job_is_not_blamed_for_it() {
    Deployed held = Deployed.finished().ingressHeld(Reasons.REFUSED, "Refused. Correct it.");

    FlinkDeploymentStatus status = project(held);

    assertThat(words(status, "Stalled")).isEqualTo("True/Refused");
    assertThat(words(status, "Ready")).isEqualTo("True/JobFinished");
  }

  @Test
  void what_holds_the_job_is_told_first() {
    Deployed held =
        Deployed.upgrading()
            .job(FlinkJobState.RUNNING, true)
            .ingressHeld(Reasons.NAME_TAKEN, "Taken. Rename it.");

    assertThat(words(project(held), "Stalled")).isEqualTo("False/NotStalled");
  }

  private static FlinkDeploymentStatus merged(Deployed given, FlinkDeploymentStatus written) {
    return given.resource().getStatus().withConditions(written.conditions());
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    SeenDeployment snapshot = given.snapshot();
    Clock clock = Clock.fixed(Deployed.NOW, ZoneOffset.UTC);
    return new DeploymentProjection(clock).project(snapshot, DeploymentPlanner.decide(snapshot));
  }

  private static String words(FlinkDeploymentStatus status, String type) {
    Condition condition = status.condition(type).orElseThrow();
    return condition.getStatus() + "/" + condition.getReason();
  }
}
