package dev.sluice.controller.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.UnreliableApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each change of the number restarts the job, and the Deployment changes with each of its pods. */
class TaskManagerScaleTest {

  private static final String UID = "0a1b2c3d-0000-4000-8000-00000000000f";
  private static final ResourceRef REF =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "shop", "orders", "uid-1");

  private final UnreliableApiServer server = new UnreliableApiServer();
  private final MovableClock clock = new MovableClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final TaskManagerScale scale = new TaskManagerScale(server.client(), clock);
  private String inProgress;
  private int version;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aNumberThatSomethingElseSetsAgainAndAgainIsPutRightThreeTimesAndThenLeftForTenMinutes() {
    InPlaceOutcome fought = fight(5, 2, Duration.ofMinutes(10));

    assertThat(server.requests()).hasSize(3);
    assertThat(fought.problem().reason()).isEqualTo("ScaledByOthers");
    assertThat(fought.problem().message())
        .isEqualTo(
            "Something else scales Deployment orders-taskmanager: Sluice has scaled it to 2 again"
                + " and again, and tries every 10 minutes now. [Let it scale FlinkDeployment orders"
                + " instead.]");

    fight(5, 2, Duration.ofMinutes(20));

    assertThat(server.requests()).hasSize(5);
  }

  @Test
  void thePausesBetweenCorrectionsGrow() {
    assertThat(bring(5, 2).review()).isNull();

    assertThat(bring(5, 2).review()).isEqualTo(Duration.ofSeconds(5));
    clock.forward(Duration.ofSeconds(5));
    assertThat(bring(5, 2).events()).isNotEmpty();
    assertThat(bring(5, 2).review()).isEqualTo(Duration.ofSeconds(10));
    clock.forward(Duration.ofSeconds(10));
    assertThat(bring(5, 2).events()).isNotEmpty();
    assertThat(bring(5, 2)).isEqualTo(InPlaceOutcome.later(Duration.ofSeconds(20)));
    clock.forward(Duration.ofSeconds(20));

    InPlaceOutcome held = bring(5, 2);

    assertThat(held.problem()).isNotNull();
    assertThat(held.review()).isEqualTo(Duration.ofMinutes(10).minusSeconds(20));
  }

  @Test
  void whatStaysRightForTenMinutesIsForgotten() {
    fight(5, 2, Duration.ofMinutes(1));
    assertThat(bring(2, 2).problem()).isNull();
    clock.forward(bring(2, 2).review());
    assertThat(bring(2, 2)).isEqualTo(InPlaceOutcome.DONE);

    fight(5, 2, Duration.ofMinutes(1));

    assertThat(server.requests()).hasSize(6);
  }

  @Test
  void whatWasPutRightLongAgoDoesNotCount() {
    for (int day = 0; day < 7; day++) {
      assertThat(bring(5, 2).events()).hasSize(1);
      clock.forward(Duration.ofDays(1));
    }
  }

  @Test
  void anotherNumberInTheSpecIsSetAtOnce() {
    fight(5, 2, Duration.ofMinutes(1));

    assertThat(bring(5, 7).events())
        .extracting(StatusEvent::message)
        .containsExactly("TaskManagers: 7 instead of 5; Flink uses them when it rescales.");
  }

  @Test
  void theNumberOfAnotherDeploymentIsSetAtOnce() {
    fight(5, 2, Duration.ofMinutes(1));

    Deployment another = there(5);
    another.getMetadata().setUid("0a1b2c3d-0000-4000-8000-000000000010");

    assertThat(scale.bring(REF, another, 2, this::inProgress).events()).hasSize(1);
  }

  @Test
  void aRefusalIsTriedAgainEveryHalfMinuteWhateverChangesMeanwhile() {
    server.answers("shop", 403);

    InPlaceOutcome refused = fight(5, 2, Duration.ofMinutes(2));

    assertThat(server.requests()).hasSize(4);
    assertThat(refused.problem().reason()).isEqualTo("Refused");
  }

  @Test
  void fewerWaitForASnapshotThatIsBeingTaken() {
    inProgress = "before-black-friday";

    InPlaceOutcome begins = bring(5, 2);
    InPlaceOutcome waits = fight(5, 2, Duration.ofMinutes(2));

    assertThat(server.requests()).isEmpty();
    assertThat(begins.events())
        .extracting(StatusEvent::message)
        .containsExactly(
            "TaskManagers: 2 instead of 5 when snapshot before-black-friday is taken, or in 10"
                + " minutes.");
    assertThat(waits).isEqualTo(InPlaceOutcome.later(Duration.ofSeconds(5)));

    inProgress = null;
    bring(5, 2);

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void notForEver() {
    inProgress = "stuck";

    fight(5, 2, Duration.ofMinutes(10));
    assertThat(server.requests()).isEmpty();
    inProgress = "the next one";
    bring(5, 2);

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void moreDoNotWait() {
    inProgress = "before-black-friday";

    bring(2, 5);

    assertThat(server.requests()).hasSize(1);
  }

  /** Something sets the number again a second after each write. */
  private InPlaceOutcome fight(int has, int wanted, Duration time) {
    InPlaceOutcome last = InPlaceOutcome.DONE;
    boolean written = false;
    for (long second = 0; second < time.toSeconds(); second++) {
      int writes = server.requests().size();
      last = bring(written ? wanted : has, wanted);
      written = server.requests().size() > writes && last.problem() == null;
      clock.forward(Duration.ofSeconds(1));
    }
    return last;
  }

  private InPlaceOutcome bring(int has, int wanted) {
    return scale.bring(REF, there(has), wanted, this::inProgress);
  }

  private Optional<String> inProgress() {
    return Optional.ofNullable(inProgress);
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
