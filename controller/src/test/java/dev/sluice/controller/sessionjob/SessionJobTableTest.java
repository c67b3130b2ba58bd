package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.controller.deployment.DecisionText;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import dev.sluice.controller.support.Golden;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is decided for a FlinkSessionJob, and what its status says, also of its session cluster. */
class SessionJobTableTest {

  private static final Map<String, Consumer<FlinkDeployment>> CLUSTERS =
      Map.of(
          "deleted", it -> it.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z"),
          "notRunning", it -> running(it, "False", "No pod."),
          "silent", it -> running(it, "Unknown", "It does not answer."),
          "unseen", it -> it.setStatus(it.getStatus().withConditions(List.of())),
          "neverDeployed", it -> it.setStatus(FlinkDeploymentStatus.EMPTY),
          "upgrading",
              it ->
                  it.setStatus(
                      it.getStatus()
                          .withOperation(
                              OperationStatus.EMPTY
                                  .withType(OperationType.UPGRADE)
                                  .withState(OperationState.RUNNING))),
          "application",
              it -> {
                it.setStatus(FlinkDeploymentStatus.EMPTY);
                it.setSpec(
                    it.getSpec().withJob(JobSpec.of("local:///a.jar", 1, UpgradeMode.STATELESS)));
              });

  private static void running(FlinkDeployment cluster, String status, String message) {
    cluster.setStatus(
        cluster.getStatus().withConditions(List.of(SessionJobScene.running(status, message))));
  }

  @Test
  void decisions_and_statuses() throws IOException {
    Golden.check("sessionjobs.txt", SessionJobTableTest::outcome);
  }

  private static List<String> outcome(String given) {
    SessionJobScene scene = SessionJobScene.created();
    boolean messages = false;
    for (String word : given.split(" ")) {
      messages |= word.equals("messages");
      scene = word.equals("messages") ? scene : apply(scene, word);
    }
    FlinkSessionJobStatus status = scene.wanted();
    List<String> lines = new ArrayList<>();
    lines.add(
        Stream.of(
                DecisionText.of(scene.decision()),
                scene.seen().phase(),
                status.conditions().stream()
                    .map(it -> it.getStatus() + "/" + it.getReason())
                    .collect(Collectors.joining(" ")),
                status.lifecycleState(),
                status.jobStatus() == null ? "no job" : status.jobStatus().state(),
                "cluster " + scene.seen().cluster().readiness())
            .map(String::valueOf)
            .collect(Collectors.joining(" | ")));
    if (messages) {
      Golden.messages(status.conditions(), status.error()).forEach(lines::add);
    }
    return lines;
  }

  private static SessionJobScene apply(SessionJobScene given, String word) {
    int at = word.indexOf('=');
    String key = at < 0 ? word : word.substring(0, at);
    String value = at < 0 ? "" : word.substring(at + 1);
    String[] parts = value.split("/", -1);
    if (key.startsWith("sluice.dev/")) {
      return given.annotated(key, value);
    }
    return switch (key) {
      case "created" -> SessionJobScene.created();
      case "running" -> SessionJobScene.running();
      case "submittedRunning" -> SessionJobScene.running().submitted();
      case "changed" -> SessionJobScene.changed();
      case "upgrading" -> SessionJobScene.upgrading();
      case "leaving" ->
          SessionJobScene.running().submitted().told(FlinkJobState.RUNNING).clusterGoes();
      case "noCluster" -> given.cluster(null);
      case "cluster" -> {
        FlinkDeployment cluster = SessionJobScene.sessionCluster();
        CLUSTERS.get(value).accept(cluster);
        yield given.cluster(cluster);
      }
      case "clusterGoes" -> given.clusterGoes();
      case "clusterSays" -> given.clusterSays(parts[0], parts[1]);
      case "gen" -> given.generation(Long.parseLong(value));
      case "parallelism" -> given.parallelism(Integer.parseInt(value));
      case "suspended" -> given.suspended();
      case "resumed" -> given.resumed();
      case "invalid" -> given.invalid();
      case "unreadable" -> given.unreadable();
      case "deleted" -> given.deleted();
      case "frozen" -> given.frozen(Long.parseLong(value));
      case "stable" -> given.stable(Long.parseLong(value));
      case "state" -> given.reconciliation(ReconciliationState.valueOf(value));
      case "op" ->
          given.operation(
              OperationType.valueOf(parts[0]),
              OperationState.valueOf(parts[1]),
              parts[2].equals("null") ? null : Long.valueOf(parts[2]),
              Long.parseLong(parts[3]));
      case "endedBeforeItsClusterGoes" -> given.endedBeforeItsClusterGoes();
      case "submitted" -> given.submitted();
      case "seenBefore" -> given.seenBefore();
      case "begun" -> given.begun();
      case "observed" -> given.observed(Long.parseLong(value));
      case "told" -> given.told(value.equals("null") ? null : FlinkJobState.valueOf(value));
      case "silent" -> given.silent();
      case "saw" -> given.saw(FlinkJobState.valueOf(value));
      case "away" -> given.unavailable("Temporal does not answer");
      case "notOpen" -> given.answered(new Request(Request.Kind.ABORT, value), Answer.NOT_OPEN);
      default -> given.says(key, value);
    };
  }

  @Test
  void a_run_is_shown_with_its_changes_and_its_loss() {
    EnsureOpen changed = (EnsureOpen) SessionJobScene.changed().decision();
    EnsureOpen lost = (EnsureOpen) SessionJobScene.running().submitted().told(null).decision();

    assertThat(changed.run().summary()).isEqualTo("upgrade default/orders 6 -> 7");
    assertThat(changed.run().details())
        .contains(
            "**Upgrade** of FlinkSessionJob `default/orders`",
            "On session cluster session.",
            "parallelism");
    assertThat(lost.run().details())
        .contains("does not know job " + SessionJobScene.JOB + " any more");
  }

  @Test
  void the_rules_go_by_the_cluster_that_is_deployed() {
    FlinkDeployment cluster = SessionJobScene.sessionCluster();
    cluster.setSpec(cluster.getSpec().withFlinkVersion(FlinkVersion.V2_2));

    assertThat(SeenCluster.of("session", cluster).forRules().flinkVersion())
        .isEqualTo(FlinkVersion.V1_20);
    cluster.setStatus(FlinkDeploymentStatus.EMPTY);
    assertThat(SeenCluster.of("session", cluster).forRules().deployed()).isFalse();
  }
}
