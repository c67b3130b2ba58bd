package dev.sluice.activities.application;

import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.job.JobProbe.Probe;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.job.Statistics;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.application.VersionSeen;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at one version. One instance for each attempt of an activity. */
final class VersionProbe {

  /** A JobManager that takes longer does not answer. */
  private static final Duration ANSWERS = Duration.ofSeconds(3);

  /** What a Deployment has owned is collected soon after it. */
  private static final Duration COLLECTED = Duration.ofSeconds(10);

  // with high availability a JobManager that starts answers some seconds before it has its jobs
  private static final Duration BACK = Duration.ofSeconds(20);

  private static final String SILENT = "the JobManager does not answer";

  private final FrozenVersion version;
  private final FlinkRest flink;
  private final @Nullable JobProbe job;
  private final SettleTimer collected;
  private final SettleTimer back;

  VersionProbe(FrozenVersion version, FlinkRest flink, Clock clock) {
    this.version = version;
    this.flink = flink;
    this.collected = new SettleTimer(clock, COLLECTED);
    this.back = new SettleTimer(clock, BACK);
    String jobId = version.ref().jobId();
    this.job =
        jobId == null
            ? null
            : new JobProbe(
                flink, version.endpoint(), jobId, Statistics.age(version.configuration()), clock);
  }

  /**
   * What Flink says.
   *
   * @param overview of the cluster; empty when it does not answer
   * @param probe its job
   */
  record Answer(Optional<ClusterOverview> overview, Probe probe) {}

  /** Its job; null when none is recorded. */
  @Nullable String jobId() {
    return version.ref().jobId();
  }

  /** Asks Flink; never fails. */
  Answer look() {
    ClusterOverview overview;
    try {
      overview = flink.within(ANSWERS).overview(version.endpoint());
    } catch (FlinkRestException silent) {
      overview = null;
    }
    return new Answer(Optional.ofNullable(overview), job == null ? others() : job.look());
  }

  private Probe others() {
    try {
      JobsOverview all = flink.within(ANSWERS).jobsOverview(version.endpoint());
      return others(all.alive().stream().map(JobOverview::jobId).toList());
    } catch (FlinkRestException silent) {
      back.reset();
      return unknown();
    }
  }

  private Probe others(List<String> jobs) {
    if (comesBack() && jobs.isEmpty() && !back.reached()) {
      String why = "its JobManager may have started just now, and has no job yet";
      return new Probe(new JobObservation.Unreachable(why, null), jobs, false, why);
    }
    return new Probe(
        new JobObservation.NeverStarted("no job of it is recorded"),
        jobs,
        true,
        "no job is recorded");
  }

  private boolean comesBack() {
    return HighAvailabilityMode.of(version.configuration()).isOn();
  }

  /** No job of it is recorded, and which it has is not known either. */
  private static Probe unknown() {
    return new Probe(new JobObservation.Unreachable(SILENT, null), List.of(), true, SILENT);
  }

  /** Whether its JobManager may be about to go, because that has lost its Deployment just now. */
  boolean mayGo(VersionLook kubernetes) {
    if (kubernetes.isOrphaned()) {
      return !collected.reached();
    }
    collected.reset();
    return false;
  }

  /**
   * What was observed.
   *
   * @param answer what Flink said
   * @param kubernetes what Kubernetes said in the same moment
   * @param last what the status says that was last seen of its job; empty when it says nothing
   */
  VersionSeen seen(Answer answer, VersionLook kubernetes, Optional<ApplicationJobStatus> last) {
    Cluster cluster = cluster(answer, kubernetes);
    // what answers behind the Service of a cluster that is gone is not it
    boolean there = cluster != Cluster.MISSING;
    return new VersionSeen(
        version.ref(),
        cluster,
        problem(cluster, answer, kubernetes),
        unlessEnded(there ? answer.probe().job() : withoutCluster(), last),
        there ? answer.probe().otherJobs() : List.of(),
        kubernetes.served(),
        comesBack());
  }

  /** A job that had ended by Flink's own word is not lost when nobody knows it any more. */
  private static JobObservation unlessEnded(
      JobObservation job, Optional<ApplicationJobStatus> last) {
    FlinkJobState state = last.map(ApplicationJobStatus::state).orElse(null);
    boolean unknown =
        job instanceof JobObservation.Absent || job instanceof JobObservation.Unreachable;
    return unknown && state != null && state.isGloballyTerminal()
        ? new JobObservation.Ended(
            String.valueOf(last.get().jobID()),
            state,
            new StateRef.Unknown("Flink has forgotten the job"),
            true)
        : job;
  }

  private JobObservation withoutCluster() {
    String jobId = version.ref().jobId();
    return jobId == null
        ? new JobObservation.NeverStarted("no job of it is recorded")
        : new JobObservation.Unreachable("its cluster is missing", jobId);
  }

  private Cluster cluster(Answer answer, VersionLook kubernetes) {
    if (!kubernetes.isThere()) {
      return isGoing(kubernetes)
          ? Cluster.DELETING
          : kubernetes.jobManager() == null && !kubernetes.isOrphaned()
              ? Cluster.MISSING
              : Cluster.INCOMPLETE;
    }
    if (answer.overview().isEmpty()) {
      return version.ref().jobId() == null ? Cluster.STARTING : Cluster.SILENT;
    }
    return hasSlots(answer) ? Cluster.READY : Cluster.STARTING;
  }

  /** A cluster of which only one Deployment is missing is made whole again, and not waited for. */
  private static boolean isGoing(VersionLook kubernetes) {
    boolean nothing = kubernetes.jobManager() == null && kubernetes.taskManagers() == null;
    return nothing
        ? !kubernetes.pods().isEmpty() && !kubernetes.isOrphaned()
        : isGoing(kubernetes.jobManager()) || isGoing(kubernetes.taskManagers());
  }

  private static boolean isGoing(@Nullable Deployment deployment) {
    return deployment != null && deployment.getMetadata().getDeletionTimestamp() != null;
  }

  private boolean hasSlots(Answer answer) {
    int needed = Objects.requireNonNullElse(version.spec().parallelism(), 1);
    return answer.overview().filter(it -> it.slotsTotal() >= needed).isPresent();
  }

  private @Nullable String problem(Cluster cluster, Answer answer, VersionLook kubernetes) {
    return switch (cluster) {
      case READY -> null;
      case MISSING, INCOMPLETE ->
          "the %s Deployment of %s is missing"
              .formatted(
                  kubernetes.jobManager() == null ? "JobManager" : "TaskManager",
                  version.ref().display());
      case DELETING -> "the cluster " + version.ref().display() + " is being deleted";
      case SILENT, STARTING ->
          kubernetes.problem() != null
              ? kubernetes.problem()
              : answer
                  .overview()
                  .map(
                      it ->
                          "%d of %d slots are there"
                              .formatted(it.slotsTotal(), version.spec().parallelism()))
                  .orElse(SILENT);
    };
  }
}
