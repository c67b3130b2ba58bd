package dev.sluice.activities.event;

import dev.sluice.activities.event.EventWriter.Occurrence;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what happens to a resource as Kubernetes events: what happens again in the same words is
 * counted on the event that is there, and a repeated call is not.
 */
public final class ResourceEvents {

  private static final Logger LOG = LoggerFactory.getLogger(ResourceEvents.class);
  private static final String COMPONENT = "sluice";
  private static final Set<OperationState> WARNING_STATES =
      EnumSet.of(OperationState.BLOCKED, OperationState.PARKED, OperationState.FAILED);
  private static final Set<String> WARNING_REASONS =
      Set.of(
          EventReasons.SAVEPOINT_ERROR,
          EventReasons.SNAPSHOT_ERROR,
          EventReasons.SNAPSHOT_ABANDONED,
          EventReasons.RECOVER_DEPLOYMENT,
          EventReasons.REQUEST_IGNORED,
          EventReasons.RESTART_UNHEALTHY_JOB,
          EventReasons.CLEANUP_FAILED,
          FailureType.CLUSTER_NOT_GONE,
          // in the words of Lyft's operator
          "DeployFailed",
          "SavepointFailed",
          "RestoringWithoutExternalizedCheckpoint");

  private final EventWriter events;
  private final Clock clock;

  public ResourceEvents(KubernetesClient client, Clock clock) {
    this.events = new EventWriter(client, COMPONENT);
    this.clock = clock;
  }

  /**
   * Writes the event. Nothing depends on it: when it cannot be written, the log says so and the
   * work goes on.
   *
   * @param type of the resource
   * @param since distinguishes one occurrence from the next, and is the same for a repeated call
   */
  public void tell(ResourceType type, OperationReport report, String reason, String since) {
    String message = report.run().operation() + ", " + report.step() + ": " + report.message();
    tell(type, report.resource(), report, reason, message, since);
  }

  /** The same about another resource than that of the report, in other words. */
  public void tell(
      ResourceType type,
      ResourceRef about,
      OperationReport report,
      String reason,
      String message,
      String since) {
    boolean warning = WARNING_STATES.contains(report.state()) || WARNING_REASONS.contains(reason);
    String occurrence = report.run().runId() + " " + since;
    note(type, about, warning, reason, message, report.run().workflowId(), occurrence);
  }

  /**
   * Writes an event about a resource that no operation is at work on, as {@link #tell}.
   *
   * @param by what found it out: an id
   * @param occurrence distinguishes one occurrence from the next, and is the same for a repeated
   *     call
   */
  public void note(
      ResourceType type,
      ResourceRef ref,
      boolean warning,
      String reason,
      String message,
      String by,
      String occurrence) {
    ObjectReference about =
        new ObjectReferenceBuilder()
            .withApiVersion(type.apiVersion())
            .withKind(ref.kind())
            .withNamespace(ref.namespace())
            .withName(ref.name())
            .withUid(ref.uid())
            .build();
    Map<String, String> marks = Map.of(Annotations.OCCURRENCE, occurrence);
    try {
      events.write(
          new Occurrence(about, warning, reason, message, message, by, clock.instant(), marks),
          there -> occurrence.equals(Annotations.of(there, Annotations.OCCURRENCE)));
    } catch (KubernetesClientException failed) {
      LOG.warn("Could not write event {} of {}: {}", reason, ref.display(), failed.getMessage());
    }
  }
}
