package dev.sluice.activities.status;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * A resource as one attempt of an activity has just read it, and the writes onto this very version.
 * Every write blocks for a call to the API server.
 */
record Fresh(ResourceType type, ResourceRef ref, StoredResource resource, Writes writes) {

  /** What the writes go through. */
  record Writes(
      WorkflowStatusWriter status,
      UsedAnnotations annotations,
      ResourceEvents events,
      Clock clock) {

    Writes(KubernetesClient client, Clock clock) {
      this(
          new WorkflowStatusWriter(client),
          new UsedAnnotations(client),
          new ResourceEvents(client, clock),
          clock);
    }
  }

  /** A change of the workflow's part of the status, at a time. */
  @FunctionalInterface
  interface Change {
    OwnedStatus of(OwnedStatus now, Instant at);
  }

  OwnedStatus write(Change change) {
    Instant at = writes.clock().instant();
    return writes.status().write(type, ref, resource, now -> change.of(now, at));
  }

  /** Writes it, and the event of that report. */
  OwnedStatus write(OperationReport report, Change change) {
    OwnedStatus written = write(change);
    OperationStatus operation = written.operation();
    // the same for a repeated call, because nothing is written then
    tell(report, operation == null ? "" : operation.attempt() + "@" + operation.since());
    return written;
  }

  /** Emits the event that the report asks for. */
  void tell(OperationReport report, String since) {
    String event = report.event();
    if (event != null) {
      writes.events().tell(type, report, event, since);
    }
  }

  /** Removes annotations whose request is answered. */
  void use(Map<String, String> annotations) {
    writes.annotations().remove(type, ref, annotations);
  }
}
