package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.Labels;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Creates FlinkStateSnapshots whose names say which they are, so that none is made twice. */
public final class SnapshotCreation {

  /** What says for which resource, and why, Sluice made one. */
  private static final List<String> SAME =
      List.of(Labels.MANAGED_BY, Labels.REFERENCE_UID, SnapshotLabels.TRIGGER_TYPE);

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
   * @throws ApplicationFailure as {@link KubernetesFailure#told}; {@code NameTaken}: another one
   *     has its name, and is left alone
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
      FlinkStateSnapshot there = client.resource(snapshot).get();
      if (there == null) {
        throw failed; // it went meanwhile, or the conflict is another one
      }
      mustBeOurs(snapshot, there);
    }
  }

  /** Made by an earlier try, and not by somebody else under the same name. */
  private static void mustBeOurs(FlinkStateSnapshot wanted, FlinkStateSnapshot there) {
    Map<String, String> labels = there.getMetadata().getLabels();
    boolean ours =
        labels != null
            && SAME.stream()
                .allMatch(
                    it -> Objects.equals(labels.get(it), wanted.getMetadata().getLabels().get(it)));
    if (!ours) {
      throw ApplicationFailure.newNonRetryableFailure(
          "FlinkStateSnapshot %s exists, and was not made for this resource"
              .formatted(wanted.getMetadata().getName()),
          FailureType.NAME_TAKEN);
    }
  }
}
