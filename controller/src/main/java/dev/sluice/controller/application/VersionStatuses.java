package dev.sluice.controller.application;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.activities.flink.TaskManagerOverview;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ClusterStatus;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.HealthStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code clusterStatus} and {@code jobStatus} say of one version. Pure. */
final class VersionStatuses {

  private final ResourceRef application;
  private final ObservedVersion version;
  private final Instant now;

  VersionStatuses(ResourceRef application, ObservedVersion version, Instant now) {
    this.application = application;
    this.version = version;
    this.now = now;
  }

  /** Red while it does not answer. */
  ClusterStatus cluster(@Nullable ClusterStatus last) {
    VersionDetails details = version.details();
    int wanted = wantedTaskManagers();
    ClusterStatus shown =
        ClusterStatus.EMPTY
            .withClusterOverviewURL(base() + "/#/overview")
            .withNumberOfTaskManagers(wanted);
    if (version.flink() instanceof Answered && details.known()) {
      int healthy = VersionHealth.healthy(details);
      return shown
          .withHealth(VersionHealth.ofCluster(healthy, wanted))
          .withHealthyTaskManagers(healthy)
          .withNumberOfTaskSlots(sum(details, true))
          .withAvailableTaskSlots(sum(details, false));
    }
    boolean soon = version.flink() instanceof Answered || version.flink() instanceof Pending;
    if (soon && version.cluster().answerable() && last != null) {
      return last;
    }
    return shown
        .withHealth(HealthStatus.RED)
        .withHealthyTaskManagers(0)
        .withNumberOfTaskSlots(0)
        .withAvailableTaskSlots(0);
  }

  private int wantedTaskManagers() {
    FlinkApplicationSpec spec = version.spec();
    int parallelism = spec == null ? 0 : Objects.requireNonNullElse(spec.parallelism(), 0);
    int slots = spec == null ? 1 : spec.taskManagerConfig().taskSlots();
    return Objects.requireNonNullElse(
        version.cluster().taskManagers(), (parallelism + slots - 1) / slots);
  }

  private static int sum(VersionDetails details, boolean all) {
    return details.taskManagers().stream()
        .mapToInt(all ? TaskManagerOverview::slots : TaskManagerOverview::freeSlots)
        .sum();
  }

  private String base() {
    return "http://%s.%s:%d"
        .formatted(
            VersionNames.generic(application.name(), version.ref().colour()),
            application.namespace(),
            version.port());
  }

  /**
   * Of the recorded job; null before there is one. What was seen before stays while it is silent:
   * its newest checkpoint may be all that is left of it.
   */
  @Nullable ApplicationJobStatus job(@Nullable ApplicationJobStatus before) {
    String jobId = version.ref().jobId();
    if (jobId == null) {
      return null;
    }
    ApplicationJobStatus last =
        before == null || !jobId.equals(before.jobID())
            ? ApplicationJobStatus.EMPTY.withJobID(jobId)
            : before;
    ApplicationJobStatus submitted = submitted(last);
    Optional<Job> job = version.job();
    if (job.isPresent()) {
      return seen(job.get(), submitted);
    }
    if (version.flink() instanceof Pending && version.cluster().answerable()) {
      return submitted;
    }
    return last.state() != null && last.state().isGloballyTerminal()
        ? submitted
        : submitted.withHealth(HealthStatus.RED).withState(FlinkJobState.RECONCILING);
  }

  private ApplicationJobStatus submitted(ApplicationJobStatus last) {
    FlinkApplicationSpec spec = version.spec();
    return spec == null
        ? last
        : last.withJarName(spec.jarName())
            .withParallelism(spec.parallelism())
            .withEntryClass(spec.entryClass())
            .withProgramArgs(spec.programArgs())
            .withAllowNonRestoredState(spec.allowNonRestoredState());
  }

  private ApplicationJobStatus seen(Job job, ApplicationJobStatus last) {
    boolean ended = job.state().isGloballyTerminal();
    ApplicationJobStatus shown =
        withCheckpoints(
            withTasks(
                last.withState(job.state())
                    .withStartTime(seconds(job.times().started()))
                    .withJobOverviewURL(
                        "%s/#/job/%s/%s"
                            .formatted(base(), ended ? "completed" : "running", job.id()))
                    .withLastFailingTime(
                        VersionHealth.isFailing(job.state())
                            ? failingAt(last)
                            : last.lastFailingTime())));
    return shown.withHealth(VersionHealth.ofJob(job, shown, version.details(), now));
  }

  /** Not each moment of it: that would be a write each time. */
  private String failingAt(ApplicationJobStatus last) {
    boolean recent =
        WrittenTime.read(last.lastFailingTime())
            .filter(at -> at.plusSeconds(30).isAfter(now))
            .isPresent();
    return recent ? Objects.requireNonNull(last.lastFailingTime()) : seconds(now);
  }

  private ApplicationJobStatus withTasks(ApplicationJobStatus shown) {
    return version
        .details()
        .job()
        .map(it -> it.tasks().observed())
        .map(it -> shown.withRunningTasks(it.running() + it.finished()).withTotalTasks(it.total()))
        .orElse(shown);
  }

  private ApplicationJobStatus withCheckpoints(ApplicationJobStatus shown) {
    Checkpoints taken = version.details().checkpoints().orElse(null);
    if (taken == null) {
      return shown;
    }
    ApplicationJobStatus counted =
        shown
            .withJobRestartCount(Math.toIntExact(taken.counts().restored()))
            .withCompletedCheckpointCount(Math.toIntExact(taken.counts().completed()))
            .withFailedCheckpointCount(Math.toIntExact(taken.counts().failed()));
    Restored restored = taken.latestRestored().orElse(null);
    ApplicationJobStatus from =
        restored == null
            ? counted
            : counted
                .withRestorePath(restored.externalPath().orElse(null))
                .withRestoreTime(seconds(restored.restoredAt()));
    Completed newest = VersionHealth.newest(taken).orElse(null);
    return newest == null
        ? from
        : from.withLastCheckpoint(newest.discarded() ? null : newest.externalPath().orElse(null))
            .withLastCheckpointTime(seconds(VersionHealth.completed(newest)));
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
