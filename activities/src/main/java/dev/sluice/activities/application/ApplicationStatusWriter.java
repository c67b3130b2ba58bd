package dev.sluice.activities.application;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.activities.status.OperationMessages;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationActivities.RecordVersionsRequest;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Writes the workflow's part of an application's status by server-side apply: always all of it,
 * only onto the very version that was read, and not at all when nothing changes.
 */
public final class ApplicationStatusWriter {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;
  private final FlinkApplicationStore store;
  private final ResourceEvents events;
  private final Clock clock;

  public ApplicationStatusWriter(
      KubernetesClient client, FlinkApplicationStore store, Clock clock) {
    this.client = client;
    this.store = store;
    this.events = new ResourceEvents(client, clock);
    this.clock = clock;
  }

  /**
   * What a change makes of an application.
   *
   * @param status what is to stand there, apart from what the report says; the same as before to
   *     change nothing else
   * @param result of the activity
   */
  record Change<T>(FlinkApplicationStatus status, T result) {}

  /** As {@code ApplicationActivities.record}. */
  void record(RecordVersionsRequest request) {
    Boolean unused = write(request.report(), now -> new Change<>(next(now, request), true));
  }

  private FlinkApplicationStatus next(StoredApplication now, RecordVersionsRequest request) {
    ApplicationRecord record = now.record();
    if (record.equals(request.record())) {
      return now.status();
    }
    if (!record.equals(request.plannedFor())) {
      throw FlinkApplicationStore.outdated(
          "the status says %s, which this was not planned for".formatted(record.standing()));
    }
    return ApplicationStatuses.with(now.status(), request.record(), now.specs(), clock.instant())
        .withReason(ReportedStatus.message(request.report()));
  }

  /** As {@code ApplicationActivities.report}. */
  void report(OperationReport report) {
    Boolean unused = write(report, now -> new Change<>(now.status(), true));
  }

  /**
   * Writes what a run waits for, where that is its to say: one that has gone on in the meantime
   * wins.
   */
  public void message(ResourceRef ref, Waiting waiting, String text) {
    StoredApplication now = store.read(ref);
    OperationStatus before = now.status().operation();
    OperationStatus next = before == null ? null : OperationMessages.with(before, waiting, text);
    if (next == null || next.equals(before)) {
      return;
    }
    try {
      apply(now, JSON.valueToTree(ReportedStatus.owned(now.status().withOperation(next))));
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
    }
  }

  /**
   * Reads an application, decides, and writes what was decided together with the report.
   *
   * @param change decides from what was read; blocks at most for a moment
   */
  <T> T write(OperationReport report, Function<StoredApplication, Change<T>> change) {
    EffectWindow window = EffectWindow.open(clock);
    Written<T> written =
        KubernetesFailure.translate(
            "write the status of " + report.resource().display(),
            () ->
                ConflictRetry.then(
                    window,
                    () -> store.read(report.resource()),
                    now -> apply(now, report, change.apply(now))));
    if (report.event() != null) {
      events.tell(FlinkApplicationStore.TYPE, report, report.event(), written.since());
    }
    return written.result();
  }

  /**
   * @param since tells one occurrence of a report from the next
   */
  private record Written<T>(T result, String since) {}

  private <T> Written<T> apply(StoredApplication now, OperationReport report, Change<T> change) {
    FlinkApplicationStatus next = ReportedStatus.of(change.status(), report, clock.instant());
    JsonNode after = JSON.valueToTree(ReportedStatus.owned(next));
    if (!after.equals(JSON.valueToTree(ReportedStatus.owned(now.status())))) {
      apply(now, after);
    }
    OperationStatus operation = next.operation();
    return new Written<>(
        change.result(), operation == null ? "" : operation.attempt() + "@" + operation.since());
  }

  private void apply(StoredApplication now, JsonNode status) {
    GenericKubernetesResource body =
        Apply.status(
            FlinkApplicationStore.TYPE, now.metadata(), JSON.convertValue(status, Map.class));
    try {
      GenericKubernetesResource written =
          client.resource(body).subresource("status").patch(Apply.context());
      removeLeft(body, status, JSON.valueToTree(written.getAdditionalProperties()).path("status"));
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        throw CustomResources.gone(now.ref());
      }
      throw failed;
    }
  }

  /** What Lyft's operator has written survives an apply that leaves it out. */
  private void removeLeft(GenericKubernetesResource body, JsonNode sent, JsonNode written) {
    List<Map<String, String>> removals =
        ReportedStatus.OWNED.stream()
            .filter(field -> written.has(field) && !sent.has(field))
            .map(field -> Map.of("op", "remove", "path", "/status/" + field))
            .toList();
    if (!removals.isEmpty()) {
      GenericKubernetesResource unused =
          client
              .resource(body)
              .subresource("status")
              .patch(
                  PatchContext.of(PatchType.JSON),
                  client.getKubernetesSerialization().asJson(removals));
    }
  }
}
