package dev.sluice.controller.deployment;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.observation.ClusterProblem.Component;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import java.time.Duration;
import java.util.Map;

/**
 * A FlinkDeployment in words, for tables: {@code changed invalid op=UPGRADE/PARKED/6/7}. The words
 * are applied one after the other; {@code ~} is a blank; a key with a point is configuration, one
 * of {@code sluice.dev/} an annotation.
 */
final class DeployedWords {

  private DeployedWords() {}

  static Deployed of(String words) {
    Deployed given = Deployed.created();
    for (String word : words.trim().split(" +")) {
      int at = word.indexOf('=');
      String key = at < 0 ? word : word.substring(0, at);
      String value = at < 0 ? "" : word.substring(at + 1).replace('~', ' ');
      given =
          key.startsWith("sluice.dev/")
              ? given.annotated(key, value)
              : key.contains(".") ? given.configured(key, value) : apply(given, key, value);
    }
    return given;
  }

  private static Deployed apply(Deployed given, String key, String value) {
    String[] parts = value.split("/", -1);
    return switch (key) {
      case "created" -> Deployed.created();
      case "running" -> Deployed.running();
      case "changed" -> Deployed.changed();
      case "upgrading" -> Deployed.upgrading();
      case "finished" -> Deployed.finished();
      case "highlyAvailable" -> Deployed.highlyAvailable();
      case "inFlight" -> of("running state=UPGRADING op=UPGRADE/RUNNING/5/6");
      case "suspended" ->
          of("running gen=7 suspend frozen=7 stable=7 op=SUSPEND/SUCCEEDED/6/7 jm=MISSING");
      case "session" -> of("running noJob frozen=6 stable=6 forgotten");
      case "gen" -> given.generation(Long.parseLong(value));
      case "image" -> given.image(value);
      case "invalid" -> given.invalid();
      case "deleted" -> given.deleted();
      case "valid" -> given.spec(DeployedSpec.valid());
      case "noJob" -> given.spec(spec(given).withJob(null));
      case "suspend" -> job(given, spec(given).job().withState(DesiredJobState.SUSPENDED));
      case "mode" -> job(given, spec(given).job().withUpgradeMode(UpgradeMode.valueOf(value)));
      case "parallelism" -> job(given, spec(given).job().withParallelism(Integer.parseInt(value)));
      case "standalone" -> standalone(given, value.isEmpty() ? null : Integer.valueOf(value));
      case "without" ->
          given.spec(spec(given).withConfiguration(spec(given).configuration().without(value)));
      case "reactive" -> given.configured("scheduler-mode", "reactive");
      case "frozen" -> given.frozen(Long.parseLong(value));
      case "frozenWith" -> given.frozen(6, FlinkConfiguration.of(Map.of(parts[0], parts[1])));
      case "stable" -> given.stable(Long.parseLong(value));
      case "state" -> given.reconciliation(ReconciliationState.valueOf(value));
      case "op" ->
          given.operation(
              OperationType.valueOf(parts[0]),
              OperationState.valueOf(parts[1]),
              parts[2].equals("null") ? null : Long.valueOf(parts[2]),
              Long.parseLong(parts[3]));
      case "says" -> given.operationSays(parts[0], parts[1]);
      case "noOp" -> given.noOperation();
      case "lane" ->
          given.status(
              status(given).withOperation(status(given).operation().withWorkflowId(value)));
      case "since" ->
          given.status(status(given).withOperation(status(given).operation().withSince(at(value))));
      case "cause" ->
          given.status(
              status(given)
                  .withRecovery(new RecoveryStatus(5, null, RecoveryCause.valueOf(value))));
      case "seen" -> given.seenBefore();
      case "condition" -> given.condition(parts[0], parts[1], parts[2], Long.parseLong(parts[3]));
      case "jm" -> given.cluster(JobManager.valueOf(value));
      case "problem" ->
          given.cluster(
              JobManager.valueOf(parts[0]),
              new ClusterProblem(
                  parts[1],
                  Component.valueOf(parts[2]),
                  parts[2] + " of pod-1.",
                  parts[3].equals("lasting"),
                  Deployed.NOW));
      case "noTM" -> given.withoutTaskManagers();
      case "tm" -> given.withTaskManagers(Integer.parseInt(value));
      case "job" -> given.job(FlinkJobState.valueOf(value), false);
      case "up" -> given.job(FlinkJobState.RUNNING, true);
      case "failed" -> given.failed(value);
      case "failing" -> given.failing(FlinkJobState.valueOf(parts[0]), parts[1]);
      case "unhealthy" -> given.unhealthy(value);
      case "forgotten" -> given.forgotten();
      case "notAsked" -> given.notAsked();
      case "silent" -> given.job(new Unreachable("no answer"));
      case "last" ->
          given.jobStatus(
              JobStatus.EMPTY
                  .withJobId(parts.length > 1 ? parts[1] : Deployed.JOB_ID)
                  .withJobName("orders")
                  .withState(FlinkJobState.valueOf(parts[0])));
      case "begun" ->
          given.jobStatus(
              JobStatus.EMPTY.withStartTime(
                  Long.toString(Deployed.NOW.plus(Duration.parse(value)).toEpochMilli())));
      case "started" ->
          given.status(
              status(given)
                  .withRecordedState(
                      new RecordedState(
                          RecordedState.Type.EMPTY, null, "stateless", null, Deployed.JOB_ID)));
      case "ended" -> given.ended(FlinkJobState.valueOf(value));
      case "untold" -> given.ended(FlinkJobState.valueOf(value), null);
      case "recorded" -> given.endRecorded(at(value));
      case "endedForGood" -> given.endedForGood(FlinkJobState.valueOf(value));
      case "told" -> given.projected();
      case "later" -> given.later(Duration.parse(value));
      case "away" -> given.temporalAway("Temporal at t:7233 does not answer");
      case "abort" -> given.annotated(new Request(Request.Kind.ABORT, value));
      case "retry" -> given.annotated(new Request(Request.Kind.RETRY, value));
      case "rollback" -> given.annotated(new Request(Request.Kind.ROLLBACK, value));
      case "delivered" -> given.answered(new Request(Request.Kind.ABORT, value), Answer.DELIVERED);
      case "handled" ->
          given.status(
              status(given)
                  .withRequests(
                      new HandledRequests(orNull(parts[0]), orNull(parts[1]))
                          .withRollback(orNull(parts[2]))));
      case "ignoring" -> given.ignoring(value);
      case "held" -> given.ingressHeld(parts[0], parts[1]);
      default -> throw new IllegalArgumentException(key);
    };
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String at(String offset) {
    return offset.equals("edited") ? offset : Deployed.NOW.plus(Duration.parse(offset)).toString();
  }

  private static FlinkDeploymentSpec spec(Deployed given) {
    return given.resource().getSpec();
  }

  private static FlinkDeploymentStatus status(Deployed given) {
    return given.resource().getStatus();
  }

  private static Deployed job(Deployed given, JobSpec job) {
    return given.spec(spec(given).withJob(job));
  }

  private static Deployed standalone(Deployed given, Integer taskManagers) {
    TaskManagerSpec each = spec(given).taskManager();
    return given.spec(
        spec(given)
            .withMode(KubernetesDeploymentMode.STANDALONE)
            .withTaskManager(
                new TaskManagerSpec(
                    each.resource(), each.resources(), taskManagers, each.podTemplate())));
  }
}
