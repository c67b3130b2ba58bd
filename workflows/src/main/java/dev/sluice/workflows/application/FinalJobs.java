package dev.sluice.workflows.application;

import dev.sluice.api.application.DeleteMode;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest.OnlyIf;
import dev.sluice.workflows.application.ApplicationActivities.FindStateRequest;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the jobs of an application that is being deleted, as far as that can be done in time, and
 * tells from what each can be started again.
 */
final class FinalJobs {

  private final DeleteApplicationProcedure log;
  private final OperationContext context;
  private final StepRunner steps;
  private final DeleteMode mode;
  private final VersionLimits limits;
  private final FinalStop savepoint;
  private final List<String> said = new ArrayList<>();
  private final List<VersionRef> untold = new ArrayList<>();
  private @Nullable String path;

  FinalJobs(
      DeleteApplicationProcedure log,
      OperationContext context,
      StepRunner steps,
      ApplicationSeen seen) {
    this.log = log;
    this.context = context;
    this.steps = steps;
    this.mode = seen.wanted().deleteMode();
    this.limits = seen.limits();
    this.savepoint = new FinalStop(log, context, steps, limits);
  }

  /** What became of them, a sentence each. */
  List<String> said() {
    return said;
  }

  /** The savepoint or checkpoint that the last one left; null when none is known. */
  @Nullable String path() {
    return path;
  }

  /** Ends all. The newer version comes first: what it leaves is newer, too. */
  void end(ApplicationSeen seen) {
    if (mode == DeleteMode.NONE) {
      return;
    }
    end(seen.target());
    end(seen.deployed());
  }

  /** Tells what could not be found out while the clusters were there. */
  void tellRest() {
    for (VersionRef version : List.copyOf(untold)) {
      tellState(version, true);
    }
    Start start = log.known().start();
    String taken = start == null ? null : start.state().pathOrNull();
    if (path == null && start != null && taken != null) {
      path = taken;
      say("The state that was taken last is %s.", start.state().display());
    }
  }

  /** Ends the job of that version; nothing where it does not run. */
  private void end(@Nullable VersionSeen before) {
    VersionSeen seen =
        before != null && before.job() instanceof JobObservation.Unreachable
            ? patiently(before)
            : before;
    if (seen == null) {
      return;
    }
    List<String> others = new ArrayList<>(OtherJobs.of(log.known(), seen));
    VersionRef version = seen.version();
    boolean alive = seen.job() instanceof JobObservation.Alive;
    if (isUnknown(seen) && version.adopted() && others.size() == 1) {
      // what Lyft's operator has started last is not always in the status
      version = version.running(others.remove(0));
      alive = true;
    }
    if (!others.isEmpty()) {
      say(
          "Other jobs on %s end with it, without a savepoint: %s.",
          version.display(), String.join(", ", others));
    }
    boolean gone = seen.cluster() == VersionSeen.Cluster.MISSING;
    if (version.jobId() != null) {
      end(version, alive, seen.job() instanceof JobObservation.Unreachable && !gone);
    } else if (version.adopted() && !gone && seen.cluster() != VersionSeen.Cluster.READY) {
      say(
          "No savepoint of %s: its job is not known, and its JobManager does not answer.",
          version.display());
    }
  }

  private static boolean isUnknown(VersionSeen seen) {
    return seen.version().jobId() == null || seen.job() instanceof JobObservation.Absent;
  }

  private void end(VersionRef version, boolean alive, boolean silent) {
    boolean saves = mode == DeleteMode.SAVEPOINT;
    // one that a stop in flight has ended meanwhile may have left its savepoint
    boolean stopping = saves && savepoint.isBeingTaken(version);
    if (saves && silent) {
      say("No savepoint of %s: its JobManager does not answer.", version.display());
    } else if ((saves && alive) || stopping) {
      FinalStop.Result result = savepoint.take(version);
      if (result.path() != null) {
        path = result.path();
        say(
            "The final savepoint of %s is %s, from which it can be started again.",
            version.display(), result.path());
        return;
      }
      say("No savepoint of %s: %s.", version.display(), result.why());
    }
    if (alive || silent || stopping) {
      cancel(version);
    }
    // the newer version was started from what this one has left
    if (path == null || version.colour() != null) {
      if (silent) {
        untold.add(version);
      } else {
        tellState(version, false);
      }
    }
  }

  private VersionSeen patiently(VersionSeen before) {
    ApplicationSeen again = log.observe(StepLimits.PATIENCE);
    if (again.deployed() != null && again.deployed().version().equals(before.version())) {
      return again.deployed();
    }
    return again.target() != null && again.target().version().equals(before.version())
        ? again.target()
        : before;
  }

  private void cancel(VersionRef version) {
    long deadline = context.in(Duration.ofMillis(limits.cancelMs()));
    try {
      CancelOutcome outcome =
          steps.runOnce(
              Step.CANCEL_VERSION_JOB,
              "Cancel the job of " + version.display(),
              deadline,
              ApplicationActivities.class,
              a ->
                  a.cancel(
                      new CancelVersionRequest(
                          log.request(version, deadline), OnlyIf.ANY_CASE, 0)));
      if (outcome instanceof CancelOutcome.Unknown unknown) {
        say("The job of %s was not seen ended: %s.", version.display(), unknown.why());
      }
    } catch (ActivityFailure failure) {
      say("The job of %s was not cancelled: %s.", version.display(), steps.describe(failure));
    }
  }

  /** From what it can be started again, however old that is. */
  private void tellState(VersionRef version, boolean atLast) {
    long deadline = context.in(Duration.ofMillis(limits.cancelMs()));
    try {
      FoundState state =
          steps.runOnce(
              Step.FIND_VERSION_STATE,
              "Look for what the job of %s has left".formatted(version.display()),
              deadline,
              ApplicationActivities.class,
              a ->
                  a.findState(
                      new FindStateRequest(log.request(version, deadline), Long.MAX_VALUE)));
      if (state instanceof FoundState.Unknown && !atLast) {
        untold.add(version);
      } else {
        tellState(version, state);
      }
    } catch (ActivityFailure failure) {
      say("What %s has left is not known: %s.", version.display(), steps.describe(failure));
    }
  }

  private void tellState(VersionRef version, FoundState state) {
    if (state instanceof FoundState.Found found) {
      path = found.state().pathOrNull();
      say(
          "The job of %s can be started again from %s, known from %s.",
          version.display(), found.state().display(), found.how());
    } else if (state instanceof FoundState.TooOld old) {
      path = old.path();
      say("The job of %s can be started again from %s.", version.display(), old.path());
    } else if (state instanceof FoundState.None none) {
      say("There is no state of %s: %s.", version.display(), none.why());
    } else if (state instanceof FoundState.Alive alive) {
      say("%s, and ends with its cluster.", alive.why());
    } else {
      say(
          "What %s has left is not known: %s.",
          version.display(), ((FoundState.Unknown) state).why());
    }
  }

  private void say(String form, Object... with) {
    String what = form.formatted(with);
    said.add(what);
    context.done(what);
  }
}
