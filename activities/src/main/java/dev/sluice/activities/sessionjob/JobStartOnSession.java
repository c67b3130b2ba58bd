package dev.sluice.activities.sessionjob;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.cluster.PlannedStart;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.sessionjob.SessionClusters.Seen;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Has a session cluster run a job, once it takes jobs. What Flink is asked to run is noted before
 * it is asked. One instance for each attempt of the activity.
 */
final class JobStartOnSession {

  private static final String STARTING = "its jar is being fetched, uploaded and run";

  /** From a failure to the next try, which may fetch and upload the whole jar. */
  private static final Duration TRY_AGAIN = Duration.ofSeconds(15);

  private final StartJobRequest request;
  private final SessionClusters clusters;
  private final SubmissionWriter writer;
  private final JobStarts starts;
  private final ClusterAccess access;
  private boolean announced;
  private @Nullable ApplicationFailure lastFailure;
  private Instant notBefore = Instant.MIN; // the next try
  private String triedAgain = "";

  JobStartOnSession(
      StartJobRequest request,
      SessionClusters clusters,
      SubmissionWriter writer,
      JobStarts starts) {
    this.request = request;
    this.clusters = clusters;
    this.writer = writer;
    this.starts = starts;
    this.access = clusters.access();
  }

  /**
   * A session cluster that takes no jobs now is asked all the same for a job that may have been
   * sent before: its upgrade may wait for that job.
   */
  ProbeResult<Void> look(ActGuard guard) {
    StoredSessionJob job = clusters.read(request.resource());
    var unused = planned().check(job);
    boolean mayHaveRun = mayHaveBeenSent(job);
    String waits = job.hosted().orElseThrow().awaits();
    if (waits != null && !mayHaveRun) {
      return notYetOrLate(waits);
    }
    Seen seen = clusters.see(request.resource(), job);
    String awaits = seen.awaits();
    return awaits == null || mayHaveRun
        ? clusters.ask(seen, this::notYetOrLate, answer -> answered(seen, answer, guard))
        : notYetOrLate(awaits);
  }

  private boolean mayHaveBeenSent(StoredSessionJob job) {
    HostedJob hosted = job.hosted().orElseThrow();
    Submitted there = hosted.there();
    return hosted.hostUid() != null
        && there != null
        && there.jobId().equals(jobId())
        && there.sentAt() != null;
  }

  private ProbeResult<Void> answered(Seen host, JobsOverview answer, ActGuard guard) {
    if (answer.job(jobId()).isPresent()) {
      guard.check();
      SessionJobTarget unused = note(host);
      return ProbeResult.done(null);
    }
    String awaits = host.awaits();
    if (awaits != null) {
      return notYetOrLate(awaits);
    }
    if (host.mayComeBack(jobId())) {
      return notYetOrLate(
          "%s answers, and has job %s in its metadata only".formatted(host.endpoint(), jobId()));
    }
    Submitted asked = host.submitted();
    if (asked != null && asked.jobId().equals(jobId())) {
      try {
        requireNotRun(host, asked);
      } catch (ApplicationFailure refused) {
        return failed(refused);
      }
    }
    if (isLate()) {
      return late(host.endpoint() + " became ready too shortly before the deadline");
    }
    if (access.clock().instant().isBefore(notBefore)) {
      return ProbeResult.notYet(triedAgain);
    }
    guard.check();
    return start(host, note(host), guard);
  }

  /** A job that may have run is not run again: it would begin where it began before. */
  private void requireNotRun(Seen host, Submitted asked) {
    switch (HostEvidence.run(
        asked,
        host.objects().deployment().orElse(null),
        host.objects().pods(),
        access.clock().instant())) {
      case AWAITED -> {}
      case OPEN ->
          throw ApplicationFailure.newFailure(
              "it is not known whether %s is the process that was asked to run job %s"
                  .formatted(host.endpoint(), jobId()),
              FailureType.CLUSTER_NOT_READY);
      case LOST ->
          throw ApplicationFailure.newNonRetryableFailure(
              "%s does not know job %s, which was sent before and may have run: its newest state is looked for"
                  .formatted(host.endpoint(), jobId()),
              FailureType.OUTDATED);
    }
  }

