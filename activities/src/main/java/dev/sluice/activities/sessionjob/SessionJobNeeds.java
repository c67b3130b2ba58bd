package dev.sluice.activities.sessionjob;

import dev.sluice.activities.resource.Needs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What state a FlinkSessionJob may be started from. Pure; for one resource. */
public final class SessionJobNeeds {

  private final FlinkSessionJob resource;
  private final Set<String> snapshots = new HashSet<>();
  private final Set<String> paths = new HashSet<>();
  private final Set<String> unreadable = new HashSet<>();

  private SessionJobNeeds(FlinkSessionJob resource) {
    this.resource = resource;
  }

  /** Of that resource, as it was read. */
  public static Needs of(FlinkSessionJob resource) {
    SessionJobNeeds needs = new SessionJobNeeds(resource);
    needs.specs();
    needs.kept();
    return new Needs(
        "%s %s/%s"
            .formatted(
                FlinkSessionJob.KIND,
                resource.getMetadata().getNamespace(),
                resource.getMetadata().getName()),
        needs.snapshots,
        needs.paths,
        needs.unreadable);
  }

  private void specs() {
    add(resource.getSpec().job());
    ReconciliationStatus frozen = resource.getStatus().reconciliationStatus();
    if (frozen != null) {
      addFrozen(frozen.lastReconciledSpec());
      addFrozen(frozen.lastStableSpec());
    }
  }

  private void addFrozen(@Nullable String json) {
    if (json == null) {
      return;
    }
    try {
      FrozenSessionJob frozen = FrozenSessionJob.parse(json);
      add(frozen.spec().job());
      if (frozen.byApache() && frozen.spec().isSuspended()) {
        addLastSavepoint();
      }
    } catch (IllegalArgumentException wrong) {
      unreadable.add(json);
    }
  }

  /** Up to its release 1.9 it records nowhere else what a job that it suspended goes on from. */
  private void addLastSavepoint() {
    JobStatus job = resource.getStatus().jobStatus();
    SavepointInfo info = job == null ? null : job.savepointInfo();
    Savepoint last = info == null ? null : info.lastSavepoint();
    addPath(last == null ? null : last.location());
  }

  private void add(@Nullable JobSpec job) {
    if (job == null) {
      return;
    }
    addPath(job.startPath());
    SnapshotReference reference = job.flinkStateSnapshotReference();
    if (reference != null && reference.name() != null) {
      String own = resource.getMetadata().getNamespace();
      snapshots.add(
          Objects.requireNonNullElse(reference.namespace(), own) + "/" + reference.name());
    }
  }

  private void kept() {
    FlinkSessionJobStatus status = resource.getStatus();
    addPath(status.jobStatus() == null ? null : status.jobStatus().upgradeSavepointPath());
    RecordedState recorded = status.recordedState();
    if (recorded != null) {
      addPath(recorded.path());
      addPath(recorded.leftByStable() == null ? null : recorded.leftByStable().path());
    }
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    addPath(annotations == null ? null : annotations.get(Annotations.RESTORE_FROM));
  }

  private void addPath(@Nullable String path) {
    if (path != null) {
      paths.add(path);
    }
  }
}
