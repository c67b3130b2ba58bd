package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.workflows.application.ApplicationDecision.Recover;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides where a job that was lost is being brought back. */
final class RecoveryPlanner {

  /**
   * Whether the phase is that of a recovery. A target next to the deployed version has a job as
   * soon as both run; while it is being deployed it has none until one is recorded to be started.
   */
  static boolean isRecovery(ApplicationRecord record) {
    ApplicationPhase phase = record.phase();
    VersionRef target = record.target();
    if (record.deployed() == null) {
      return false;
    }
    if (phase == ApplicationPhase.RECOVERING) {
      // one that was taken over is not being deployed
      return target == null
          || (target.colour() != null && (target.jobId() != null || target.adopted()));
    }
    return phase == ApplicationPhase.SUBMITTING_JOB
        && (target == null || startsDeployed(record) || startsTargetAgain(record));
  }

  private static boolean startsDeployed(ApplicationRecord record) {
    VersionRef deployed = record.deployed();
    return deployed != null && isStarted(record.start(), deployed.jobId());
  }

  /**
   * Whether a version that runs next to the deployed one is started from what its own job has left.
   * One that is being deployed is started from what the job of the deployed version has left.
   */
  private static boolean startsTargetAgain(ApplicationRecord record) {
    VersionRef deployed = record.deployed();
    Start start = record.start();
    return deployed != null
        && start != null
        && start.takenFrom() != null
        && ApplicationLook.isBeside(record)
        && isStarted(start, Objects.requireNonNull(record.target()).jobId())
        && !start.takenFrom().equals(deployed.jobId());
  }

  private static boolean isStarted(@Nullable Start start, @Nullable String job) {
    return start != null && start.startedJob() != null && start.startedJob().equals(job);
  }

  ApplicationDecision decide(ApplicationLook look) {
    ApplicationRecord record = look.record();
    VersionRef deployed = Objects.requireNonNull(record.deployed());
    boolean another =
        look.replacesAttempt() && look.seen().generation() > record.settledGeneration();
    if (record.target() != null) {
      return ofTwo(look, deployed, record.target());
    }
    return another
        ? look.begin("%s comes instead of what cannot be brought back".formatted(look.newest()))
        : recover(deployed);
  }

  /** Both stay, unless the one that does not run is named to be torn down. */
  private static ApplicationDecision ofTwo(
      ApplicationLook look, VersionRef deployed, VersionRef target) {
    boolean isTarget = isTarget(look);
    VersionRef lost = isTarget ? target : deployed;
    String tearDown =
        look.seen().problem() == null ? look.seen().wanted().requests().tearDownHash() : null;
    return lost.hash().equals(tearDown)
        ? new TearDown(
            lost, isTarget ? deployed : target, "tearDownVersionHash names " + lost.display())
        : recover(lost);
  }

  private static Recover recover(VersionRef version) {
    return new Recover(version, "A job that was lost is brought back");
  }

  private static boolean isTarget(ApplicationLook look) {
    if (look.record().phase() == ApplicationPhase.SUBMITTING_JOB) {
      return startsTargetAgain(look.record());
    }
    VersionRef target = look.record().target();
    VersionSeen first = look.seen().deployed();
    return target != null
        && target.jobId() != null
        && first != null
        && !SettledPlanner.isLost(first);
  }
}
