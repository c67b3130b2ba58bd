package dev.sluice.controller.common;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.WrittenTime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records Kubernetes events on resources, on a thread of its own: the caller waits for nothing.
 * What happens again is counted on the event that is there, whose name is derived from its subject.
 * An event that Kubernetes does not take is logged and lost; a dated one is recorded again by the
 * next reconciliation if Kubernetes was only not available.
 */
public final class EventRecorder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  /** The API server's bound, in characters. */
  private static final int LONGEST = 1024;

  /** What follows waits meanwhile. */
  private static final int RETRIES = 3;

  /** How many are remembered, those used last. */
  private static final int MOST = 10_000;

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  /**
   * Changes nothing, and is answered with the object as it stands: needs no right to read events.
   */
  private static final Map<String, ?> NO_CHANGE = Map.of();

  private final KubernetesClient client;
  private final Clock clock;
  private final ExecutorService thread;

  /** Newest time of each dated event, by the name of the event. Its own lock. */
  private final Map<String, Instant> recorded =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param client stays the caller's to close
   * @param clock dates the events
   */
  public EventRecorder(KubernetesClient client, Clock clock) {
    this(
        client,
        clock,
        Executors.newSingleThreadExecutor(
            task -> {
              Thread daemon = new Thread(task, "events");
              daemon.setDaemon(true);
              return daemon;
            }));
  }

  /**
   * @param thread one, so that events are counted in their order
   */
  EventRecorder(KubernetesClient client, Clock clock, ExecutorService thread) {
    this.client = SingleTry.withRetries(client, RETRIES);
    this.clock = clock;
    this.thread = thread;
  }

  /** An event to be written, and when it was recorded. */
  private record News(String name, ObjectReference about, StatusEvent event, Instant at) {

    /** RFC 3339, seconds. */
    String happened() {
      return Objects.requireNonNullElse(event.at(), at).truncatedTo(ChronoUnit.SECONDS).toString();
    }
  }

  /** Records an event, unless it is dated and known to have been recorded. */
  public void record(HasMetadata resource, StatusEvent event) {
    News news = new News(name(resource, event), reference(resource), event, clock.instant());
    Instant newest = event.at();
    if (newest != null) {
      synchronized (recorded) {
        Instant known = recorded.get(news.name());
        if (known != null && !newest.isAfter(known)) {
          return;
        }
        recorded.put(news.name(), newest);
      }
    }
    LOG.info("{}: {}", event.reason(), event.message());
    thread.execute(() -> write(news));
  }

  private void write(News news) {
    try {
      createOrCount(news);
    } catch (RuntimeException lost) { // a client that is closed meanwhile throws others, too
      LOG.warn("Cannot write the event {}: {}", news.event().reason(), lost.getMessage());
      if (lost instanceof KubernetesClientException failed && SingleTry.isUnavailable(failed)) {
        synchronized (recorded) {
          recorded.remove(news.name());
        }
      }
    }
  }

  private void createOrCount(News news) {
    try {
      Event unused = client.resource(event(news)).create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
      count(news, patch(news, NO_CHANGE));
    }
  }

  private void count(News news, Event there) {
    StatusEvent event = news.event();
    Instant told = happened(there);
    if (event.at() != null && told != null && !event.at().isAfter(told)) {
      return;
    }
    Event unused =
        patch(
            news,
            Map.of(
                "count", Objects.requireNonNullElse(there.getCount(), 1) + 1,
                "lastTimestamp", news.happened(),
                "message", BoundedText.of(event.message(), LONGEST),
                "metadata", Map.of("annotations", annotations(event))));
  }

  private Event patch(News news, Map<String, ?> change) {
    Event which =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(news.about().getNamespace())
            .withName(news.name())
            .endMetadata()
            .build();
    return client.resource(which).patch(MERGE, client.getKubernetesSerialization().asJson(change));
  }

  private static Event event(News news) {
    StatusEvent event = news.event();
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(news.about().getNamespace())
        .withName(news.name())
        .withAnnotations(annotations(event))
        .endMetadata()
        .withInvolvedObject(news.about())
        .withType(event.warning() ? "Warning" : "Normal")
        .withReason(event.reason())
        .withMessage(BoundedText.of(event.message(), LONGEST))
        .withFirstTimestamp(news.happened())
        .withLastTimestamp(news.happened())
        .withCount(1)
        .withNewSource()
        .withComponent(StatusWriter.FIELD_MANAGER)
        .endSource()
        .withReportingComponent(StatusWriter.FIELD_MANAGER)
        .build();
  }

  private static ObjectReference reference(HasMetadata resource) {
    ObjectMeta metadata = resource.getMetadata();
    return new ObjectReferenceBuilder()
        .withApiVersion(resource.getApiVersion())
        .withKind(resource.getKind())
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName())
        .withUid(metadata.getUid())
        .withResourceVersion(metadata.getResourceVersion())
        .build();
  }

  private static String name(HasMetadata resource, StatusEvent event) {
    String same =
        String.join(
            "|",
            resource.getMetadata().getUid(),
            Boolean.toString(event.warning()),
            event.reason(),
            event.subject());
    String hash = UUID.nameUUIDFromBytes(same.getBytes(StandardCharsets.UTF_8)).toString();
    return resource.getMetadata().getName() + "." + hash.replace("-", "");
  }

  private static Map<String, String> annotations(StatusEvent event) {
    Instant at = event.at();
    return at == null ? Map.of() : Map.of(Annotations.HAPPENED_AT, at.toString());
  }

  private static @Nullable Instant happened(Event there) {
    return WrittenTime.read(Annotations.of(there, Annotations.HAPPENED_AT)).orElse(null);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
