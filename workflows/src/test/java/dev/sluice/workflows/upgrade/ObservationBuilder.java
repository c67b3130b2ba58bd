package dev.sluice.workflows.upgrade;

import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.ClusterSeen;
import dev.sluice.workflows.resource.Observation.JobSeen;
import org.jspecify.annotations.Nullable;

/** Observations by what differs: the newest generation is 7, upgradeMode is savepoint. */
final class ObservationBuilder {

  private long newest = 7;
  private @Nullable Long frozen;
  private @Nullable Long stable;
  private boolean upgrading;
  private @Nullable String recorded;
  private String mode = "savepoint";
  private @Nullable String frozenMode;
  private @Nullable String initialSavepoint;
  private @Nullable Long cluster;
  private boolean reachable = true;
  private @Nullable String state;
  private int tasksRunning;
  private @Nullable String latest;

  ObservationBuilder newest(long generation) {
    newest = generation;
    return this;
  }

  ObservationBuilder frozen(long generation) {
    frozen = generation;
    frozenMode = "savepoint";
    return this;
  }

  ObservationBuilder frozenMode(String is) {
    frozenMode = is;
    return this;
  }

  ObservationBuilder stable(long generation) {
    stable = generation;
    return this;
  }

  ObservationBuilder upgrading() {
    upgrading = true;
    return this;
  }

  ObservationBuilder recorded(String path) {
    recorded = path;
    return this;
  }

  ObservationBuilder mode(String is) {
    mode = is;
    return this;
  }

  ObservationBuilder initialSavepoint(String path) {
    initialSavepoint = path;
    return this;
  }

  ObservationBuilder cluster(long generation) {
    cluster = generation;
    return this;
  }

  ObservationBuilder noCluster() {
    cluster = null;
    return unreachable();
  }

  ObservationBuilder unreachable() {
    reachable = false;
    return this;
  }

  ObservationBuilder noJob() {
    state = null;
    return this;
  }

  ObservationBuilder job(String is, int running) {
    state = is;
    tasksRunning = running;
    return this;
  }

  ObservationBuilder latest(String path) {
    latest = path;
    return this;
  }

  Observation build() {
    String jobId = cluster == null ? null : "j";
    JobSeen job =
        reachable
            ? new JobSeen(true, state == null ? null : "j", state, tasksRunning, 2, latest)
            : JobSeen.UNKNOWN;
    return new Observation(
        newest,
        false,
        frozen,
        frozenMode,
        stable == null,
        stable,
        upgrading,
        recorded,
        mode,
        initialSavepoint,
        0,
        "spec.image",
        new ClusterSeen(cluster != null, cluster, jobId, cluster == null ? 0 : 2, null),
        job);
  }
}
