package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.snapshot.CompletedSnapshot;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Creates FlinkStateSnapshots whose names say which they are, so that none is made twice, or
 * records in the status of their job's resource what gets none. Called on the threads that
 * reconcile, so each is tried once and not for long, few at a time.
 */
public final class SnapshotCreation {

  /** How many threads an API server, or a webhook, that does not answer may hold. */
  private static final int AT_A_TIME = 2;

  private static final Duration OVER_SOON = Duration.ofSeconds(1);

  private final KubernetesClient client;
  private final CompletedSnapshot completed;
  private final Semaphore turns = new Semaphore(AT_A_TIME);

  /**
   * One for all resources: they share its turns.
   *
   * @param client stays the caller's to close
   */
  public SnapshotCreation(KubernetesClient client) {
    this.client = SingleTry.of(client);
    this.completed = new CompletedSnapshot(this.client);
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

    /** Others are being made: it is tried after that time. */
    record Busy(Duration again) implements Answer {}
  }

  /** Creates it, in one try, unless it is there. Another one that has its name is left alone. */
  public Answer create(FlinkStateSnapshot snapshot) {
    return once(
        "make FlinkStateSnapshot %s/%s"
            .formatted(snapshot.getMetadata().getNamespace(), snapshot.getMetadata().getName()),
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
    return once("write the savepoints of " + read.display(), () -> recordOnce(read, taken));
  }

  private Answer once(String what, Supplier<Answer> call) {
    if (!turns.tryAcquire()) {
      return new Answer.Busy(OVER_SOON);
    }
    try {
      return KubernetesFailure.told(what, call);
    } catch (ApplicationFailure failed) {
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
