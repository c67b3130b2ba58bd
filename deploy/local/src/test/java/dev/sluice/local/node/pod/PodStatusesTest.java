package dev.sluice.local.node.pod;

import static dev.sluice.local.node.pod.Views.NOW;
import static dev.sluice.local.node.pod.Views.blocked;
import static dev.sluice.local.node.pod.Views.deleting;
import static dev.sluice.local.node.pod.Views.ended;
import static dev.sluice.local.node.pod.Views.exit;
import static dev.sluice.local.node.pod.Views.fresh;
import static dev.sluice.local.node.pod.Views.pod;
import static dev.sluice.local.node.pod.Views.running;
import static dev.sluice.local.node.pod.Views.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.probe.ContainerProbes.Health;
import dev.sluice.local.node.process.Attempt.Running;
import dev.sluice.local.node.process.Attempt.Starting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodStatusesTest {

  private static PodStatus status(PodView view) {
    return new PodStatuses(view, NOW).status();
  }

  private static ContainerStatus main(PodView view) {
    return status(view).getContainerStatuses().get(0);
  }

  private static PodCondition condition(PodStatus status, String type) {
    return status.getConditions().stream()
        .filter(c -> c.getType().equals(type))
        .findFirst()
        .orElseThrow();
  }

  static Stream<Arguments> phases() {
    return Stream.of(
        Arguments.of("Pending", view(pod("Always"), fresh())),
        Arguments.of("Pending", view(pod("Always", "i"), fresh(), running())),
        Arguments.of("Running", view(pod("Always"), running())),
        Arguments.of("Running", view(pod("Always"), ended(1))),
        Arguments.of("Running", view(pod("Always"), ended(0))),
        Arguments.of("Succeeded", view(pod("OnFailure"), ended(0))),
        Arguments.of("Running", view(pod("OnFailure"), ended(1))),
        Arguments.of("Succeeded", view(pod("Never"), ended(0))),
        Arguments.of("Failed", view(pod("Never"), ended(3))),
        Arguments.of("Failed", view(pod("Never", "i"), fresh(), ended(1))),
        Arguments.of("Pending", view(pod("Always", "i"), fresh(), ended(1))),
        Arguments.of("Failed", view(deleting(pod("Always"), 1), ended(143))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("phases")
  void thePhaseFollowsFromTheContainersAndTheRestartPolicy(String phase, PodView view) {
    assertThat(status(view).getPhase()).isEqualTo(phase);
  }

  @Test
  void aRunningContainerIsReadyWithAddressAndAllConditionsTrue() {
    PodStatus status = status(view(pod("Always"), running()));

    assertThat(status.getPodIP()).isEqualTo("127.0.1.9");
    assertThat(status.getConditions()).allMatch(c -> c.getStatus().equals("True"));
    assertThat(status.getContainerStatuses().get(0).getReady()).isTrue();
  }

  @Test
  void aContainerThatIsNotReadyKeepsThePodFromBeingReadyAndIsNamed() {
    PodStatus status = status(view(pod("Always"), running(new Health(true, false, null))));

    assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Ready").getReason()).isEqualTo("ContainersNotReady");
    assertThat(condition(status, "ContainersReady").getMessage()).contains("[main]");
    assertThat(condition(status, "PodScheduled").getStatus()).isEqualTo("True");
  }

  @Test
  void aConditionThatHoldsTakesItsEarlierReasonAway() {
    PodStatus status = status(view(pod("Always"), running()));

    assertThat(condition(status, "Ready").getReason()).isEmpty();
    assertThat(condition(status, "Ready").getMessage()).isEmpty();
  }

  @Test
  void aConditionThatDidNotChangeKeepsItsTime() {
    PodStatus first = status(view(pod("Always"), running()));
    var known = new PodBuilder(pod("Always")).withStatus(first).build();

    PodStatus later =
        new PodStatuses(view(known, running(new Health(true, false, null))), NOW.plusSeconds(60))
            .status();

    assertThat(condition(later, "PodScheduled").getLastTransitionTime())
        .isEqualTo("2026-11-21T08:00:00Z");
    assertThat(condition(later, "Ready").getLastTransitionTime()).isEqualTo("2026-11-21T08:01:00Z");
  }

  @Test
  void aContainerBehindInitContainersWaitsForThePodToInitialize() {
    ContainerStatus main = main(view(pod("Always", "i"), fresh(), running()));

    assertThat(main.getState().getWaiting().getReason()).isEqualTo("PodInitializing");
  }

  @Test
  void aStartThatWasNotPossibleSaysWhy() {
    ContainerStatus main =
        main(view(pod("Always"), blocked("CreateContainerConfigError", "no secret", NOW)));

    assertThat(main.getState().getWaiting().getReason()).isEqualTo("CreateContainerConfigError");
    assertThat(main.getState().getWaiting().getMessage()).isEqualTo("no secret");
  }

  @Test
  void aContainerThatWaitsForItsRestartShowsItsLastEnd() {
    ContainerStatus main = main(view(pod("Always"), ended(3, 9, Duration.ofSeconds(20))));

    assertThat(main.getState().getWaiting().getReason()).isEqualTo("CrashLoopBackOff");
    assertThat(main.getState().getWaiting().getMessage()).contains("back-off 20s");
    assertThat(main.getLastState().getTerminated().getExitCode()).isEqualTo(9);
    assertThat(main.getRestartCount()).isEqualTo(3);
  }

  @Test
  void aRestartedContainerShowsHowTheOneBeforeEnded() {
    var again = Views.of(1, new Running(5, NOW), exit(137), Duration.ofSeconds(10), Views.GOOD);

    ContainerStatus main = main(view(pod("Always"), again));

    assertThat(main.getState().getRunning()).isNotNull();
    assertThat(main.getLastState().getTerminated().getExitCode()).isEqualTo(137);
  }

  @Test
  void aContainerThatIsJustBeingRestartedStillShowsItsEnd() {
    var starting = Views.of(1, new Starting(), exit(1), Duration.ofSeconds(10), Views.GOOD);

    ContainerStatus main = main(view(pod("Always"), starting));

    assertThat(main.getState().getTerminated().getExitCode()).isEqualTo(1);
  }
}
