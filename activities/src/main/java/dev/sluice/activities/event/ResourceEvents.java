package dev.sluice.activities.event;

import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what happens to a resource as Kubernetes events, which {@code kubectl describe} shows.
 * The name of an event is derived from its text: what happens again is counted on the event that is
 * there, and a repeated call is not.
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
  private static final int LONGEST_MESSAGE = 1024;
  private static final int CONFLICT = 409;
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  /**
   * Changes nothing, and is answered with the object as it stands: needs no right to read events.
   */
  private static final Map<String, ?> NO_CHANGE = Map.of();

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
    write(type, about, warning, reason, message, report.run().workflowId(), occurrence);
  }

  /**
   * Writes a warning about a resource that no operation is at work on, as {@link #tell}.
   *
   * @param by what found it out: an id
   */
  public void warn(
      ResourceType type, ResourceRef ref, String reason, String message, String by, String since) {
    note(type, ref, true, reason, message, by, since);
  }

  /** The same, of an event that need not be a warning. */
  public void note(
      ResourceType type,
      ResourceRef ref,
      boolean warning,
      String reason,
      String message,
      String by,
      String since) {
    write(type, ref, warning, reason, message, by, since);
  }

  /**
   * The name is the same for the same text; the occurrence tells whether that is a repeated call.
   */
  private void write(
      ResourceType type,
      ResourceRef ref,
      boolean warning,
      String reason,
      String message,
      String by,
      String occurrence) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(ref.namespace())
            .withName(ref.name() + "." + hash(ref.uid(), by, reason, message))
            .addToAnnotations(Annotations.OCCURRENCE, occurrence)
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(type.apiVersion())
            .withKind(ref.kind())
            .withNamespace(ref.namespace())
            .withName(ref.name())
            .withUid(ref.uid())
            .endInvolvedObject()
            .withType(warning ? "Warning" : "Normal")
            .withReason(reason)
            .withMessage(BoundedText.of(message, LONGEST_MESSAGE))
            .withNewSource()
            .withComponent(COMPONENT)
            .endSource()
            .withReportingComponent(COMPONENT)
            .withReportingInstance(by)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withCount(1)
            .build();
    try {
      createOrCount(event, occurrence, now);
    } catch (KubernetesClientException failed) {
      LOG.warn("Could not write event {} of {}: {}", reason, ref.display(), failed.getMessage());
    }
  }

  private void createOrCount(Event event, String occurrence, String now) {
    try {
      Event unused = client.resource(event).create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != CONFLICT) {
        throw failed;
      }
      Event there = patch(event, NO_CHANGE);
      Map<String, String> known = there.getMetadata().getAnnotations();
      if (known == null || !occurrence.equals(known.get(Annotations.OCCURRENCE))) {
        Event unused =
            patch(
                event,
                Map.of(
                    "count",
                    Objects.requireNonNullElse(there.getCount(), 1) + 1,
                    "lastTimestamp",
                    now,
                    "metadata",
                    Map.of("annotations", Map.of(Annotations.OCCURRENCE, occurrence))));
      }
    }
  }

  private Event patch(Event which, Map<String, ?> change) {
    return client.resource(which).patch(MERGE, client.getKubernetesSerialization().asJson(change));
  }

  private static String hash(String... parts) {
    return UUID.nameUUIDFromBytes(String.join("|", parts).getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }
}
