package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationDecision.Hold;
import dev.sluice.workflows.application.ApplicationDecision.Invalid;
import dev.sluice.workflows.application.ApplicationDecision.KeepBoth;
import dev.sluice.workflows.application.ApplicationDecision.Recover;
import dev.sluice.workflows.application.ApplicationDecision.Settle;
import dev.sluice.workflows.application.ApplicationDecision.Settled;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.model.JobObservation;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides where no operation is begun. */
final class SettledPlanner {

  /** So often a job is brought back that never ran for {@link #LONG}. */
  static final int MOST_RECOVERIES = 10;

  /** A job that ran for so long counts as brought back. */
  static final Duration LONG = Duration.ofHours(1);

  ApplicationDecision decide(ApplicationLook look) {
    if (look.record().phase() == ApplicationPhase.DUAL_RUNNING) {
      return both(look);
    }
    return newer(look).or(() -> lost(look, look.seen().deployed())).orElseGet(() -> rest(look));
  }

  /** Empty where the newest spec asks for nothing. */
  private static Optional<ApplicationDecision> newer(ApplicationLook look) {
    ApplicationSeen seen = look.seen();
    ApplicationRecord record = look.record();
    boolean again = look.asked().again();
    boolean settled = seen.generation() <= record.settledGeneration();
    if (seen.problem() != null
        || look.newestIs(record.deployed())
        || (!again && (settled || look.newestHasFailed()))
        || seen.wanted().requests().forceRollback()
        || look.asked().givesUp() != null) {
      return Optional.empty();
    }
    return Optional.of(look.begin("Deploy " + look.newest()));
  }

  private static ApplicationDecision rest(ApplicationLook look) {
    ApplicationSeen seen = look.seen();
    ApplicationRecord record = look.record();
    if (seen.problem() != null) {
      return new Invalid(seen.problem());
    }
    ApplicationRecord settled = record.settled(seen.generation());
    if (look.newestIs(record.deployed())) {
      return new Settled(
          settled.in(ApplicationPhase.RUNNING).with(withoutFailed(record.hashes())),
          look.newest() + " is what is deployed");
    }
    if (look.newestHasFailed()) {
      return new Settled(
          settled,
          "The deployment of %s has failed before. Change the spec, or request sluice.dev/retry"
              .formatted(record.hashes().failed()));
    }
    if (look.asked().givesUp() != null) {
      return new Settled(settled, "Given up before anything was begun: " + look.asked().givesUp());
    }
    if (seen.wanted().requests().forceRollback()) {
      return new Settled(settled, "Nothing is deployed while forceRollback is true");
    }
    return new Settled(settled, "Everything is done for " + look.newest());
  }

  static Hashes withoutFailed(Hashes hashes) {
    return new Hashes(null, hashes.tornDown(), hashes.inPlaceFrom());
  }

  private static ApplicationDecision both(ApplicationLook look) {
    ApplicationSeen seen = look.seen();
    ApplicationRecord record = look.record();
    VersionRef deployed = record.deployed();
    VersionRef target = record.target();
    if (deployed == null || target == null) {
      return new Settled(record.in(ApplicationPhase.RUNNING), "One version runs");
    }
    String tearDown = seen.problem() == null ? seen.wanted().requests().tearDownHash() : null;
    if (deployed.hash().equals(tearDown)) {
      return new TearDown(deployed, target, "tearDownVersionHash names " + deployed.display());
    }
    if (target.hash().equals(tearDown)) {
      return new TearDown(target, deployed, "tearDownVersionHash names " + target.display());
    }
    return lost(look, seen.deployed())
        .or(() -> lost(look, seen.target()))
        .orElseGet(() -> keepBoth(look, deployed, target));
  }

  private static ApplicationDecision keepBoth(
      ApplicationLook look, VersionRef deployed, VersionRef target) {
    ApplicationRecord record = look.record();
    String until =
        "until %s or %s is torn down (tearDownVersionHash)"
            .formatted(deployed.hash(), target.hash());
    if (look.seen().problem() != null) {
      return new KeepBoth(record, "Two versions run, %s".formatted(until));
    }
    return look.asksForAnother()
        ? new KeepBoth(record, "%s waits %s".formatted(look.newest(), until))
        : new KeepBoth(
            record.settled(look.seen().generation()), "Two versions run, %s".formatted(until));
  }

  /** Empty where the job of that version is not lost. */
  private static Optional<ApplicationDecision> lost(
      ApplicationLook look, @Nullable VersionSeen version) {
    if (version == null || version.version().jobId() == null || !isLost(version)) {
      return Optional.empty();
    }
    if (!look.asked().patient()) {
      return Optional.of(new Settle("Wait whether the job of that version comes back"));
    }
    String which = version.version().display();
    Recoveries recoveries = look.record().recoveries();
    if (recoveries.count() >= MOST_RECOVERIES
        && look.nowMs() - recoveries.atMs() < LONG.toMillis()
        && !look.asked().again()) {
      return Optional.of(
          new Hold(
              false,
              Reasons.RECOVERY_LIMIT,
              "%s has lost its job, which was brought back %d times and never ran for an hour"
                  .formatted(which, recoveries.count())));
    }
    return Optional.of(
        new Recover(
            version.version(),
            version.cluster().lacks()
                ? "The cluster of %s is not there".formatted(which)
                : "%s has lost its job".formatted(which)));
  }

  static boolean isLost(VersionSeen version) {
    boolean gone = version.cluster() == VersionSeen.Cluster.MISSING;
    boolean incomplete = version.cluster() == VersionSeen.Cluster.INCOMPLETE;
    return version.job() instanceof JobObservation.Absent
        || (incomplete && !(version.job() instanceof JobObservation.Ended))
        || (gone && version.job() instanceof JobObservation.Unreachable);
  }
}
