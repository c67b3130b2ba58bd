package dev.sluice.activities.status;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.Step;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a step waits for into {@code status.operation.message}. Only into the operation of
 * its own run, only while that is at work, and only onto the version that was looked at: a run that
 * has gone on in the meantime wins.
 */
public final class OperationMessages implements WaitReporter {

  private static final int LONGEST = 1024;

  private final ResourceStores stores;
  private final WorkflowStatusWriter writer;

  public OperationMessages(KubernetesClient client, ResourceStores stores) {
    this.stores = stores;
    this.writer = new WorkflowStatusWriter(client);
  }

  @Override
  public void report(ResourceRef ref, Waiting waiting, String text) {
    ResourceStore store = stores.of(ref);
    StoredResource resource = store.read(ref);
    OwnedStatus unused = writer.write(store.type(), ref, resource, now -> with(now, waiting, text));
  }

  /** The same when it is not that run's to say. */
  static OwnedStatus with(OwnedStatus now, Waiting waiting, String text) {
    OperationStatus operation = now.operation();
    return operation == null ? now : now.withOperation(with(operation, waiting, text));
  }

  /**
   * The operation of a resource of any kind, which says it; the same when it is not that run's to
   * say. Pure.
   */
  public static OperationStatus with(OperationStatus operation, Waiting waiting, String text) {
    if (!Objects.equals(operation.runId(), waiting.runId()) || !isAtWork(operation.state())) {
      return operation;
    }
    OperationStatus told = operation.withMessage(BoundedText.of(text, LONGEST));
    return isAnotherStep(operation, waiting.activity())
        ? told.withStep(waiting.activity()).withSince(waiting.since().toString())
        : told;
  }

  /** Short steps are not written when they begin: one that takes long says its own name. */
  private static boolean isAnotherStep(OperationStatus operation, String activity) {
    return !activity.equals(operation.step())
        && Stream.of(Step.values()).anyMatch(step -> step.title().equals(activity));
  }

  private static boolean isAtWork(@Nullable OperationState state) {
    return state == OperationState.RUNNING || state == OperationState.BLOCKED;
  }
}
