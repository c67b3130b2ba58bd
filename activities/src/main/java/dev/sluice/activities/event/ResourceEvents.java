package dev.sluice.activities.event;

import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.ResourceActivities.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what happens to a resource as Kubernetes events, which {@code kubectl describe} shows.
 * The same report is one event however often it is sent: its name is derived from its content.
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
          FailureType.CLUSTER_NOT_GONE);
  private static final int LONGEST_MESSAGE = 1024;

  private final KubernetesClient client;
  private final Clock clock;

  public ResourceEvents(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * Writes the event. Nothing depends on it: when it cannot be written, the log says so and the
   * work goes on.
   *
   * @param type of the resource
   * @param since tells one occurrence from the next, and is the same for a repeated call
   */
  public void tell(ResourceType type, OperationReport report, String reason, String since) {
    try {
      client.v1().events().resource(event(type, report, reason, since)).create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != 409) {
        LOG.warn(
            "Could not write event {} of {}: {}",
            reason,
            report.resource().display(),
            failed.getMessage());
      }
    }
  }

  private Event event(ResourceType type, OperationReport report, String reason, String since) {
    ResourceRef ref = report.resource();
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(ref.namespace())
        .withName(name(report, reason, since))
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion(type.apiVersion())
        .withKind(ref.kind())
        .withNamespace(ref.namespace())
        .withName(ref.name())
        .withUid(ref.uid())
        .endInvolvedObject()
        .withType(isWarning(report, reason) ? "Warning" : "Normal")
        .withReason(reason)
        .withMessage(message(report))
        .withNewSource()
        .withComponent(COMPONENT)
        .endSource()
        .withReportingComponent(COMPONENT)
        .withReportingInstance(report.run().workflowId())
        .withFirstTimestamp(now)
        .withLastTimestamp(now)
        .withCount(1)
        .build();
  }

  private static boolean isWarning(OperationReport report, String reason) {
    return WARNING_STATES.contains(report.state()) || WARNING_REASONS.contains(reason);
  }

  private static String message(OperationReport report) {
    String text = report.run().operation() + ", " + report.step() + ": " + report.message();
    return BoundedText.of(text, LONGEST_MESSAGE);
  }

  private static String name(OperationReport report, String reason, String since) {
    String said =
        String.join(
            "|",
            report.resource().uid(),
            report.run().runId(),
            reason,
            report.step(),
            report.state().wire(),
            report.message(),
            since);
    String hash = UUID.nameUUIDFromBytes(said.getBytes(StandardCharsets.UTF_8)).toString();
    return report.resource().name() + "." + hash.replace("-", "");
  }
}
