package dev.sluice.controller.reconcile;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.status.StatusEvent;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notices as Kubernetes events. An event that cannot be written is logged, no more. */
final class EventWriter {

  private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

  /** The API server's bound, in characters. */
  private static final int LONGEST = 1024;

  private final KubernetesClient client;
  private final Clock clock;

  EventWriter(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  void write(FlinkDeployment resource, StatusEvent notice) {
    LOG.info("{}: {}", notice.reason(), notice.message());
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String namespace = resource.getMetadata().getNamespace();
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withGenerateName(resource.getMetadata().getName() + ".")
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(FlinkDeployment.API_VERSION)
            .withKind(FlinkDeployment.KIND)
            .withNamespace(namespace)
            .withName(resource.getMetadata().getName())
            .withUid(resource.getMetadata().getUid())
            .withResourceVersion(resource.getMetadata().getResourceVersion())
            .endInvolvedObject()
            .withType(notice.warning() ? "Warning" : "Normal")
            .withReason(notice.reason())
            .withMessage(shortened(notice.message()))
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withCount(1)
            .withNewSource()
            .withComponent(ControllerStatusWriter.FIELD_MANAGER)
            .endSource()
            .withReportingComponent(ControllerStatusWriter.FIELD_MANAGER)
            .build();
    try {
      client.v1().events().inNamespace(namespace).resource(event).create();
    } catch (KubernetesClientException lost) {
      LOG.warn("the event {} could not be written: {}", notice.reason(), lost.getMessage());
    }
  }

  private static String shortened(String message) {
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST - 3) + "...";
  }
}
