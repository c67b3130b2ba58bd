package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.common.SingleTry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;

/** Creates FlinkStateSnapshots whose names say which they are, so that none is made twice. */
public final class SnapshotCreation {

  private final KubernetesClient client;

  /**
   * @param client stays the caller's to close
   */
  public SnapshotCreation(KubernetesClient client) {
    this.client = SingleTry.of(client);
  }

  /**
   * Creates it, in one try, unless it is there.
   *
   * @throws ApplicationFailure as {@link KubernetesFailure#told}
   */
  public void create(FlinkStateSnapshot snapshot) {
    KubernetesFailure.told(
        "make FlinkStateSnapshot %s/%s"
            .formatted(snapshot.getMetadata().getNamespace(), snapshot.getMetadata().getName()),
        () -> createOnce(snapshot));
  }

  private void createOnce(FlinkStateSnapshot snapshot) {
    try {
      FlinkStateSnapshot unused = client.resource(snapshot).create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw failed;
      }
    }
  }
}
