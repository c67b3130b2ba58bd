package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Gate;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is waited for, and until when. */
class ChildWaitIT extends BlueGreenScenario {

  private void blueComes() {
    Begin unused = begun(Color.BLUE, Source.SPEC);
    activities.applyChild(child(Color.BLUE, null));
  }

  @Test
  void aChildThatIsReadyEndsTheWait() {
    blueComes();
    watcher.between(() -> says(Color.BLUE, "False", "Deploying")).between(() -> ready(Color.BLUE));

    assertThat(activities.awaitChild(await(Color.BLUE, uid(Color.BLUE))).child().phase())
        .isInstanceOf(Phase.Ready.class);
  }

  @Test
  void aChildThatIsHeldIsWaitedForUntilTheDeadline() {
    blueComes();
    ready(Color.BLUE);
    childStatus(
        Color.BLUE,
        Map.of("operation", Map.of("type", "Deploy", "state", "Blocked", "message", "no image")));
    watcher.each(Duration.ofMinutes(3));

    assertThat(activities.awaitChild(await(Color.BLUE, uid(Color.BLUE))).child().phase())
        .isEqualTo(new Phase.Held("Deploy: no image"));
  }

  /** Else it would be over before it began, again and again. */
  @Test
  void aWaitIsNotCutShortByTheClockOfTheWorker() {
    blueComes();
    AwaitChildRequest await = await(Color.BLUE, uid(Color.BLUE));
    clock.advance(Duration.ofDays(365));
    watcher.between(() -> says(Color.BLUE, "False", "Deploying")).between(() -> ready(Color.BLUE));

    assertThat(activities.awaitChild(await).child().phase()).isInstanceOf(Phase.Ready.class);
  }

  @Test
  void aChildThatIsGoneEndsTheWait() {
    blueComes();
    AwaitChildRequest await = await(Color.BLUE, uid(Color.BLUE));
    watcher.between(() -> client.resource(child(Color.BLUE)).delete());

    assertThat(activities.awaitChild(await).child()).isNull();
  }

  @Test
  void aSuspendedChildIsNotTakenForReady() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");
    ready(Color.GREEN);
    activities.suspendChild(child(Color.GREEN, uid(Color.GREEN)));
    watcher.between(() -> says(Color.GREEN, "True", "Suspended"));

    assertThat(activities.awaitChild(await(Color.GREEN, uid(Color.GREEN))).child().phase())
        .isInstanceOf(Phase.Suspended.class);
  }

  @Test
  void theGatesAreThoseOfTheSpec() {
    apply(
        it ->
            it.withConfiguration(
                Map.of(
                    "sluice.bluegreen.gate.metric",
                    "lag",
                    "sluice.bluegreen.gate.metric.max",
                    "5")));
    blueComes();
    ready(Color.BLUE);
    flink.running().metrics(Map.of("lag", 9L));
    watcher.between(() -> flink.metrics(Map.of("lag", 4L)));

    assertThat(activities.awaitGates(await(Color.BLUE, uid(Color.BLUE))))
        .isEqualTo(new Gate(true, "lag is 4.0, at most 5.0", false));
  }

  @Test
  void withoutAnIngressThereIsNothingToWaitFor() {
    blueIsLive();

    activities.awaitIngress(await(Color.BLUE, uid(Color.BLUE)));
  }

  @Test
  void theIngressHasToPointAtTheLiveChild() {
    apply(
        it ->
            it.withIngress(
                new IngressSpec("{{name}}.example.com", null, Map.of(), Map.of(), List.of())));
    blueIsLive();
    watcher
        .between(() -> client.resource(ingress("orders-green-rest")).create())
        .between(() -> client.resource(ingress("orders-blue-rest")).update());

    activities.awaitIngress(await(Color.BLUE, uid(Color.BLUE)));
  }

  private Ingress ingress(String service) {
    return new IngressBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName("orders")
        .endMetadata()
        .withNewSpec()
        .addNewRule()
        .withHost("orders.example.com")
        .withNewHttp()
        .addNewPath()
        .withPath("/")
        .withPathType("ImplementationSpecific")
        .withNewBackend()
        .withNewService()
        .withName(service)
        .withNewPort()
        .withNumber(8081)
        .endPort()
        .endService()
        .endBackend()
        .endPath()
        .endHttp()
        .endRule()
        .endSpec()
        .build();
  }

  @Test
  void aWaitForAnotherStandingDoesNotBegin() {
    blueComes();
    AwaitChildRequest await = await(Color.BLUE, uid(Color.BLUE));
    ready(Color.BLUE);
    switchTo(Color.BLUE);

    fails(FailureType.OUTDATED, () -> activities.awaitChild(await));
  }

  @Test
  void whatIsWaitedForIsShownInTheStatusOfItsOwnRun() {
    activities.report(report("AwaitChild"));
    BlueGreenStatusWriter messages =
        new BlueGreenStatusWriter(worker, new BlueGreenStore(worker), clock);

    messages.message(ref, waiting("run-1"), "orders-blue: Deploy, CreateCluster");
    messages.message(ref, waiting("run-0"), "late");

    assertThat(status().operation().message()).isEqualTo("orders-blue: Deploy, CreateCluster");
  }

  private static Waiting waiting(String runId) {
    return new Waiting(runId, "AwaitChild", Instant.EPOCH);
  }
}
