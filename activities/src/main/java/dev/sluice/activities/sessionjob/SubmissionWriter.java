package dev.sluice.activities.sessionjob;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.cluster.PlannedStart;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code status.submission}: what a Deployment is for a job that has a cluster of its own.
 * It has a field manager of its own, so that no report of the operation takes it away. Each method
 * blocks for two calls, more when somebody else writes meanwhile.
 */
final class SubmissionWriter {

  private static final String MANAGER = "sluice-submission";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;
  private final FlinkSessionJobStore store;
  private final Clock clock;

  /**
   * A run that Flink is asked for.
   *
   * @param at what is noted of it, which distinguishes it from any other
   * @param again an earlier run may have started the job
   */
  record Sent(Instant at, boolean again) {}

  SubmissionWriter(KubernetesClient client, FlinkSessionJobStore store, Clock clock) {
    this.client = client;
    this.store = store;
    this.clock = clock;
  }

  /**
   * Notes that Flink is about to be asked to run the job. What is noted already for this job stays
   * as it is: an earlier attempt may have asked.
   *
   * @param clusterId what distinguishes the session cluster from the next; null when not known
   * @param jobManager the process that answers; null when not known
   * @return the frozen target
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} when something else is planned
   *     by now, the job has been ended, or another one is noted that may run
   */
  TargetSpec note(PlannedStart start, @Nullable String clusterId, @Nullable String jobManager) {
    ResourceRef ref = start.resource();
    return onFreshRead(
        ref,
        read -> {
          TargetSpec target = start.check(read);
          Submission there = read.written();
          if (there != null && start.jobId().equals(there.jobId())) {
            if (Boolean.TRUE.equals(there.removed())) {
              throw PlannedStart.ended(ref, start.jobId());
            }
            return target;
          }
          Submitted other = read.hosted().orElseThrow().there();
          if (other != null && !other.jobId().equals(start.jobId())) {
            throw ApplicationFailure.newNonRetryableFailure(
                "job %s of %s was not ended: it may run".formatted(other.jobId(), ref.display()),
                FailureType.OUTDATED);
          }
          write(
              read,
              // said, because it may be true by another field manager, of the job before
              new Submission(
                  start.jobId(), start.generation(), clusterId, jobManager, false, null));
          return target;
        });
  }

  /**
   * Notes that Flink is asked to run the job now, by that process.
   *
   * @param check of what was sent before; what it throws keeps the job from being run
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} when something else is planned
   *     by now, or the job has been ended
   */
  Sent sending(
      PlannedStart start,
      @Nullable String clusterId,
      @Nullable String jobManager,
      Consumer<Submitted> check) {
    return onFreshRead(
        start.resource(),
        read -> {
          var unused = start.check(read);
          Submitted there = read.hosted().orElseThrow().there();
          if (there == null || !there.jobId().equals(start.jobId())) {
            throw PlannedStart.ended(start.resource(), start.jobId());
          }
          check.accept(there);
          Instant now = clock.instant();
          write(
              read,
              new Submission(
                  start.jobId(), start.generation(), clusterId, jobManager, false, now.toString()));
          return new Sent(now, there.sentAt() != null);
        });
  }

  /**
   * Notes that no run that was sent has started the job, unless another one was sent meanwhile.
   *
   * @param sentAt of the run that Flink has refused
   */
  void startedNothing(ResourceRef ref, String jobId, Instant sentAt) {
    change(ref, jobId, there -> sentAt.equals(there.sentAt()) ? noted(there, false, null) : null);
  }

  /**
   * Notes that this job, which does not run any more, is no job of the resource. Another one is
   * left alone.
   */
  void remove(ResourceRef ref, String jobId) {
    change(ref, jobId, there -> noted(there, true, there.sentAt()));
  }

  /**
   * @param next of what is noted of that job, unless an operation has ended it; null to leave it
   */
  private void change(
      ResourceRef ref, String jobId, Function<Submitted, @Nullable Submission> next) {
    boolean unused =
        onFreshRead(
            ref,
            read -> {
              Submitted there = read.hosted().orElseThrow().there();
              Submission wanted =
                  there == null || !there.jobId().equals(jobId) ? null : next.apply(there);
              if (wanted != null) {
                write(read, wanted);
              }
              return wanted != null;
            });
  }

  private static Submission noted(Submitted there, boolean removed, @Nullable Instant sentAt) {
    return new Submission(
        there.jobId(),
        there.generation(),
        there.clusterId(),
        there.jobManager(),
        removed,
        sentAt == null ? null : sentAt.toString());
  }

  private void write(StoredSessionJob read, Submission submission) {
    JsonNode status = JSON.valueToTree(Map.of("submission", submission));
    var unused =
        client
            .resource(Apply.status(FlinkSessionJobStore.TYPE, read.metadata(), status))
            .subresource("status")
            .patch(Apply.context(MANAGER));
  }

  private <T> T onFreshRead(ResourceRef ref, Function<StoredSessionJob, T> step) {
    EffectWindow window = EffectWindow.open(clock);
    return KubernetesFailure.translate(
        "write the status of " + ref.display(),
        () -> ConflictRetry.then(window, () -> (StoredSessionJob) store.read(ref), step));
  }
}
