package dev.sluice.activities.snapshot;

import dev.sluice.activities.sessionjob.SessionJobs;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** The same in the status of a FlinkSessionJob. */
class SessionJobStatusSnapshotIT extends StatusSnapshotIT {

  @Override
  HasMetadata manifest() {
    return SessionJobs.in(namespace, "orders");
  }
}
