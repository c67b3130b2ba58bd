package dev.sluice.activities.cluster;

import static dev.sluice.workflows.model.ClusterObservation.JobManager.CRASHED_AT_START;
import static dev.sluice.workflows.model.ClusterObservation.JobManager.CRASHING;
import static dev.sluice.workflows.model.ClusterObservation.JobManager.MAY_HAVE_RUN;
import static dev.sluice.workflows.model.ClusterObservation.JobManager.NEVER_READY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Pods;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row is what a kubelet and a Deployment controller write in that situation. */
class JobManagerEvidenceTest {

  private static final String CREATED = "2026-11-21T08:00:00Z";
  private static final String SOON = "2026-11-21T08:00:01Z";
  private static final String LATER = "2026-11-21T08:00:02Z";

  @ParameterizedTest
  @MethodSource("situations")
  void whatKubernetesProves(Deployment deployment, List<Pod> pods, JobManager expected) {
    assertThat(JobManagerEvidence.of(deployment, pods)).isEqualTo(expected);
  }

  static Stream<Arguments> situations() {
    return Stream.of(
        row("no pod was made, e.g. quota", neverAvailable(), List.of(), NEVER_READY),
        row("the controller has not looked yet", unseen(), List.of(), NEVER_READY),
        row("no node takes it", neverAvailable(), pod(), NEVER_READY),
        row("its image cannot be pulled", neverAvailable(), pod(waiting(0)), NEVER_READY),
        row(
            "an image of a sidecar runs",
            neverAvailable(),
            pod(waiting(0), sidecar()),
            NEVER_READY),
        row("only a TaskManager runs", neverAvailable(), List.of(taskManager()), NEVER_READY),
        row("Available changed within the second", available("False", SOON), pod(), NEVER_READY),
        row("it was available once", available("False", LATER), pod(), MAY_HAVE_RUN),
        row(
            "it was available, its pod is gone",
            available("False", LATER),
            List.of(),
            MAY_HAVE_RUN),
        row("it is available", available("True", CREATED), pod(running()), MAY_HAVE_RUN),
        row("Available is Unknown", available("Unknown", CREATED), pod(), MAY_HAVE_RUN),
        row("nobody says since when", available("False", null), pod(), MAY_HAVE_RUN),
        row("it starts, and does not answer yet", neverAvailable(), pod(running()), MAY_HAVE_RUN),
        row("it ran, its pod was evicted", neverAvailable(), pod("Failed"), MAY_HAVE_RUN),
        row("it crashed and waits", probed(false), pod(crashed(1)), CRASHED_AT_START),
        row("it crashed just now", probed(false), pod(terminated(2)), CRASHED_AT_START),
        row("a probe of its template may fail", probed(true), pod(crashed(1)), CRASHING),
        row("nothing says when it answers", neverAvailable(), pod(crashed(1)), CRASHING),
        row("it was available and crashes", available("False", LATER), pod(crashed(7)), CRASHING),
        row(
            "it crashed and runs again",
            available("False", LATER),
            pod(restarted(false)),
            CRASHING),
        row(
            "it crashed and is ready again",
            available("True", LATER),
            pod(restarted(true)),
            MAY_HAVE_RUN),
        row("it ended well", available("False", LATER), pod(terminated(0)), MAY_HAVE_RUN));
  }

  @Test
  void withoutADeploymentNothingIsProved() {
    assertThat(JobManagerEvidence.of(null, List.of())).isEqualTo(MAY_HAVE_RUN);
  }

