package dev.sluice.activities.snapshot;

import dev.sluice.activities.sessionjob.SessionJobs;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** The same of the history that the status of a FlinkSessionJob has. */
class SessionJobStatusHistoryIT extends StatusHistoryIT {

  @Override
  HasMetadata manifest() {
    return SessionJobs.in(namespace, "orders");
  }
}
