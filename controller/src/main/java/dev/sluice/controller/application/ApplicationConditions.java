package dev.sluice.controller.application;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.JobWords;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.OperationWords;
import dev.sluice.workflows.application.VersionRef;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The four conditions of an application, always in the same order. */
final class ApplicationConditions {

  private static final String NEXT_START =
      " It is not restarted automatically. [A new spec or restartNonce starts it.]";

  private final SeenApplication seen;
  private final ConditionHistory history;
  private final OperationConditions common;

  ApplicationConditions(SeenApplication seen, ReconcileAction decision, ConditionHistory history) {
    this.seen = seen;
    this.history = history;
    this.common = new OperationConditions(seen, decision, history);
  }

  List<Condition> all() {
    return List.of(
        common.ready().orElseGet(this::settled),
        progressing(),
        common.stalled().orElseGet(this::notHeld),
        running());
  }

  private Condition progressing() {
    return seen.waitsForTearDown() && seen.phase() == ResourcePhase.SETTLED
        ? history.condition(
            ConditionTypes.PROGRESSING, ConditionStatus.FALSE, Reasons.PENDING, waits())
        : common.progressing();
  }

  private String waits() {
    return "Generation %d waits until %s or %s is torn down: set spec.tearDownVersionHash."
        .formatted(seen.generation(), hash(seen.record().deployed()), hash(seen.record().target()));
  }

  private static String hash(@Nullable VersionRef version) {
    return version == null ? "" : version.hash();
  }

  private Condition settled() {
    if (seen.waitsForTearDown()) {
      return common.ready(ConditionStatus.FALSE, Reasons.PENDING, waits());
    }
    ObservedVersion version = seen.current().orElse(null);
    if (version == null) {
      return common.ready(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, "Nothing is deployed.");
    }
    Optional<Job> job = version.job();
    if (job.isPresent()) {
      return common.ready(job.get(), this::ready, NEXT_START);
    }
    if (LostVersion.hasEnded(seen, version)) {
      FlinkJobState state = LostVersion.lastOf(seen, version).map(it -> it.state()).orElseThrow();
      return state == FlinkJobState.FINISHED
          ? ready(Reasons.JOB_FINISHED, "its job has finished.")
          : common.ready(
              ConditionStatus.FALSE,
              Reasons.JOB_NOT_RUNNING,
              "Job %s is %s.".formatted(version.ref().jobId(), state) + NEXT_START);
    }
    if (version.flink() instanceof Answered) {
      return common.ready(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, absent(version));
    }
    if (!version.cluster().answerable()) {
      return common.ready(ConditionStatus.FALSE, Reasons.CLUSTER_NOT_READY, notReady(version));
    }
    return version.flink() instanceof Unreachable silent
        ? common.ready(ConditionStatus.UNKNOWN, Reasons.CLUSTER_NOT_READY, silent.why() + ".")
        : history.kept(ConditionTypes.READY, Reasons.PENDING, OperationWords.NOT_ASKED);
  }

  private Condition ready(String reason, String what) {
    return common.ready(ConditionStatus.TRUE, reason, deployed() + " and " + what + both());
  }

  private String deployed() {
    VersionRef version = seen.record().deployed();
    return seen.isTornDown() && version != null && !seen.isDeployed()
        ? "Generation %d was torn down; generation %d is deployed"
            .formatted(seen.generation(), version.generation())
        : "Generation " + seen.generation() + " is deployed";
  }

  private String both() {
    return seen.isDual()
        ? " Two versions run: to end one, set spec.tearDownVersionHash to %s or %s."
            .formatted(hash(seen.record().deployed()), hash(seen.record().target()))
        : "";
  }

  private String absent(ObservedVersion version) {
    String what =
        "The cluster of %s does not know job %s."
            .formatted(version.ref().display(), version.ref().jobId());
    return LostVersion.of(seen).isPresent() ? what + " It is started again." : what;
  }

  private static String notReady(ObservedVersion version) {
    String name = version.ref().display();
    if (!version.cluster().complete()) {
      return "The cluster of %s is gone.".formatted(name);
    }
    String problem = version.cluster().problem();
    return "No JobManager pod of %s is ready%s."
        .formatted(name, problem == null ? "" : ": " + problem.replaceFirst("\\.$", ""));
  }

  /** No action is required, unless pods of what should run cannot start. */
  private Condition notHeld() {
    return seen.running().stream()
        .filter(version -> version.cluster().lasting())
        .findFirst()
        .map(
            version ->
                common.stalled(
                    Reasons.CLUSTER_NOT_READY,
                    "%s: %s".formatted(version.ref().display(), version.cluster().problem())))
        .orElseGet(common::notStalled);
  }

  private Condition running() {
    ObservedVersion version = seen.current().orElse(null);
    if (version == null || version.ref().jobId() == null) {
      return common.running(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, "No job was started.");
    }
    Optional<Job> job = version.job();
    if (job.isPresent()) {
      return common.running(job.get());
    }
    if (LostVersion.hasEnded(seen, version)) {
      FlinkJobState state = LostVersion.lastOf(seen, version).map(it -> it.state()).orElseThrow();
      return common.running(
          ConditionStatus.FALSE,
          JobWords.camelCase(state),
          "Job %s is %s.".formatted(version.ref().jobId(), state));
    }
    if (version.flink() instanceof Answered) {
      return common.running(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, absent(version));
    }
    if (version.flink() instanceof Pending && version.cluster().answerable()) {
      return history.kept(ConditionTypes.RUNNING, Reasons.PENDING, OperationWords.NOT_ASKED);
    }
    return common.running(
        version.cluster().complete() ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
        Reasons.CLUSTER_NOT_READY,
        version.flink() instanceof Unreachable silent && version.cluster().answerable()
            ? silent.why() + "."
            : notReady(version));
  }
}
