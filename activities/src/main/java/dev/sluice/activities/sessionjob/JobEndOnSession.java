package dev.sluice.activities.sessionjob;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.sessionjob.SessionClusters.Seen;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities.EndJobRequest;
import dev.sluice.workflows.model.ClusterObservation.Evidence;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that a job on a session cluster does not run any more, then notes that. One instance
 * for each attempt of the activity.
 */
final class JobEndOnSession {

  // accepted is not done: a JobManager that was killed right after has forgotten it
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  /** The run of an attempt that was given up may arrive late: its main method takes time. */
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  /** Longer than a run may take to arrive, and much less than Flink keeps a job that has ended. */
  private static final Duration LOOKED_FOR = HostEvidence.MAY_ARRIVE.plusMinutes(5);

  private final EndJobRequest request;
  private final SessionClusters clusters;
  private final SubmissionWriter writer;
  private final ClusterAccess access;
  private final Throttle cancels;
  private final SettleTimer absence;
  private boolean begun;

  JobEndOnSession(EndJobRequest request, SessionClusters clusters, SubmissionWriter writer) {
    this.request = request;
    this.clusters = clusters;
    this.writer = writer;
    this.access = clusters.access();
    this.cancels = new Throttle(access.clock(), ASK_AGAIN);
    this.absence = new SettleTimer(access.clock(), ABSENCE);
  }

  ProbeResult<Void> look(ActGuard guard) {
    StoredSessionJob job = clusters.read(ref());
    Submitted there = job.hosted().orElseThrow().there();
    if (there == null) {
      return ProbeResult.done(null);
    }
    if (!there.jobId().equals(jobId())) {
      return ProbeResult.failed(
          FailureType.OUTDATED,
          "job %s of %s is to end, but Flink was asked to run job %s since"
              .formatted(jobId(), ref().display(), there.jobId()));
    }
    Seen seen = clusters.see(ref(), job);
    if (isGone(job.place().deployment(), seen.objects())) {
      return remove(guard);
    }
    return SessionClusters.absence(ref(), job, seen.objects())
        .map(why -> notYetOrLate("the session cluster is not there: " + why))
        .orElseGet(
            () ->
                clusters.ask(
                    seen, this::notYetOrLate, answer -> answered(seen, there, answer, guard)));
  }

  /** Nothing of it is left that could run the job, or bring it back. */
  private boolean isGone(@Nullable StoredResource deployment, ClusterObjects objects) {
    boolean stays = deployment != null && deployment.metadata().getDeletionTimestamp() == null;
    return !stays
        && objects.deployment().isEmpty()
        && objects.pods().isEmpty()
        && !HostEvidence.hasMetadata(request.job().cluster(), objects, jobId());
  }

  private ProbeResult<Void> answered(
      Seen host, Submitted asked, JobsOverview answer, ActGuard guard) {
    JobOverview job = answer.job(jobId()).orElse(null);
    Optional<String> changed = changed(host, asked, job);
    if (changed.isPresent()) {
      return ProbeResult.failed(FailureType.OUTDATED, changed.get());
    }
    if (job == null) {
      return absent(host, asked, guard);
    }
    absence.reset();
    if (!job.state().isGloballyTerminal()) {
      return cancel(host, job, guard);
    }
    // what a killed worker has left
    Boolean unused = FlinkRest.orNull(() -> deleteJars(host, guard));
    return remove(guard);
  }

  /** What was true when it was decided to end it must be true when it is ended. */
  private Optional<String> changed(Seen host, Submitted asked, @Nullable JobOverview job) {
    Evidence wanted = request.onlyWhile();
    if (wanted == null || begun) {
      return Optional.empty();
    }
    Evidence now =
        HostEvidence.of(
                host.running(),
                host.objects().deployment().orElse(null),
                host.objects(),
                asked,
                jobId(),
                job == null,
                decidedAt(asked))
            .evidence();
    boolean neverRan =
        wanted.jobManager() != JobManager.NEVER_READY || now.jobManager() == JobManager.NEVER_READY;
    // Flink removes the metadata of a job that ends, as an earlier attempt had it do
    boolean ends = job != null && isEnding(job);
    return neverRan && (ends || now.highAvailability() == wanted.highAvailability())
        ? Optional.empty()
        : Optional.of(
            "job %s on %s may have progressed: its start was %s and is %s, its high availability was %s and is %s"
                .formatted(
                    jobId(),
                    host.endpoint(),
                    wanted.jobManager(),
                    now.jobManager(),
                    wanted.highAvailability(),
                    now.highAvailability()));
  }

