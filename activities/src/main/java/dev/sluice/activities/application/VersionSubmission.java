package dev.sluice.activities.application;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationActivities.SubmitRequest;
import dev.sluice.workflows.application.SubmitOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Has the cluster of a version run its job, under a fixed id. Each look asks for the job first, and
 * Flink takes an id once only: so no job runs twice, whatever answer is lost. One instance for each
 * attempt of the activity.
 */
final class VersionSubmission {

  // what Flink has accepted is in the list of its jobs by then
  private static final Duration ACCEPTED = Duration.ofSeconds(10);

  private final SubmitRequest request;
  private final FrozenVersion version;
  private final String jobId;
  private final FlinkRest flink;
  private final FlinkJars jars;
  private final Clock clock;
  private final SettleTimer forgotten;
  private final Executor calls;
  private @Nullable CompletableFuture<Void> run;
  private @Nullable String refusal;
  private boolean known;
  private String progress = "Flink was not asked yet";

  /**
   * @param calls runs the call to Flink, for up to some minutes
   */
  VersionSubmission(
      SubmitRequest request,
      FrozenVersion version,
      String jobId,
      FlinkRest flink,
      FlinkJars jars,
      Executor calls,
      Clock clock) {
    this.request = request;
    this.version = version;
    this.jobId = jobId;
    this.flink = flink;
    this.jars = jars;
    this.calls = calls;
    this.clock = clock;
    this.forgotten = new SettleTimer(clock, ACCEPTED);
  }

  ProbeResult<SubmitOutcome> look(ActGuard guard) {
    boolean late = clock.millis() >= request.on().deadlineMs();
    try {
      ProbeResult<SubmitOutcome> seen = look(flink.jobsOverview(version.endpoint()), guard, late);
      return late && seen instanceof ProbeResult.NotYet ? tooLate(progress) : seen;
    } catch (FlinkRestException silent) {
      if (late) {
        return tooLate("the JobManager does not answer; before, " + progress);
      }
      throw silent;
    }
  }

  private ProbeResult<SubmitOutcome> look(JobsOverview overview, ActGuard guard, boolean late) {
    JobOverview job = overview.job(jobId).orElse(null);
    if (job != null) {
      return there(job);
    }
    String refused = refusal;
    if (refused != null) {
      return refused(refused);
    }
    if (run != null && !run.isDone()) {
      return notYet("the main method runs in the JobManager");
    }
    List<JobOverview> others = overview.aliveBut(jobId);
    if (!others.isEmpty()) {
      return ProbeResult.failed(FailureType.OTHER_JOBS, others(others));
    }
    return late ? notYet(progress) : run(guard);
  }

  /** A refusal of this attempt tells more than the state of what Flink has failed at once. */
  private ProbeResult<SubmitOutcome> there(JobOverview job) {
    return refusal != null && !known && job.state() == FlinkJobState.FAILED
        ? ProbeResult.done(new SubmitOutcome.Refused(refusal))
        : ProbeResult.done(
            new SubmitOutcome.Submitted("job %s is %s".formatted(jobId, job.word())));
  }

  /** A job that was taken is listed a moment later; one that is not was never, or is no more. */
  private ProbeResult<SubmitOutcome> refused(String why) {
    if (!known) {
      return ProbeResult.done(new SubmitOutcome.Refused(why));
    }
    return forgotten.reached()
        ? ProbeResult.done(
            new SubmitOutcome.Refused(
                "Flink had a job %s and does not have it any more: %s".formatted(jobId, why)))
        : ProbeResult.notYet("Flink knows job " + jobId + " and does not list it yet");
  }

  private ProbeResult<SubmitOutcome> run(ActGuard guard) {
    FlinkApplicationSpec spec = version.spec();
    String jar = Objects.requireNonNullElse(spec.jarName(), "");
    guard.check();
    // the call takes as long as the main method, which is longer than one look
    CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(jar, jarRun(spec)), calls);
    run = sent;
    return sent.isDone() ? notYet(progress) : notYet("the main method runs in the JobManager");
  }

  private JarRun jarRun(FlinkApplicationSpec spec) {
    return new JarRun(
        FlinkVersion.V1_20,
        jobId,
        spec.entryClass(),
        ProgramArguments.split(spec.programArgs()),
        spec.parallelism(),
        request.restoreFrom().pathOrNull(),
        spec.allowNonRestoredState(),
        null,
        Map.of());
  }

  private void send(String jar, JarRun job) {
    RunAnswer answer;
    try {
      answer = jars.run(version.endpoint(), jar, job);
    } catch (FlinkRestException lost) {
      progress = String.valueOf(lost.getMessage());
      return;
    }
    if (answer instanceof RunAnswer.Refused it) {
      refusal = it.why();
    } else if (answer instanceof RunAnswer.JarMissing it) {
      refusal = it.why() + ". The image must have it in <web.upload.dir>/flink-web-upload";
    } else if (answer instanceof RunAnswer.KnownAlready it) {
      known = true;
      refusal = it.why();
    } else {
      progress = "Flink has accepted the job";
    }
  }

  private String others(List<JobOverview> others) {
    return "Cluster %s runs other jobs than %s: %s. Cancel them."
        .formatted(
            version.ref().display(),
            jobId,
            others.stream()
                .map(job -> "%s (%s, %s)".formatted(job.jobId(), job.name(), job.word()))
                .collect(Collectors.joining(", ")));
  }

  private ProbeResult<SubmitOutcome> tooLate(String what) {
    return ProbeResult.done(
        new SubmitOutcome.Unknown(
            "Whether Flink has taken job %s is not known: %s".formatted(jobId, what)));
  }

  private static ProbeResult<SubmitOutcome> notYet(String words) {
    return ProbeResult.notYet(words);
  }
}
