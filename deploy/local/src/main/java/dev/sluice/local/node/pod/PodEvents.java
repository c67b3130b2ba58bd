package dev.sluice.local.node.pod;

import dev.sluice.local.node.status.Times;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events on pods, as in {@code kubectl describe pod}. The same event on a pod is written once. */
public final class PodEvents {
  private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);
  private static final int REMEMBERED = 512;

  private final KubernetesClient client;
  private final String node;
  private final Executor executor;
  private final Clock clock;
  private final Map<Key, Boolean> written =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  private record Key(String uid, String reason, String message) {}

  /**
   * @param executor writes them: nothing waits for an event
   */
  public PodEvents(KubernetesClient client, String node, Executor executor, Clock clock) {
    this.client = client;
    this.node = node;
    this.executor = executor;
    this.clock = clock;
  }

  /** Something went as it should. */
  public void normal(Pod pod, String reason, String message) {
    write(pod, "Normal", reason, message);
  }

  /** A warning. */
  public void warning(Pod pod, String reason, String message) {
    write(pod, "Warning", reason, message);
  }

  private void write(Pod pod, String type, String reason, String message) {
    Key key = new Key(pod.getMetadata().getUid(), reason, message);
    if (written.put(key, Boolean.TRUE) == null) {
      executor.execute(() -> create(pod, type, reason, message));
    }
  }

  private void create(Pod pod, String type, String reason, String message) {
    String now = Times.text(clock.instant());
    try {
      client
          .v1()
          .events()
          .inNamespace(pod.getMetadata().getNamespace())
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withGenerateName(pod.getMetadata().getName() + ".")
                  .withNamespace(pod.getMetadata().getNamespace())
                  .endMetadata()
                  .withNewInvolvedObject()
                  .withApiVersion("v1")
                  .withKind("Pod")
                  .withNamespace(pod.getMetadata().getNamespace())
                  .withName(pod.getMetadata().getName())
                  .withUid(pod.getMetadata().getUid())
                  .endInvolvedObject()
                  .withType(type)
                  .withReason(reason)
                  .withMessage(message)
                  .withNewSource("kubelet", node)
                  .withReportingComponent("kubelet")
                  .withReportingInstance(node)
                  .withFirstTimestamp(now)
                  .withLastTimestamp(now)
                  .withCount(1)
                  .build())
          .create();
    } catch (KubernetesClientException e) {
      LOG.debug("Event {} on pod {} was not written", reason, pod.getMetadata().getName(), e);
    }
  }
}
