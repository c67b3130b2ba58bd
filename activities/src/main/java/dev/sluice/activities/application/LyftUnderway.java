package dev.sluice.activities.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Lyft's operator was in the middle of with an application that is being deleted: the
 * savepoint with which it stops the job, the state that it has taken, and the cluster to which the
 * job may have moved. Pure.
 */
final class LyftUnderway {

  private LyftUnderway() {}

  /**
   * The record of what it has deployed, with that.
   *
   * @param found the clusters that are there
   */
  static ApplicationRecord of(
      StoredApplication now, ApplicationRecord adopted, List<VersionRef> found, Clock clock) {
    ApplicationRecord record = adopted;
    VersionRef deployed = Objects.requireNonNull(adopted.deployed());
    if (adopted.target() == null) {
      record = record.with(deployed, other(found, deployed));
    }
    String taken = now.status().savepointPath();
    if (taken != null && !taken.isBlank() && !adopted.phase().isSettled()) {
      return record.starting(new Start(new StateRef.Savepoint(taken), deployed.jobId(), null));
    }
    return record.taking(savepoint(now, deployed.jobId(), clock));
  }

  /** The only other one: which of several has the job is not known. */
  private static @Nullable VersionRef other(List<VersionRef> found, VersionRef deployed) {
    List<VersionRef> others =
        found.stream().filter(it -> !it.cluster().equals(deployed.cluster())).toList();
    return others.size() == 1 ? others.get(0) : null;
  }

  private static @Nullable Trigger savepoint(
      StoredApplication now, @Nullable String jobId, Clock clock) {
    FlinkApplicationStatus status = now.status();
    String id = status.savepointTriggerId();
    boolean stops =
        status.phase() == ApplicationPhase.DELETING
            || (status.phase() == ApplicationPhase.SAVEPOINTING && !now.spec().isBlueGreen());
    return !stops || id == null || id.isBlank() || jobId == null
        ? null
        : new Trigger(
            id,
            jobId,
            Objects.requireNonNullElse(WrittenTime.millis(status.lastUpdatedAt()), clock.millis()),
            true);
  }
}
