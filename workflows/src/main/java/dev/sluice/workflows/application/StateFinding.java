package dev.sluice.workflows.application;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationActivities.FindStateRequest;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the newest state of a job that does not run, and holds the run where that is not known.
 */
final class StateFinding {

  static final String FALLBACK = "fallbackWithoutState: no state could be had";

  private static final String NAME_ONE =
      "name a savepoint or checkpoint with savepointPath and a new savepointRedeployNonce";

  private final ApplicationLog log;
  private final ApplicationMemory memory;

  StateFinding(ApplicationLog log, ApplicationMemory memory) {
    this.log = log;
    this.memory = memory;
  }

  /**
   * What a search has come to.
   *
   * @param state null when it was not found
   * @param alive whether the job is alive
   * @param isNone whether it is certain that it cannot be found. If nothing of all that, the run
   *     was held
   */
  record Search(@Nullable StateRef state, boolean alive, boolean isNone) {

    static final Search AGAIN = new Search(null, false, false);

    /** Whether the job has finished by itself, and left none. */
    boolean hasFinished() {
      return state instanceof StateRef.Empty empty && !empty.reason().equals(FALLBACK);
    }
  }

  /**
   * Looks for it.
   *
   * @param isSpared whether the run goes on without it: it is not held where none is found
   */
  Search find(VersionRef version, boolean isSpared) {
    long deadline = Workflow.currentTimeMillis() + log.limits().cancelMs();
    Optional<FoundState> found =
        log.await(
            Step.FIND_VERSION_STATE,
            "Find the newest state of the job of " + version.display(),
            deadline,
            a ->
                a.findState(
                    new FindStateRequest(
                        log.request(version, deadline), policy().maxCheckpointAgeMs())));
    if (found.isPresent() && found.get() instanceof FoundState.Alive alive && isGone(version)) {
      log.blocked(
          Step.FIND_VERSION_STATE,
          Reasons.CLUSTER_NOT_GONE,
          "The Deployment of the JobManager of %s is gone, and a JobManager still answers: %s. Wait until its pod is gone, or delete that"
              .formatted(version.display(), alive.why()));
      return Search.AGAIN;
    }
    return found.map(it -> judge(it, isSpared)).orElse(Search.AGAIN);
  }

  private boolean isGone(VersionRef version) {
    VersionSeen seen = log.seen().of(version);
    return seen != null && seen.cluster() == VersionSeen.Cluster.MISSING;
  }

  private StatePolicy policy() {
    return log.seen().wanted().state();
  }

  private Search judge(FoundState found, boolean isSpared) {
    Step step = Step.FIND_VERSION_STATE;
    if (found instanceof FoundState.Found is) {
      log.goesOn(step, "Found by %s: %s".formatted(is.how(), is.state().display()));
      return new Search(is.state(), false, false);
    }
    if (found instanceof FoundState.Alive alive) {
      log.goesOn(step, "The job is alive: " + alive.why());
      return new Search(null, true, false);
    }
    if (found instanceof FoundState.Unknown unknown && !unknown.forGood()) {
      memory.stuck();
      log.blocked(step, Reasons.JOB_MANAGER_SILENT, unknown.why());
      return Search.AGAIN;
    }
    if (isSpared) {
      log.goesOn(step, why(found));
      return new Search(null, false, true);
    }
    // what may be there is not given up for nothing
    if (policy().fallbackWithoutState() && !(found instanceof FoundState.Unknown)) {
      log.goesOn(step, why(found));
      return new Search(new StateRef.Empty(FALLBACK), false, false);
    }
    memory.stuck();
    log.parked(step, Reasons.STATE_NOT_FOUND, "%s. %s".formatted(why(found), remedy(found)));
    return Search.AGAIN;
  }

  private String why(FoundState found) {
    if (found instanceof FoundState.TooOld old) {
      return "The newest state is %s, %s, and maxCheckpointRestoreAgeSeconds allows %d"
          .formatted(
              old.path(),
              old.ageMs() < 0 ? "of unknown age" : old.ageMs() / 1000 + " s old",
              policy().maxCheckpointAgeMs() / 1000);
    }
    return found instanceof FoundState.Unknown unknown
        ? unknown.why()
        : "No state was found: " + ((FoundState.None) found).why();
  }

  private static String remedy(FoundState found) {
    if (found instanceof FoundState.Unknown) {
      return "Find out which one it is, then " + NAME_ONE;
    }
    return found instanceof FoundState.TooOld old && old.ageMs() >= 0
        ? "Raise maxCheckpointRestoreAgeSeconds, set fallbackWithoutState, or " + NAME_ONE
        : "Set fallbackWithoutState, or " + NAME_ONE;
  }
}
