package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationSeen.ParallelismChange;
import dev.sluice.workflows.model.JobObservation;
import org.jspecify.annotations.Nullable;

/**
 * All that a decision depends on.
 *
 * @param seen what the application says, and what was observed of its versions
 * @param asked what was asked of the run
 * @param nowMs ms since the epoch
 */
record ApplicationLook(ApplicationSeen seen, ApplicationAsked asked, long nowMs) {

  ApplicationRecord record() {
    return seen.record();
  }

  /** Whether the newest spec is that of this version. */
  boolean newestIs(@Nullable VersionRef version) {
    return version != null && seen.wanted().fullHash().equals(version.fullHash());
  }

  /** Whether the newest spec is the one whose deployment has failed. */
  boolean newestHasFailed() {
    Hashes hashes = record().hashes();
    String newest = seen.wanted().fullHash();
    // what was written before has no whole hash
    return hashes.failedFull() != null
        ? newest.equals(hashes.failedFull())
        : hashes.failed() != null && newest.startsWith(hashes.failed());
  }

  /**
   * Whether the newest spec takes the place of an attempt to start the deployed version again,
   * which cannot go on by itself.
   */
  boolean replacesAttempt() {
    return asked.stuck()
        && asksForAnother()
        && (asked.again() || !newestHasFailed())
        && !seen.wanted().requests().forceRollback()
        && !isDeployedAlive();
  }

  /** Whether the newest spec can be deployed, and is neither version's. */
  boolean asksForAnother() {
    return seen.problem() == null && !newestIs(record().deployed()) && !newestIs(record().target());
  }

  /** Whether the target is on the cluster of the deployed version. */
  boolean isInPlace() {
    return isInPlace(record());
  }

  static boolean isInPlace(ApplicationRecord record) {
    return record.target() != null
        && record.deployed() != null
        && record.target().cluster().equals(record.deployed().cluster());
  }

  /** Whether the target is to run next to the deployed version, whose job is not stopped for it. */
  boolean isBeside() {
    return isBeside(record());
  }

  static boolean isBeside(ApplicationRecord record) {
    return record.deployed() != null && record.target() != null && record.target().colour() != null;
  }

  /** What was seen of that version; null where it is neither of the two. */
  @Nullable VersionSeen of(VersionRef version) {
    return seen.of(version);
  }

  boolean isDeployedAlive() {
    return seen.deployed() != null && seen.deployed().job() instanceof JobObservation.Alive;
  }

  /** Whether no job of the deployed version can be running. */
  boolean isDeployedDown() {
    VersionSeen deployed = seen.deployed();
    return deployed == null
        || deployed.cluster() == VersionSeen.Cluster.MISSING
        || deployed.job() instanceof JobObservation.Ended
        || deployed.job() instanceof JobObservation.Absent;
  }

  /**
   * Whether an attempt to start the deployed version again is left for a newer spec, and its job
   * may yet be started by what was done for it.
   */
  boolean leavesUnseen() {
    boolean attempt =
        record().phase() == ApplicationPhase.ROLLING_BACK_JOB
            || RecoveryPlanner.isRecovery(record());
    return attempt && !isDeployedDown();
  }

  /** The newest spec becomes the target. */
  ApplicationDecision.Begin begin(String why) {
    return new ApplicationDecision.Begin(kind(), why);
  }

  private Kind kind() {
    VersionRef deployed = record().deployed();
    if (deployed == null) {
      return Kind.FIRST;
    }
    if (deployed.colour() != null) {
      return Kind.BESIDE;
    }
    ParallelismChange change = seen.wanted().parallelismOnly();
    boolean scales =
        seen.wanted().inPlace()
            && change != null
            && change.isUp()
            && !seen.wanted().state().redeploys()
            && seen.deployed() != null
            && seen.deployed().cluster() == VersionSeen.Cluster.READY;
    return scales ? Kind.IN_PLACE : Kind.DUAL;
  }

  /** {@code generation 7}. */
  String newest() {
    return "generation " + seen.generation();
  }
}
