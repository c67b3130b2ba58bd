package dev.sluice.controller.common;

import dev.sluice.activities.event.EventWriter;
import dev.sluice.activities.event.EventWriter.Occurrence;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.WrittenTime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records Kubernetes events on resources, on a thread of its own: the caller waits for nothing.
 * What happens again is counted on the event that is there. An event that Kubernetes does not take
 * is logged and lost; a dated one is recorded again by the next reconciliation if Kubernetes was
 * only not available.
 */
public final class EventRecorder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  /** What follows waits meanwhile. */
  private static final int RETRIES = 3;

  /** How many are remembered, those used last. */
  private static final int MOST = 10_000;

  private final EventWriter events;
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
    this.events =
        new EventWriter(SingleTry.withRetries(client, RETRIES), StatusWriter.FIELD_MANAGER);
    this.clock = clock;
    this.thread = thread;
  }

  /** Records an event, unless it is dated and known to have been recorded. */
  public void record(HasMetadata resource, StatusEvent event) {
    Instant newest = event.at();
    Occurrence news =
        new Occurrence(
            reference(resource),
            event.warning(),
            event.reason(),
            event.message(),
            event.subject(),
            null,
            Objects.requireNonNullElse(newest, clock.instant()),
            newest == null ? Map.of() : Map.of(Annotations.HAPPENED_AT, newest.toString()));
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
    thread.execute(() -> write(news, newest));
  }

  private void write(Occurrence news, @Nullable Instant newest) {
    try {
      events.write(news, there -> newest != null && isTold(newest, there));
    } catch (RuntimeException lost) { // a client that is closed meanwhile throws others, too
      LOG.warn("Cannot write the event {}: {}", news.reason(), lost.getMessage());
      if (lost instanceof KubernetesClientException failed && SingleTry.isUnavailable(failed)) {
        synchronized (recorded) {
          recorded.remove(news.name());
        }
      }
    }
  }

  private static boolean isTold(Instant newest, Event there) {
    return WrittenTime.read(Annotations.of(there, Annotations.HAPPENED_AT))
        .filter(told -> !newest.isAfter(told))
        .isPresent();
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

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
