package dev.sluice.controller.common;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.BoundedText;
import dev.sluice.controller.common.ToldEvents.Told;
import dev.sluice.controller.common.UnwrittenEvents.Unwritten;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Kubernetes events on a resource. What happens again is counted on the event that is there,
 * whose name is derived from what it is about. An event that Kubernetes refuses is logged, no more.
 * After one that it was not available for there is a pause ({@link NamespacePauses}); what is to be
 * told meanwhile is written after it, with the time at which it was told. One that cannot be
 * written for ten minutes and more is given up, and not tried again for an hour.
 */
public final class EventWriter {

  private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

  /** The API server's bound, in characters. */
  private static final int LONGEST = 1024;

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  /**
   * Changes nothing, and is answered with the object as it stands: needs no right to read events.
   */
  private static final Map<String, ?> NO_CHANGE = Map.of();

  private final KubernetesClient client;
  private final Clock clock;
  private final ToldEvents told = new ToldEvents();

  /** What was only counted, or could not be written. */
  private final UnwrittenEvents rest = new UnwrittenEvents();

  private final NamespacePauses pauses =
      new NamespacePauses(Duration.ofSeconds(30), Duration.ofSeconds(25));

  /**
   * @param client stays the caller's to close
   * @param clock dates the events
   */
  public EventWriter(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.clock = clock;
  }

  /**
   * Writes one, or counts it, unless it is known to have been told. What is only counted, or cannot
   * be written now, is written by {@link #writeRest}.
   */
  public void write(HasMetadata resource, StatusEvent event) {
    String name = name(resource, event);
    Told before = told.of(name).orElse(null);
    Instant now = clock.instant();
    if ((before != null && before.covers(event.repeats()))
        || told.isGivenUp(name, event.repeats(), now)) {
      return;
    }
    Unwritten it = rest.told(resource.getMetadata().getUid(), name, event, now);
    if (it.first().equals(now)) {
      LOG.info("{}: {}", event.reason(), event.message());
    }
    // one that has failed comes after the others that wait
    if (it.tries() > 0 || now.isBefore(pauses.end(namespace(resource)))) {
      keep(resource, name, it, before);
      return;
    }
    try {
      if (before == null) {
        create(resource, name, it);
      } else {
        count(resource, name, it, before.and(event.repeats()));
      }
    } catch (KubernetesClientException lost) {
      boolean unused = isKept(resource, name, it, before, lost);
    }
  }

  private void keep(HasMetadata resource, String name, Unwritten it, @Nullable Told before) {
    if (before != null) {
      told.put(name, before.and(it.event().repeats()));
    }
    rest.put(resource.getMetadata().getUid(), name, it);
  }

  /**
   * Writes what is left of a resource's events, once that may be written.
   *
   * @return when to call again; empty when all of it is written, or given up
   */
  public Optional<Duration> writeRest(HasMetadata resource) {
    return rest.of(resource.getMetadata().getUid()).entrySet().stream()
        .flatMap(it -> writeRest(resource, it.getKey(), it.getValue()).stream())
        .min(Duration::compareTo);
  }

  private Optional<Duration> writeRest(HasMetadata resource, String name, Unwritten it) {
    Instant now = clock.instant();
    Instant paused = pauses.end(namespace(resource));
    Told known = told.of(name).orElse(null);
    Instant due = known != null && known.due().isAfter(paused) ? known.due() : paused;
    if (now.isBefore(due)) {
      return Optional.of(Duration.between(now, due));
    }
    try {
      if (known == null) {
        create(resource, name, it);
      } else {
        repeat(resource, name, it, known, now);
      }
    } catch (KubernetesClientException lost) {
      if (isKept(resource, name, it, null, lost)) {
        return Optional.of(Duration.between(now, pauses.end(namespace(resource))));
      }
    }
    isWritten(resource, name);
    return Optional.empty();
  }

  /** Keeps one that could not be written, unless it is given up. */
  private boolean isKept(
      HasMetadata resource,
      String name,
      Unwritten it,
      @Nullable Told before,
      KubernetesClientException lost) {
    Unwritten failed = it.failed();
    boolean kept = mayBeWrittenLater(resource, it, lost) && !failed.isGivenUp();
    if (kept) {
      keep(resource, name, failed, before);
    } else {
      told.giveUp(name, it.event().repeats(), clock.instant());
      isWritten(resource, name);
    }
    return kept;
  }

