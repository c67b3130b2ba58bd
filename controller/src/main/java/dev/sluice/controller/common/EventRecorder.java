package dev.sluice.controller.common;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.BoundedText;
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
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records Kubernetes events on resources. What happens again is counted on the event that is there,
 * whose name is derived from what it is about, and written at most every 10 s. Written on threads
 * of its own: the caller waits for nothing. An event that Kubernetes refuses, or is not available
 * for three times, is logged and lost.
 */
public final class EventRecorder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  /** An API server, or a webhook, that does not answer holds one for 5 s. */
  private static final int THREADS = 4;

  /** The API server's bound, in characters. */
  private static final int LONGEST = 1024;

  /** How many are remembered, those used last. */
  private static final int MOST = 10_000;

  private static final int MOST_TRIES = 3;
  private static final Duration SPACING = Duration.ofSeconds(10);
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  /**
   * Changes nothing, and is answered with the object as it stands: needs no right to read events.
   */
  private static final Map<String, ?> NO_CHANGE = Map.of();

  private final KubernetesClient client;
  private final Clock clock;
  private final BiConsumer<Runnable, Duration> later;
  private final Runnable end;

  /** By the name of the event. Guards what it holds. */
  private final Map<String, Recorded> recorded =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Recorded> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param client stays the caller's to close
   * @param clock dates the events
   */
  public static EventRecorder of(KubernetesClient client, Clock clock) {
    ScheduledThreadPoolExecutor threads =
        new ScheduledThreadPoolExecutor(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "events");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy()); // once it is closed
    return new EventRecorder(
        client,
        clock,
        (task, after) -> {
          var unused = threads.schedule(task, after.toMillis(), TimeUnit.MILLISECONDS);
        },
        threads::shutdownNow);
  }

  /**
   * @param later runs a task after a time, on another thread
   * @param end runs no more tasks
   */
  EventRecorder(
      KubernetesClient client, Clock clock, BiConsumer<Runnable, Duration> later, Runnable end) {
    this.client = SingleTry.of(client);
    this.clock = clock;
    this.later = later;
    this.end = end;
  }

  /** Records one, unless all that it tells of is known to have been recorded. */
  public void record(HasMetadata resource, StatusEvent event) {
    Instant now = clock.instant();
    String name = name(resource, event);
    synchronized (recorded) {
      Recorded it = recorded.computeIfAbsent(name, k -> new Recorded(name));
      if (it.add(resource, event, now)) {
        LOG.info("{}: {}", event.reason(), event.message());
        it.tries = 0;
        writeAfter(it, Duration.between(now, it.due));
      }
    }
  }

  private void writeAfter(Recorded it, Duration pause) {
    if (!it.queued) {
      it.queued = true;
      later.accept(() -> write(it), pause.isNegative() ? Duration.ZERO : pause);
    }
  }

  private void write(Recorded it) {
    Recorded.Unwritten news = it.take(clock.instant());
    try {
      int count = news.before() == 0 ? create(news) : repeat(news, news.before() + news.times());
      synchronized (recorded) {
        it.written = count;
      }
    } catch (KubernetesClientException lost) {
      LOG.warn("Cannot write the event {}: {}", news.event().reason(), lost.getMessage());
      synchronized (recorded) {
        it.tries++;
        if (SingleTry.isUnavailable(lost) && it.tries < MOST_TRIES) {
          it.unwritten += news.times();
          writeAfter(it, SPACING);
        }
      }
    }
  }

  /** Returns how often the event tells that it happened. */
  private int create(Recorded.Unwritten news) {
    try {
      Event unused = client.resource(event(news)).create();
      return news.times();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
    }
    Event there = patch(news, NO_CHANGE); // of an earlier process
    int count = Objects.requireNonNullElse(there.getCount(), 1);
    StatusEvent.Repeats repeats = news.event().repeats();
    int times = repeats.newest() == null ? news.times() : repeats.timesAfter(happened(there));
    return times == 0 ? count : repeat(news, count + times);
  }

  private int repeat(Recorded.Unwritten news, int count) {
    StatusEvent event = news.event();
    Map<String, Object> change =
        Map.of(
            "count", count,
            "lastTimestamp", seconds(event.repeats().newest(), news.last()),
            "message", BoundedText.of(event.message(), LONGEST),
            "metadata", Map.of("annotations", annotations(event)));
    try {
      Event unused = patch(news, change);
      return count;
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failed;
      }
      return create(news); // events expire
    }
  }

  private Event patch(Recorded.Unwritten news, Map<String, ?> change) {
    Event which =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(news.about().getNamespace())
            .withName(news.name())
            .endMetadata()
            .build();
    return client.resource(which).patch(MERGE, client.getKubernetesSerialization().asJson(change));
  }

  private static Event event(Recorded.Unwritten news) {
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
        .withFirstTimestamp(seconds(event.repeats().newest(), news.first()))
        .withLastTimestamp(seconds(event.repeats().newest(), news.last()))
        .withCount(news.times())
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
            event.repeats().subject());
    String hash = UUID.nameUUIDFromBytes(same.getBytes(StandardCharsets.UTF_8)).toString();
    return resource.getMetadata().getName() + "." + hash.replace("-", "");
  }

  private static Map<String, String> annotations(StatusEvent event) {
    Instant at = event.repeats().newest();
    return at == null ? Map.of() : Map.of(Annotations.HAPPENED_AT, at.toString());
  }

  private static @Nullable Instant happened(Event there) {
    Map<String, String> annotations = there.getMetadata().getAnnotations();
    String at = annotations == null ? null : annotations.get(Annotations.HAPPENED_AT);
    try {
      return at == null ? null : Instant.parse(at);
    } catch (DateTimeParseException changed) {
      return null;
    }
  }

  private static String seconds(@Nullable Instant at, Instant told) {
    return Objects.requireNonNullElse(at, told).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public void close() {
    end.run();
  }

  /** An event that was recorded, and what of it is not written yet. */
  private final class Recorded {

    private final String name;
    private @Nullable ObjectReference about;
    private @Nullable StatusEvent event;
    private Instant first = Instant.EPOCH;
    private Instant last = Instant.EPOCH;
    private Instant due = Instant.EPOCH;
    private @Nullable Instant happened;
    private int written;
    private int unwritten;
    private int tries;
    private boolean queued;

    Recorded(String name) {
      this.name = name;
    }

    /**
     * What is to be written.
     *
     * @param before how often the event that is there tells that it happened; 0 for none
     * @param times how often it happened since
     */
    private record Unwritten(
        String name,
        ObjectReference about,
        StatusEvent event,
        Instant first,
        Instant last,
        int before,
        int times) {}

    /** Returns whether it has happened again. */
    boolean add(HasMetadata resource, StatusEvent now, Instant at) {
      int times = now.repeats().timesAfter(happened);
      if (times == 0) {
        return false;
      }
      first = unwritten == 0 ? at : first;
      last = at;
      about = reference(resource);
      event = now;
      happened = now.repeats().newest();
      unwritten += times;
      return true;
    }

    Unwritten take(Instant now) {
      synchronized (recorded) {
        Unwritten news =
            new Unwritten(
                name,
                Objects.requireNonNull(about),
                Objects.requireNonNull(event),
                first,
                last,
                written,
                unwritten);
        unwritten = 0;
        queued = false;
        due = now.plus(SPACING);
        return news;
      }
    }
  }
}