  /** That it never ran was found out soon after it was sent, and it was looked for ever since. */
  private Instant decidedAt(Submitted asked) {
    Instant now = access.clock().instant();
    Instant sentAt = asked.sentAt();
    return sentAt != null && now.isBefore(sentAt.plus(LOOKED_FOR)) ? sentAt : now;
  }

  private static boolean isEnding(JobOverview job) {
    return job.state() == FlinkJobState.CANCELLING || job.state().isGloballyTerminal();
  }

  private ProbeResult<Void> cancel(Seen host, JobOverview job, ActGuard guard) {
    String progress = "the job is " + job.word();
    if (job.state() == FlinkJobState.CANCELLING || isLate() || !cancels.isDue()) {
      return notYetOrLate(progress);
    }
    guard.check();
    begun = true;
    clusters.flink().cancel(host.endpoint(), jobId());
    return ProbeResult.notYet(progress);
  }

  private ProbeResult<Void> absent(Seen host, Submitted asked, ActGuard guard) {
    if (host.mayComeBack(jobId())) {
      absence.reset();
      return notYetOrLate("the JobManager answers, and has the job in its metadata only");
    }
    boolean elsewhere =
        HostEvidence.isElsewhere(
            asked, host.objects().deployment().orElse(null), host.objects().pods());
    Instant until = mayArriveUntil(host, asked, elsewhere, guard);
    if (until != null) {
      absence.reset();
      return notYetOrLate(
          "the JobManager does not know the job, but was asked to run it: its main method may"
              + " start it until "
              + until.truncatedTo(ChronoUnit.SECONDS));
    }
    // the process that was asked to run it is gone, and nothing brings a job back
    boolean lost = elsewhere && !HighAvailabilityMode.of(host.running().configuration()).isOn();
    return lost || absence.reached()
        ? remove(guard)
        : notYetOrLate("the JobManager does not know the job");
  }

  /**
   * Takes the jar away from a run that was sent, and from any that is sent late: without it no main
   * method can submit the job, however long it runs, unless the program names other jars itself
   * ({@code pipeline.jars}). So one that runs is waited for, and where that is not known as well,
   * for a time.
   *
   * @param elsewhere the process that was asked is gone
   * @return null when none can start the job any more, or it should have by now
   */
  private @Nullable Instant mayArriveUntil(
      Seen host, Submitted asked, boolean elsewhere, ActGuard guard) {
    Instant sentAt = asked.sentAt();
    boolean surelyNot = sentAt == null || elsewhere;
    try {
      if (deleteJars(host, guard)) {
        absence.reset();
      }
      surelyNot =
          surelyNot
              || (HostEvidence.isAskedAlone(asked, host.objects().pods())
                  && !clusters.jars().maySubmit(host.endpoint()));
    } catch (FlinkRestException unknown) {
      // by the time, then
    }
    if (sentAt == null || surelyNot) {
      return null;
    }
    Instant until = sentAt.plus(HostEvidence.MAY_ARRIVE);
    return access.clock().instant().isBefore(until) ? until : null;
  }

  private boolean deleteJars(Seen host, ActGuard guard) {
    guard.check();
    return JarStart.deleteJars(clusters.jars(), host.endpoint(), jobId());
  }

  private ProbeResult<Void> remove(ActGuard guard) {
    guard.check();
    writer.remove(ref(), jobId());
    return ProbeResult.done(null);
  }

  private ProbeResult<Void> notYetOrLate(String progress) {
    return isLate()
        ? ProbeResult.failed(
            FailureType.CLUSTER_NOT_GONE,
            "Job %s on session cluster %s may run on: %s"
                .formatted(jobId(), request.job().cluster().display(), progress))
        : ProbeResult.notYet(progress);
  }

  private boolean isLate() {
    return access.clock().millis() >= request.deadlineMs();
  }

  private ResourceRef ref() {
    return request.resource();
  }

  private String jobId() {
    return request.job().jobId();
  }
}
