package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import dev.sluice.controller.deployment.ObservedJob;
import dev.sluice.controller.deployment.ObservedJob.Answered;
import dev.sluice.controller.deployment.ObservedJob.Job;
import dev.sluice.controller.deployment.ObservedJob.Pending;
import dev.sluice.controller.deployment.ObservedJob.Unreachable;
import dev.sluice.controller.status.ConditionHistory.Truth;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The four conditions, always in the same order. */
final class Conditions {

  private static final String NONE = "the JobManager answers and knows no job";

  private final DeploymentSnapshot situation;
  private final ConditionHistory history;
  private final boolean frozen;
  private final @Nullable String unavailable;

  /**
   * @param frozen an operation is at work, so what cluster and job do is not told
   */
  Conditions(
      DeploymentSnapshot situation, Decision decision, ConditionHistory history, boolean frozen) {
    this.situation = situation;
    this.history = history;
    this.frozen = frozen;
    this.unavailable = unavailable(situation, decision);
  }

  /** Why Temporal cannot be used, if it is needed; else null. */
  static @Nullable String unavailable(DeploymentSnapshot situation, Decision decision) {
    boolean needed = decision instanceof Decision.Start || decision instanceof Decision.Signal;
    return needed ? situation.seen().lane().unavailable() : null;
  }

  List<Condition> all() {
    return List.of(ready(), progressing(), stalled(), running());
  }

  private Condition ready() {
    return switch (situation.stage()) {
      case DELETING, RUNNING, WANTED ->
          ready(
              Truth.FALSE,
              ConditionMessages.atWork(situation),
              ConditionMessages.atWorkMessage(situation));
      case PARKED ->
          ready(
              Truth.FALSE,
              ConditionMessages.parked(situation.operation()),
              ConditionMessages.parkedMessage(situation.operation()));
      case GIVEN_UP ->
          ready(
              Truth.FALSE,
              ConditionMessages.givenUp(situation.operation()),
              ConditionMessages.givenUpMessage(situation));
      case REFUSED ->
          ready(
              Truth.FALSE,
              ConditionMessages.invalidReason(situation),
              ConditionMessages.invalid(situation));
      case SETTLED -> settled(situation.seen().job());
    };
  }

  private Condition settled(ObservedJob seen) {
    if (seen instanceof Pending) {
      return history.kept(ConditionTypes.READY, Reasons.PENDING, "the job was not looked at yet");
    }
    if (seen instanceof Unreachable unreachable) {
      // "unknown" is not "failed": a process is there, it just does not answer
      boolean process = situation.seen().cluster().answerable();
      return ready(
          process ? Truth.UNKNOWN : Truth.FALSE, Reasons.CLUSTER_NOT_READY, unreachable.why());
    }
    Answered answered = (Answered) seen;
    if (!situation.resource().getSpec().isApplication()) {
      return ready(Truth.TRUE, Reasons.UP_TO_DATE, "the session cluster is there");
    }
    if (answered.job().filter(Job::healthy).isPresent()) {
      return ready(
          Truth.TRUE,
          Reasons.UP_TO_DATE,
          "generation " + situation.generation() + " is deployed and every task of its job runs");
    }
    return ready(
        Truth.FALSE, Reasons.JOB_NOT_RUNNING, answered.job().map(Conditions::sick).orElse(NONE));
  }

  private static String sick(Job job) {
    return job.state() == FlinkJobState.RUNNING
        ? "not every task of job " + job.id() + " runs"
        : "job " + job.id() + " is " + job.state();
  }

  private Condition ready(Truth truth, String reason, String message) {
    return history.condition(ConditionTypes.READY, truth, reason, message);
  }

  private Condition progressing() {
    if (unavailable != null) {
      return progressing(Truth.UNKNOWN, Reasons.TEMPORAL_UNAVAILABLE, unavailable);
    }
    return switch (situation.stage()) {
      case DELETING, RUNNING, WANTED ->
          progressing(
              Truth.TRUE,
              ConditionMessages.atWork(situation),
              ConditionMessages.atWorkMessage(situation));
      case PARKED ->
          progressing(
              Truth.FALSE, ConditionMessages.parked(situation.operation()), "waits for a person");
      case GIVEN_UP, REFUSED, SETTLED ->
          progressing(Truth.FALSE, Reasons.IDLE, "no operation is open");
    };
  }

  private Condition progressing(Truth truth, String reason, String message) {
    return history.condition(ConditionTypes.PROGRESSING, truth, reason, message);
  }

  private Condition stalled() {
    boolean invalid = !situation.violations().isEmpty();
    return switch (situation.stage()) {
      case PARKED ->
          stalled(
              ConditionMessages.parked(situation.operation()),
              ConditionMessages.parkedMessage(situation.operation())
                  + (invalid ? "; " + ConditionMessages.invalid(situation) : ""));
      case GIVEN_UP ->
          stalled(
              ConditionMessages.givenUp(situation.operation()),
              ConditionMessages.givenUpMessage(situation));
      case REFUSED ->
          stalled(ConditionMessages.invalidReason(situation), ConditionMessages.invalid(situation));
      case DELETING, RUNNING, WANTED, SETTLED ->
          invalid
              ? stalled(
                  ConditionMessages.invalidReason(situation), ConditionMessages.invalid(situation))
              : history.condition(
                  ConditionTypes.STALLED,
                  Truth.FALSE,
                  Reasons.NOT_STALLED,
                  "nothing waits for a person");
    };
  }

  private Condition stalled(String reason, String message) {
    return history.condition(ConditionTypes.STALLED, Truth.TRUE, reason, message);
  }

  private Condition running() {
    if (frozen) {
      return running(
          Truth.UNKNOWN,
          ConditionMessages.atWork(situation),
          ConditionMessages.atWorkMessage(situation));
    }
    ObservedJob seen = situation.seen().job();
    if (seen instanceof Pending) {
      return history.kept(ConditionTypes.RUNNING, Reasons.PENDING, "the job was not looked at yet");
    }
    if (seen instanceof Unreachable unreachable) {
      boolean process = situation.seen().cluster().present();
      return running(
          process ? Truth.UNKNOWN : Truth.FALSE, Reasons.CLUSTER_NOT_READY, unreachable.why());
    }
    Answered answered = (Answered) seen;
    if (!situation.resource().getSpec().isApplication()) {
      return running(Truth.TRUE, Reasons.RUNNING, "the session cluster is there");
    }
    return answered
        .job()
        .map(
            job ->
                running(
                    Truth.of(job.state() == FlinkJobState.RUNNING),
                    ConditionMessages.camelCase(job.state().wire()),
                    "job " + job.id() + " is " + job.state()))
        .orElseGet(() -> running(Truth.FALSE, Reasons.JOB_NOT_RUNNING, NONE));
  }

  private Condition running(Truth truth, String reason, String message) {
    return history.condition(ConditionTypes.RUNNING, truth, reason, message);
  }
}
