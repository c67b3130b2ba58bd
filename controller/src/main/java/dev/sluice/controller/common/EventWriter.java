package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes Kubernetes events on a resource. An event that cannot be written is logged, no more. */
public final class EventWriter {

  private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

  /** The API server's bound, in characters. */
  private static final int LONGEST = 1024;

  private final KubernetesClient client;
  private final Clock clock;

  /**
   * @param client stays the caller's to close
   * @param clock dates the events
   */
  public EventWriter(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Writes one. */
  public void write(HasMetadata resource, StatusEvent event) {
    LOG.info("{}: {}", event.reason(), event.message());
    ObjectMeta metadata = resource.getMetadata();
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    Event written =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(metadata.getNamespace())
            .withGenerateName(metadata.getName() + ".")
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
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withCount(1)
            .withNewSource()
            .withComponent(StatusWriter.FIELD_MANAGER)
            .endSource()
            .withReportingComponent(StatusWriter.FIELD_MANAGER)
            .build();
    try {
      client.v1().events().inNamespace(metadata.getNamespace()).resource(written).create();
    } catch (KubernetesClientException lost) {
      LOG.warn("Cannot write the event {}: {}", event.reason(), lost.getMessage());
    }
  }
}
