package dev.sluice.controller.sessionjob;

import dev.sluice.api.Labels;
import dev.sluice.api.common.KubernetesNames;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.common.MetadataPatch;
import dev.sluice.controller.common.SingleTry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the label of a session job that names its session cluster, so that people can list the jobs
 * on it. Writes only when it differs.
 */
final class SessionClusterLabel {

  private static final Logger LOG = LoggerFactory.getLogger(SessionClusterLabel.class);

  private final MetadataPatch metadata;

  /**
   * @param client stays the caller's to close
   */
  SessionClusterLabel(KubernetesClient client) {
    this.metadata = new MetadataPatch(SingleTry.of(client));
  }

  /** Puts it right; where that is refused, the next reconciliation tries again. */
  void keep(FlinkSessionJob resource) {
    String cluster = Objects.requireNonNullElse(resource.getSpec().deploymentName(), "");
    if (cluster.isEmpty() || !KubernetesNames.isLabelValue(cluster)) {
      return;
    }
    try {
      FlinkSessionJob unused = metadata.label(resource, Map.of(Labels.TARGET_SESSION, cluster));
    } catch (KubernetesClientException refused) {
      LOG.debug("No label {} yet: {}", Labels.TARGET_SESSION, refused.getMessage());
    }
  }
}
