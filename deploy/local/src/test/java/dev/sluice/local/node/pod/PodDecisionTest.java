package dev.sluice.local.node.pod;

import static dev.sluice.local.node.pod.Views.NOW;
import static dev.sluice.local.node.pod.Views.asked;
import static dev.sluice.local.node.pod.Views.blocked;
import static dev.sluice.local.node.pod.Views.deleting;
import static dev.sluice.local.node.pod.Views.ended;
import static dev.sluice.local.node.pod.Views.fresh;
import static dev.sluice.local.node.pod.Views.pod;
import static dev.sluice.local.node.pod.Views.running;
import static dev.sluice.local.node.pod.Views.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.pod.PodDecision.Forget;
import dev.sluice.local.node.pod.PodDecision.Kill;
import dev.sluice.local.node.pod.PodDecision.LookAgain;
import dev.sluice.local.node.pod.PodDecision.Remove;
import dev.sluice.local.node.pod.PodDecision.Start;
import dev.sluice.local.node.pod.PodDecision.Terminate;
import dev.sluice.local.node.probe.ContainerProbes.Health;
import dev.sluice.local.node.process.Attempt.Starting;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodDecisionTest {
  private static List<PodDecision.Action> decide(PodView view) {
    return PodDecision.of(view, NOW, BackOff.KUBELET);
  }

  @Test
  void aContainerThatHasNotBeenStartedIsStarted() {
    var pod = pod("Always");

    assertThat(decide(view(pod, fresh()))).containsExactly(new Start("main", 0, null));
  }

  @Test
  void aStartThatWasNotPossibleIsTriedAgainWhenItsTimeHasCome() {
    var later = NOW.plusMillis(250);

    assertThat(decide(view(pod("Always"), blocked("X", "y", later))))
        .containsExactly(new LookAgain(later));
    assertThat(decide(view(pod("Always"), blocked("X", "y", NOW))))
        .hasOnlyElementsOfType(Start.class);
  }

  @Test
  void nothingIsDoneAboutAContainerThatRunsWell() {
    assertThat(decide(view(pod("Always"), running()))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Always, 0, true", "Always, 1, true",
    "OnFailure, 0, false", "OnFailure, 1, true",
    "Never, 0, false", "Never, 1, false"
  })
  void theRestartPolicySaysWhetherAnEndedContainerIsStartedAgain(
      String policy, int code, boolean again) {
    List<PodDecision.Action> actions = decide(view(pod(policy), ended(code)));

    assertThat(actions.stream().anyMatch(Start.class::isInstance)).isEqualTo(again);
  }

  @Test
  void theFirstRestartIsAtOnceAndAgreesOnTheDelayOfTheNext() {
    var pod = pod("Always");

    assertThat(decide(view(pod, ended(1))))
        .containsExactly(new Start("main", 1, Duration.ofSeconds(10)));
  }

  @Test
  void theSecondRestartWaitsForTheDelayAgreedOn() {
    assertThat(decide(view(pod("Always"), ended(1, 1, Duration.ofSeconds(10)))))
        .containsExactly(new LookAgain(NOW.plusSeconds(10)));
  }

  @Test
  void initContainersRunInTheirOrderBeforeTheOthers() {
    var pod = pod("Always", "one", "two");

    assertThat(decide(view(pod, fresh(), fresh(), fresh())))
        .containsExactly(new Start("one", 0, null));
    assertThat(decide(view(pod, fresh(), running(), fresh()))).isEmpty();
    assertThat(decide(view(pod, fresh(), ended(0), fresh())))
        .containsExactly(new Start("two", 0, null));
    assertThat(decide(view(pod, fresh(), ended(0), ended(0))))
        .containsExactly(new Start("main", 0, null));
  }

  @Test
  void aFailedInitContainerIsTriedAgainUnlessNothingIsRestarted() {
    var pod = pod("Always", "one");

    assertThat(decide(view(pod, fresh(), ended(1))))
        .containsExactly(new Start("one", 1, Duration.ofSeconds(10)));
    assertThat(decide(view(pod("Never", "one"), fresh(), ended(1)))).isEmpty();
  }

  @Test
  void anUnhealthyContainerIsAskedToEnd() {
    var sick = running(new Health(true, true, "probe failed"));

    assertThat(decide(view(pod("Always"), sick)))
        .containsExactly(
            new Terminate("main", "probe failed: restarting container main"),
            new LookAgain(NOW.plusSeconds(30)));
  }

  @Test
  void anUnhealthyContainerHasTheGraceOfItsProbeWhenThatHasOne() {
    var pod =
        new PodBuilder(pod("Always"))
            .editSpec()
            .editContainer(0)
            .withNewLivenessProbe()
            .withTerminationGracePeriodSeconds(3L)
            .endLivenessProbe()
            .endContainer()
            .endSpec()
            .build();

    assertThat(decide(view(pod, running(new Health(true, true, "probe failed")))))
        .contains(new LookAgain(NOW.plusSeconds(3)));
  }

  @Test
  void aDeletedPodIsAskedToEndThenKilledAfterItsGraceAndRemovedWhenNothingRuns() {
    var pod = deleting(pod("Always"), 7);

    assertThat(decide(view(pod, running())))
        .containsExactly(
            new Terminate("main", "Stopping container main"), new LookAgain(NOW.plusSeconds(7)));
    assertThat(decide(view(pod, asked(NOW.minusSeconds(3), false))))
        .containsExactly(new LookAgain(NOW.plusSeconds(4)));
    assertThat(decide(view(pod, asked(NOW.minusSeconds(7), false))))
        .containsExactly(new Kill("main"));
    assertThat(decide(view(pod, asked(NOW.minusSeconds(8), true)))).isEmpty();
    assertThat(decide(view(pod, ended(143)))).containsExactly(new Remove());
  }

  @Test
  void aDeletedPodIsNotRemovedWhileAContainerIsOnlyStarting() {
    var starting = Views.of(0, new Starting(), null, null, Views.GOOD);

    assertThat(decide(view(deleting(pod("Always"), 7), starting))).isEmpty();
  }

  @Test
  void aPodThatIsGoneIsEndedQuicklyAndForgotten() {
    assertThat(decide(Views.gone(view(pod("Always"), running()))))
        .containsExactly(
            new Terminate("main", "Deleted by force: stopping container main"),
            new LookAgain(NOW.plusSeconds(2)));
    assertThat(decide(Views.gone(view(pod("Always"), ended(143))))).containsExactly(new Forget());
  }
}
