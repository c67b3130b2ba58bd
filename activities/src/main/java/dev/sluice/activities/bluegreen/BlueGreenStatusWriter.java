package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.activities.status.OperationChange;
import dev.sluice.activities.status.OperationMessages;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Writes the workflow's part of the status by server-side apply: always all of it, only onto the
 * very version that was read, and not at all when nothing changes.
 */
public final class BlueGreenStatusWriter {

  private static final int LONGEST_MESSAGE = 1024;

  private final KubernetesClient client;
  private final BlueGreenStore store;
  private final ResourceEvents events;
  private final Clock clock;

  public BlueGreenStatusWriter(KubernetesClient client, BlueGreenStore store, Clock clock) {
    this.client = client;
    this.store = store;
    this.events = new ResourceEvents(client, clock);
    this.clock = clock;
  }

  /** Writes what a step waits for into {@code status.operation.message}. */
  public void message(ResourceRef ref, Waiting waiting, String text) {
    FlinkBlueGreenDeploymentStatus unused =
        write(
            ref,
            parent -> {
              FlinkBlueGreenDeploymentStatus now = BlueGreenStatus.owned(parent.getStatus());
              OperationStatus operation = now.operation();
              return operation == null
                  ? now
                  : now.withOperation(OperationMessages.with(operation, waiting, text));
            });
  }

  /**
   * Writes what follows from the newest version.
   *
   * @param change decides from the resource as it was read, and may throw
   * @return the status as it stands then, the workflow's part of it
   */
  FlinkBlueGreenDeploymentStatus write(
      ResourceRef ref, Function<FlinkBlueGreenDeployment, FlinkBlueGreenDeploymentStatus> change) {
    EffectWindow window = EffectWindow.open(clock);
    return KubernetesFailure.translate(
        "write the status of " + ref.display(),
        () ->
            ConflictRetry.then(
                window,
                () -> store.read(ref),
                parent -> {
                  FlinkBlueGreenDeploymentStatus next = change.apply(parent);
                  if (!next.equals(BlueGreenStatus.owned(parent.getStatus()))) {
                    apply(parent, next);
                  }
                  return next;
                }));
  }

  /** The same, with what the report says of the operation, and with its event. */
  FlinkBlueGreenDeploymentStatus write(
      OperationReport report,
      Function<FlinkBlueGreenDeployment, FlinkBlueGreenDeploymentStatus> change) {
    FlinkBlueGreenDeploymentStatus written =
        write(
            report.resource(),
            parent -> change.apply(parent).withOperation(operation(parent, report)));
    OperationStatus operation = Objects.requireNonNull(written.operation());
    if (report.event() != null) {
      events.tell(
          BlueGreenStore.TYPE,
          report,
          report.event(),
          operation.attempt() + "@" + operation.since());
    }
    return written;
  }

  private OperationStatus operation(FlinkBlueGreenDeployment parent, OperationReport report) {
    OperationStatus operation =
        OperationChange.of(
            parent.getStatus().operation(),
            report.withMessage(BoundedText.of(report.message(), LONGEST_MESSAGE)),
            clock.instant());
    long reached = BlueGreenStatus.standing(parent.getStatus()).reached();
    return operation.fromGeneration() == null
            && reached > 0
            && !Objects.equals(operation.targetGeneration(), reached)
        ? operation.withFromGeneration(reached)
        : operation;
  }

  private void apply(FlinkBlueGreenDeployment read, FlinkBlueGreenDeploymentStatus status) {
    GenericKubernetesResource unused =
        client
            .genericKubernetesResources(BlueGreenStore.TYPE.definition())
            .inNamespace(read.getMetadata().getNamespace())
            .resource(
                Apply.status(
                    BlueGreenStore.TYPE,
                    read.getMetadata(),
                    client.getKubernetesSerialization().convertValue(status, Map.class)))
            .subresource("status")
            .patch(Apply.context());
  }
}