  static Stream<Arguments> stops() {
    return Stream.of(
        Arguments.of("there is no pod", List.of(), true),
        Arguments.of("no node takes it", pod(), true),
        Arguments.of("its image cannot be pulled", pod(waiting(0)), true),
        Arguments.of("it crashed and waits", pod(crashed(3)), true),
        Arguments.of("it ended just now", pod(terminated(0)), true),
        Arguments.of("only a TaskManager runs", List.of(taskManager()), true),
        Arguments.of("a sidecar runs", pod(waiting(0), sidecar()), true),
        Arguments.of("it runs", pod(running()), false),
        Arguments.of("it crashed once, runs, and is not ready", pod(restarted(false)), false),
        Arguments.of("its node is lost", pod("Unknown"), false),
        Arguments.of("it runs, nobody says which container", pod("Running"), false),
        Arguments.of(
            "it terminates",
            List.of(
                new PodBuilder(pod(terminated(0)).get(0))
                    .editMetadata()
                    .withDeletionTimestamp(LATER)
                    .endMetadata()
                    .build()),
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stops")
  void noProcessRunsOnlyWhereThatIsCertain(String name, List<Pod> pods, boolean stopped) {
    assertThat(JobManagerEvidence.isStopped(pods)).isEqualTo(stopped);
  }

  private static Arguments row(
      String name, Deployment deployment, List<Pod> pods, JobManager expected) {
    return Arguments.of(Named.of(name, deployment), pods, expected);
  }

  private static Deployment unseen() {
    return deployment("");
  }

  private static Deployment neverAvailable() {
    return available("False", CREATED);
  }

  /** With the startup probe that Sluice gives it. */
  private static Deployment probed(boolean readinessOfTemplate) {
    return deployment(
        """
        spec: {template: {spec: {containers: [{name: flink-main-container,
            startupProbe: {failureThreshold: %d}%s}]}}}
        status: {conditions: [{type: Available, status: "False", lastTransitionTime: "%s"}]}
        """
            .formatted(
                Integer.MAX_VALUE, readinessOfTemplate ? ", readinessProbe: {}" : "", CREATED));
  }

  private static Deployment available(String status, @Nullable String since) {
    return deployment(
        """
        status: {conditions: [
            {type: Progressing, status: "True", lastTransitionTime: "%s"},
            {type: Available, status: "%s"%s}]}
        """
            .formatted(
                LATER, status, since == null ? "" : ", lastTransitionTime: \"" + since + '"'));
  }

  private static Deployment deployment(String more) {
    return Serialization.unmarshal(
        "metadata: {name: orders, creationTimestamp: \"%s\"}\n%s".formatted(CREATED, more),
        Deployment.class);
  }

  private static List<Pod> pod(ContainerStatus... containers) {
    return List.of(
        new PodBuilder(Pods.jobManager())
            .editStatus()
            .withContainerStatuses(containers)
            .endStatus()
            .build());
  }

  private static List<Pod> pod(String phase) {
    return List.of(
        new PodBuilder(Pods.jobManager()).editStatus().withPhase(phase).endStatus().build());
  }

  private static Pod taskManager() {
    return new PodBuilder(Pods.taskManager())
        .editStatus()
        .withContainerStatuses(running())
        .endStatus()
        .build();
  }

  private static ContainerStatus waiting(int restarts) {
    return main(restarts, false, "state: {waiting: {reason: ImagePullBackOff}}");
  }

  private static ContainerStatus crashed(int restarts) {
    return main(
        restarts,
        false,
        "state: {waiting: {reason: CrashLoopBackOff}}\nlastState: {terminated: {exitCode: 2}}");
  }

  private static ContainerStatus terminated(int exitCode) {
    return main(0, false, "state: {terminated: {exitCode: " + exitCode + "}}");
  }

  private static ContainerStatus restarted(boolean ready) {
    return main(1, ready, "state: {running: {}}\nlastState: {terminated: {exitCode: 2}}");
  }

  private static ContainerStatus running() {
    return main(0, false, "state: {running: {}}");
  }

  private static ContainerStatus sidecar() {
    return new ContainerStatusBuilder(running()).withName("log-shipper").build();
  }

  private static ContainerStatus main(int restarts, boolean ready, String states) {
    return Serialization.unmarshal(
        "name: flink-main-container\nready: %s\nrestartCount: %d\n%s"
            .formatted(ready, restarts, states),
        ContainerStatus.class);
  }
}
