package dev.sluice.activities.event;

import dev.sluice.api.common.BoundedText;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes Kubernetes events, which {@code kubectl describe} shows. The name of an event is derived
 * from its subject: what happens again is counted on the event that is there.
 */
public final class EventWriter {

  /** The API server's bound, in characters. */
  private static final int LONGEST_MESSAGE = 1024;

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  /**
   * Changes nothing, and is answered with the object as it stands: needs no right to read events.
   */
  private static final Map<String, ?> NO_CHANGE = Map.of();

  private final KubernetesClient client;
  private final String component;

  /**
   * @param component that the events come from
   */
  public EventWriter(KubernetesClient client, String component) {
    this.client = client;
    this.component = component;
  }

  /**
   * What happened to a resource.
   *
   * @param about the resource
   * @param warning whether action may be required
   * @param reason one of {@link dev.sluice.api.condition.EventReasons}, or a reason of the run
   * @param message cut where the API server would not take it
   * @param subject occurrences with the same reason and subject are counted on one event
   * @param instance of the component that reports it: a workflow id; null for none
   * @param at when it happened
   * @param marks annotations of the event, which tell this occurrence from others
   */
  public record Occurrence(
      ObjectReference about,
      boolean warning,
      String reason,
      String message,
      String subject,
      @Nullable String instance,
      Instant at,
      Map<String, String> marks) {

    /** Name of the event that it is counted on. */
    public String name() {
      String same =
          String.join(
              "|",
              about.getUid(),
              Objects.requireNonNullElse(instance, ""),
              Boolean.toString(warning),
              reason,
              subject);
      String hash = UUID.nameUUIDFromBytes(same.getBytes(StandardCharsets.UTF_8)).toString();
      return about.getName() + "." + hash.replace("-", "");
    }

    /** RFC 3339, seconds. */
    private String time() {
      return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
  }

  /**
   * Creates the event, or counts the occurrence on the one that is there. Blocks.
   *
   * @param isCounted whether the occurrence is one that the event there counts already
   * @throws KubernetesClientException when it cannot be written
   */
  public void write(Occurrence news, Predicate<Event> isCounted) {
    Event event = event(news);
    try {
      Event unused = client.resource(event).create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
      Event there = patch(event, NO_CHANGE);
      if (!isCounted.test(there)) {
        Event unused = patch(event, counted(event, there));
      }
    }
  }

  private static Map<String, ?> counted(Event event, Event there) {
    return Map.of(
        "count", Objects.requireNonNullElse(there.getCount(), 1) + 1,
        "lastTimestamp", event.getLastTimestamp(),
        "message", event.getMessage(),
        "metadata", Map.of("annotations", event.getMetadata().getAnnotations()));
  }

  private Event patch(Event which, Map<String, ?> change) {
    return client.resource(which).patch(MERGE, client.getKubernetesSerialization().asJson(change));
  }

  private Event event(Occurrence news) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(news.about().getNamespace())
        .withName(news.name())
        .withAnnotations(news.marks())
        .endMetadata()
        .withInvolvedObject(news.about())
        .withType(news.warning() ? "Warning" : "Normal")
        .withReason(news.reason())
        .withMessage(BoundedText.of(news.message(), LONGEST_MESSAGE))
        .withFirstTimestamp(news.time())
        .withLastTimestamp(news.time())
        .withCount(1)
        .withNewSource()
        .withComponent(component)
        .endSource()
        .withReportingComponent(component)
        .withReportingInstance(news.instance())
        .build();
  }
}