  private void isWritten(HasMetadata resource, String name) {
    rest.remove(resource.getMetadata().getUid(), name);
  }

  /** Whether Kubernetes was only not available for it. */
  private boolean mayBeWrittenLater(
      HasMetadata resource, Unwritten it, KubernetesClientException lost) {
    LOG.warn("Cannot write the event {}: {}", it.event().reason(), lost.getMessage());
    boolean later = SingleTry.isUnavailable(lost);
    if (later) {
      pauses.failed(namespace(resource), clock.instant());
    } else {
      pauses.answered(namespace(resource), clock.instant());
    }
    return later;
  }

  private static String namespace(HasMetadata resource) {
    return resource.getMetadata().getNamespace();
  }

  /** The resource is gone. */
  public void forget(String uid) {
    rest.forget(uid);
  }

  private void create(HasMetadata resource, String name, Unwritten it) {
    StatusEvent event = it.event();
    Instant now = clock.instant();
    try {
      Event unused = client.resource(event(resource, name, it)).create();
      pauses.answered(namespace(resource), now);
      told.put(name, new Told(event.repeats().timesAfter(null), event.repeats().newest(), now));
      isWritten(resource, name);
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
      Event there = patch(resource, name, NO_CHANGE);
      Told before =
          new Told(Objects.requireNonNullElse(there.getCount(), 1), happened(there), Instant.EPOCH);
      if (before.covers(event.repeats())) {
        told.put(name, before);
      } else {
        repeat(resource, name, it, before.and(event.repeats()), now);
      }
    }
  }

  private void count(HasMetadata resource, String name, Unwritten it, Told after) {
    Instant now = clock.instant();
    if (now.isBefore(after.due())) {
      told.put(name, after);
      rest.put(resource.getMetadata().getUid(), name, it);
    } else {
      repeat(resource, name, it, after, now);
    }
  }

  private void repeat(HasMetadata resource, String name, Unwritten it, Told after, Instant now) {
    StatusEvent event = it.event();
    Map<String, Object> change = new HashMap<>();
    change.put("count", after.count());
    change.put("lastTimestamp", seconds(event.repeats().newest(), it.last()));
    change.put("message", BoundedText.of(event.message(), LONGEST));
    change.put("metadata", Map.of("annotations", annotations(event)));
    try {
      Event unused = patch(resource, name, change);
      pauses.answered(namespace(resource), now);
      told.put(name, after.writtenAt(now));
      isWritten(resource, name);
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failed;
      }
      told.forget(name); // events expire
      isWritten(resource, name);
      create(resource, name, it);
    }
  }

  private Event patch(HasMetadata resource, String name, Map<String, ?> change) {
    Event which =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(resource.getMetadata().getNamespace())
            .withName(name)
            .endMetadata()
            .build();
    return client.resource(which).patch(MERGE, client.getKubernetesSerialization().asJson(change));
  }

  private static Event event(HasMetadata resource, String name, Unwritten it) {
    StatusEvent event = it.event();
    ObjectMeta metadata = resource.getMetadata();
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(metadata.getNamespace())
        .withName(name)
        .withAnnotations(annotations(event))
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion(resource.getApiVersion())
        .withKind(resource.getKind())
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName())
        .withUid(metadata.getUid())
        .withResourceVersion(metadata.getResourceVersion())
        .endInvolvedObject()
        .withType(event.warning() ? "Warning" : "Normal")
        .withReason(event.reason())
        .withMessage(BoundedText.of(event.message(), LONGEST))
        .withFirstTimestamp(seconds(event.repeats().newest(), it.first()))
        .withLastTimestamp(seconds(event.repeats().newest(), it.last()))
        .withCount(event.repeats().timesAfter(null))
        .withNewSource()
        .withComponent(StatusWriter.FIELD_MANAGER)
        .endSource()
        .withReportingComponent(StatusWriter.FIELD_MANAGER)
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
}
