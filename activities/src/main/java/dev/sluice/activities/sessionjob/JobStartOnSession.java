package dev.sluice.activities.sessionjob;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.cluster.PlannedStart;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.sessionjob.SessionClusters.Seen;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
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
  private @Nullable Endpoint endpoint; // as of the last look
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

  ProbeResult<Void> look(ActGuard guard) {
    return clusters.ask(
        this::host, this::notYetOrLate, (host, answer) -> answered(host, answer, guard));
  }

  /**
   * The session cluster, if it may be asked. One that takes no jobs now is asked all the same for a
   * job that may have been sent before: its upgrade may wait for that job. One without a free start
   * is not asked for other jobs. Blocks.
   */
  private ProbeResult<Seen> host() {
    StoredSessionJob job = clusters.read(request.resource());
    var unused = planned().check(job);
    boolean mayHaveRun = mayHaveBeenSent(job);
    String waits = job.hosted().orElseThrow().awaits();
    if (waits != null && !mayHaveRun) {
      return notYetOrLate(waits);
    }
    Optional<String> full =
        endpoint == null || mayHaveRun ? Optional.empty() : starts.full(endpoint);
    if (full.isPresent()) {
      return notYetOrLate(full.get());
    }
    Seen seen = clusters.see(request.resource(), job);
    endpoint = seen.endpoint();
    String awaits = seen.awaits();
    return awaits == null || mayHaveRun ? ProbeResult.done(seen) : notYetOrLate(awaits);
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
    boolean known = answer.job(jobId()).isPresent();
    String awaits = host.awaits();
    if (!known && awaits != null) {
      return notYetOrLate(awaits);
    }
    if (!known && host.mayComeBack(jobId())) {
      return notYetOrLate(
          "%s answers, and has job %s in its metadata only".formatted(host.endpoint(), jobId()));
    }
    Optional<ProbeResult<Void>> refused = known ? Optional.empty() : refused(host);
    if (refused.isPresent()) {
      return refused.get();
    }
    if (!known && isLate()) {
      return late(host.endpoint() + " became ready too shortly before the deadline");
    }
    if (!known && access.clock().instant().isBefore(notBefore)) {
      return ProbeResult.notYet(triedAgain);
    }
    guard.check();
    SessionJobTarget target = note(host);
    return known ? ProbeResult.done(null) : start(host, target, guard);
  }

  /** A job that may have run is not run again: it would begin where it began before. */
  private Optional<ProbeResult<Void>> refused(Seen host) {
    Submitted asked = host.submitted();
    return asked == null || !asked.jobId().equals(jobId())
        ? Optional.empty()
        : switch (run(host, asked)) {
          case AWAITED -> Optional.empty();
          case OPEN -> Optional.of(notYetOrLate(open(host)));
          case LOST -> Optional.of(ProbeResult.failed(FailureType.OUTDATED, lost(host)));
        };
  }

  private HostEvidence.Run run(Seen host, Submitted asked) {
    return HostEvidence.run(
        asked,
        host.objects().deployment().orElse(null),
        host.objects().pods(),
        access.clock().instant());
  }

  private String open(Seen host) {
    return "it is not known whether %s is the process that was asked to run job %s"
        .formatted(host.endpoint(), jobId());
  }

  private String lost(Seen host) {
    return "%s does not know job %s, which was sent before and may have run: its newest state is looked for"
        .formatted(host.endpoint(), jobId());
  }

  private SessionJobTarget note(Seen host) {
    return (SessionJobTarget) writer.note(planned(), clusterId(host), process(host));
  }

  private static @Nullable String clusterId(Seen host) {
    return host.objects().deployment().map(MadeFor::jobId).orElse(null);
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
    public void run() {
      if (!guard.mayAct()) {
        throw new CancellationException("another attempt may start the job by now");
      }
    }

    /**
     * Fetching the jar took a while: the JobManager may be another one by now. What upgrades the
     * cluster writes that, and looks for jobs that are being sent; here it is the other way round.
     * So one of the two sees the other.
     */
    @Override
    public void sending() {
      Seen host = ready();
      SubmissionWriter.Sent sent =
          writer.sending(planned(), clusterId(host), process(host), asked -> check(host, asked));
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

    private void check(Seen host, Submitted asked) {
      switch (JobStartOnSession.this.run(host, asked)) {
        case AWAITED -> {}
        case OPEN -> throw ApplicationFailure.newFailure(open(host), FailureType.CLUSTER_NOT_READY);
        case LOST ->
            throw ApplicationFailure.newNonRetryableFailure(lost(host), FailureType.OUTDATED);
      }
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
          .run(host.endpoint(), run(target), new Noting(guard))
          .map(full -> this.<Void>notYetOrLate(full))
          .orElseGet(() -> ProbeResult.done(null));
    } catch (ApplicationFailure failure) {
      return failed(failure);
    } catch (RuntimeException givenUp) {
      return tryAgain("the attempt to start it was given up: " + givenUp.getMessage());
    }
  }

  private JarSubmission.Run run(SessionJobTarget target) {
    FlinkSessionJobSpec spec = target.spec().spec();
    JobSpec job = spec.job();
    if (job == null) {
      throw ApplicationFailure.newNonRetryableFailure(
          "spec.job of %s is missing".formatted(request.resource().display()), FailureType.REFUSED);
    }
    return new JarSubmission.Run(
        jobId(),
        job.jarURI(),
        job.entryClass(),
        job.args(),
        job.parallelism(),
        request.restoreFrom().pathOrNull(),
        Boolean.TRUE.equals(job.allowNonRestoredState()),
        target.submitted(),
        target.target().flinkVersion());
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

  private <T> ProbeResult<T> notYetOrLate(String progress) {
    return isLate() ? late(progress) : ProbeResult.notYet(progress);
  }

  private <T> ProbeResult<T> late(String progress) {
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
