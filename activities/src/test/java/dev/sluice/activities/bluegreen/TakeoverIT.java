package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.BeginRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenSeen;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What Apache's operator was stopped in the middle of. Its children have no label of ours, and its
 * status does not say which one is live.
 */
class TakeoverIT extends BlueGreenScenario {

  @Test
  void aFirstDeploymentEndsWithItsChildLive() {
    apache(Color.BLUE, DesiredJobState.RUNNING);
    stoppedAt(BlueGreenState.TRANSITIONING_TO_BLUE);
    BlueGreenSeen seen = activities.observe(ref);
    assertThat(seen.standing().live()).isEqualTo(Color.BLUE);
    assertThat(seen.change()).isEqualTo(Change.NONE);

    activities.end(new EndRequest(report("EndTransition"), seen.standing(), true));

    assertThat(standing().live()).isEqualTo(Color.BLUE);
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
  }

  @Test
  void aTransitionAfterItGoesToTheOtherChildAndTheLiveOneStays() {
    apache(Color.BLUE, DesiredJobState.RUNNING);
    stoppedAt(BlueGreenState.TRANSITIONING_TO_BLUE);
    apply(image("flink:2.3"));
    BlueGreenSeen seen = activities.observe(ref);
    assertThat(seen.change()).isEqualTo(Change.TRANSITION);
    fails(FailureType.OUTDATED, () -> activities.deleteChild(delete(Color.BLUE, seen)));

    Begin begun =
        activities.begin(
            new BeginRequest(
                report("BeginTransition"),
                seen.standing(),
                Color.GREEN,
                Source.EMPTY,
                null,
                clock.millis()));

    assertThat(begun).isEqualTo(new Begin.Begun(standing()));
    assertThat(standing().live()).isEqualTo(Color.BLUE);
  }

  @Test
  void aChangeInPlaceIsOfTheChildThatRunsAndNotOfTheOneThatWasGivenUp() {
    apache(Color.BLUE, DesiredJobState.RUNNING);
    apache(Color.GREEN, DesiredJobState.SUSPENDED);
    stoppedAt(BlueGreenState.TRANSITIONING_TO_BLUE);

    assertThat(activities.observe(ref).standing().live()).isEqualTo(Color.BLUE);
  }

  @Test
  void aTransitionIsFromTheChildThatRunsBesideTheOneThatComes() {
    apache(Color.BLUE, DesiredJobState.RUNNING);
    apache(Color.GREEN, DesiredJobState.RUNNING);
    stoppedAt(BlueGreenState.TRANSITIONING_TO_BLUE);

    assertThat(activities.observe(ref).standing().live()).isEqualTo(Color.GREEN);
  }

  /** The one that came is the only one that has the state now. */
  @Test
  void aChildIsNotDeletedForOneThatIsGoneSince() {
    apache(Color.BLUE, DesiredJobState.RUNNING);
    apache(Color.GREEN, DesiredJobState.RUNNING);
    stoppedAt(BlueGreenState.TRANSITIONING_TO_BLUE);
    AwaitChildRequest delete = delete(Color.BLUE, activities.observe(ref));
    client.resource(child(Color.GREEN)).delete();

    fails(FailureType.OUTDATED, () -> activities.deleteChild(delete));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  private AwaitChildRequest delete(Color color, BlueGreenSeen seen) {
    return new AwaitChildRequest(
        ref, seen.standing(), generation(), color, uid(color), inFiveMinutes());
  }

  private void apache(Color color, DesiredJobState state) {
    FlinkDeployment child = Deployed.orders(namespace);
    child.getMetadata().setName(color.child("orders"));
    child
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion(FlinkBlueGreenDeployment.API_VERSION)
                    .withKind(FlinkBlueGreenDeployment.KIND)
                    .withName("orders")
                    .withUid(ref.uid())
                    .build()));
    child.setSpec(Deployed.SPEC.withJob(Deployed.SPEC.job().withState(state)));
    client.resource(child).create();
  }

  private void stoppedAt(BlueGreenState state) {
    Map<String, String> status =
        Map.of(
            "blueGreenState",
            state.name(),
            "lastReconciledSpec",
            new FrozenBlueGreen(parent().getSpec(), 0).toJson());
    client
        .resource(parent())
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client.getKubernetesSerialization().asJson(Map.of("status", status)));
  }
}
