package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.snapshot.CompletedSnapshot;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.common.NamespacePauses;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Creates FlinkStateSnapshots whose names say which they are, so that none is made twice, or
 * records in the status of their job's resource what gets none. Called on the threads that
 * reconcile, so each is tried once and not for long, few at a time, and none for a moment after one
 * that Kubernetes did not answer for.
 */
public final class SnapshotCreation {

  /** How many threads an API server, or a webhook, that does not answer may hold. */
  private static final int AT_A_TIME = 2;

  private static final Duration OVER_SOON = Duration.ofSeconds(1);
  private static final Duration ITS_OWN = Duration.ofSeconds(5);
  private static final Duration OF_OTHERS = Duration.ofSeconds(4);

  private final KubernetesClient client;
  private final CompletedSnapshot completed;
  private final Clock clock;
  private final Semaphore turns = new Semaphore(AT_A_TIME);
  private final NamespacePauses pauses = new NamespacePauses(ITS_OWN, OF_OTHERS);

  /**
   * One for all resources: they share its pauses.
   *
   * @param client stays the caller's to close
   * @param clock measures the pauses
   */
  public SnapshotCreation(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.completed = new CompletedSnapshot(this.client);
    this.clock = clock;
  }

  /** What came of one. */
  public sealed interface Answer {

    /** It is there. */
    record Made() implements Answer {}

    /**
     * It is not there, or that is not known.
     *
     * @param why in words
     * @param forGood it never will be: its name is taken
     */
    record Failed(String why, boolean forGood) implements Answer {}

    /** Others are being made, or had no answer: it is tried after that time. */
    record Busy(Duration again) implements Answer {}
  }

  /**
   * Creates it, in one try, unless it is there. Another one that has its name is left alone. It
   * fails without a try as long as others of its namespace have had no answer.
   */
  public Answer create(FlinkStateSnapshot snapshot) {
    String namespace = snapshot.getMetadata().getNamespace();
    return once(
        namespace,
        "make FlinkStateSnapshot %s/%s".formatted(namespace, snapshot.getMetadata().getName()),
        () -> createOnce(snapshot));
  }

  /**
   * Records savepoints of operations in the status of their resource instead, in one try, unless
   * they are there.
   *
   * @param read the resource, as it is known
   * @param taken each with its location
   */
  public Answer record(JobResource read, List<Savepoint> taken) {
    return once(
        read.metadata().getNamespace(),
        "write the savepoints of " + read.display(),
        () -> recordOnce(read, taken));
  }

  private Answer once(String namespace, String what, Supplier<Answer> call) {
    Duration pause = Duration.between(clock.instant(), pauses.end(namespace));
    if (pause.compareTo(Duration.ZERO) > 0) {
      return pauses.hasFailed(namespace)
          ? new Answer.Failed("Kubernetes had no answer for another one a moment ago", false)
          : new Answer.Busy(pause);
    }
    if (!turns.tryAcquire()) {
      return new Answer.Busy(OVER_SOON);
    }
    try {
      Answer answer = KubernetesFailure.told(what, call);
      pauses.answered(namespace, clock.instant());
      return answer;
    } catch (ApplicationFailure failed) {
      if (KubernetesFailure.UNAVAILABLE.equals(failed.getType())) {
        pauses.failed(namespace, clock.instant());
      } else {
        pauses.answered(namespace, clock.instant());
      }
      return new Answer.Failed(
          failed.getOriginalMessage(), FailureType.NAME_TAKEN.equals(failed.getType()));
    } finally {
      turns.release();
    }
  }

  private Answer recordOnce(JobResource read, List<Savepoint> taken) {
    try {
      completed.record(read, taken);
      return new Answer.Made();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
      return new Answer.Busy(OVER_SOON); // what is known of it is not the newest
    }
  }

  private Answer createOnce(FlinkStateSnapshot snapshot) {
    try {
      FlinkStateSnapshot unused = client.resource(snapshot).create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
      FlinkStateSnapshot there = client.resource(snapshot).get();
      if (there == null) {
        throw failed; // it went meanwhile, or the conflict is another one
      }
      mustBeOurs(snapshot, there);
    }
    return new Answer.Made();
  }

  /** Made by an earlier try, and not by somebody else under the same name. */
  private static void mustBeOurs(FlinkStateSnapshot wanted, FlinkStateSnapshot there) {
    if (!RequestedSnapshot.isSame(there, wanted)) {
      throw ApplicationFailure.newNonRetryableFailure(
          "FlinkStateSnapshot %s exists, and was not made for this resource"
              .formatted(wanted.getMetadata().getName()),
          FailureType.NAME_TAKEN);
    }
  }
}