  private SessionJobTarget note(Seen host) {
    return (SessionJobTarget) writer.note(planned(), clusterId(host), process(host));
  }

  private static @Nullable String clusterId(Seen host) {
    return host.objects().deployment().map(ClusterAnnotations::jobId).orElse(null);
  }

  private static @Nullable String process(Seen host) {
    return HostEvidence.process(host.objects().pods());
  }

  private final class Noting implements JarSubmission.Lease {
    private final ActGuard guard;
    private boolean mayHaveStarted;
    private @Nullable Instant sentAt;

    private Noting(ActGuard guard) {
      this.guard = guard;
    }

    @Override
    public boolean mayAct() {
      return guard.mayAct();
    }

    /**
     * Fetching the jar took time: the JobManager may be another one by now. What upgrades the
     * cluster writes that, and looks for jobs that are being sent; here it is the other way round.
     * So one of the two sees the other.
     */
    @Override
    public void sending() {
      Seen host = ready();
      SubmissionWriter.Sent sent =
          writer.sending(
              planned(), clusterId(host), process(host), asked -> requireNotRun(host, asked));
      sentAt = sent.at();
      mayHaveStarted |= sent.again();
      try {
        ready();
      } catch (ApplicationFailure notReady) {
        startedNothing();
        throw notReady;
      }
    }

    private Seen ready() {
      Seen host = clusters.see(request.resource(), clusters.read(request.resource()));
      String awaits = host.awaits();
      if (awaits != null) {
        throw ApplicationFailure.newFailure(awaits, FailureType.CLUSTER_NOT_READY);
      }
      return host;
    }

    @Override
    public void startedNothing() {
      Instant own = sentAt;
      if (!mayHaveStarted && own != null) {
        writer.startedNothing(request.resource(), jobId(), own);
      }
    }
  }

  /** Takes minutes; the look before is for the progress that is shown meanwhile. */
  private ProbeResult<Void> start(Seen host, SessionJobTarget target, ActGuard guard) {
    if (!announced) {
      announced = true;
      return ProbeResult.notYet(STARTING);
    }
    try {
      return starts
          .run(
              host.endpoint(),
              new JarSubmission.Run(jobId(), target, request.restoreFrom().pathOrNull()),
              new Noting(guard))
          .map(this::notYetOrLate)
          .orElseGet(() -> ProbeResult.done(null));
    } catch (ApplicationFailure failure) {
      return failed(failure);
    } catch (RuntimeException givenUp) {
      return tryAgain("the attempt to start it was given up: " + givenUp.getMessage());
    }
  }

  private ProbeResult<Void> failed(ApplicationFailure told) {
    if (told.isNonRetryable()) {
      return ProbeResult.failed(told.getType(), told.getOriginalMessage());
    }
    lastFailure = told;
    return tryAgain(told.getOriginalMessage() + ". It is tried again");
  }

  private ProbeResult<Void> tryAgain(String why) {
    notBefore = access.clock().instant().plus(TRY_AGAIN);
    triedAgain = why;
    return notYetOrLate(why);
  }

  private ProbeResult<Void> notYetOrLate(String progress) {
    return isLate() ? late(progress) : ProbeResult.notYet(progress);
  }

  private ProbeResult<Void> late(String progress) {
    ApplicationFailure failed = lastFailure;
    return failed == null
        ? ProbeResult.failed(
            FailureType.CLUSTER_NOT_READY,
            "Job %s was not started in time: %s".formatted(jobId(), progress))
        : ProbeResult.failed(failed.getType(), failed.getOriginalMessage());
  }

  private boolean isLate() {
    return access.clock().millis() >= request.deadlineMs();
  }

  private PlannedStart planned() {
    return new PlannedStart(
        request.resource(), jobId(), request.generation(), request.restoreFrom());
  }

  private String jobId() {
    return request.job().jobId();
  }
}
