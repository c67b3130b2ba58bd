package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** FlinkStateSnapshots as the API server has them. Every method blocks for one call, or a few. */
final class SnapshotStore {

  /** How the API server knows the kind. */
  static final ResourceType TYPE =
      new ResourceType(
          FlinkStateSnapshot.GROUP,
          FlinkStateSnapshot.VERSION,
          FlinkStateSnapshot.KIND,
          FlinkStateSnapshot.PLURAL);

  private final KubernetesClient client;
  private final CustomResources resources;

  SnapshotStore(KubernetesClient client) {
    this.client = client;
    this.resources = new CustomResources(client);
  }

  /** This very instance; fails with {@code ResourceGone} when it does not exist any more. */
  FlinkStateSnapshot read(ResourceRef ref) {
    return resources.get(TYPE, ref, FlinkStateSnapshot.class);
  }

  /** Makes it, unless one of its name is there. */
  void create(FlinkStateSnapshot snapshot) {
    KubernetesFailure.told(
        "make FlinkStateSnapshot %s/%s"
            .formatted(snapshot.getMetadata().getNamespace(), snapshot.getMetadata().getName()),
        () -> {
          try {
            FlinkStateSnapshot unused = client.resource(snapshot).create();
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
              throw failed;
            }
          }
        });
  }

  /** Those of the job that a resource runs, found by their labels. */
  List<FlinkStateSnapshot> of(ResourceRef owner) {
    return KubernetesFailure.told(
        "list the FlinkStateSnapshots of " + owner.display(),
        () ->
            client
                .resources(FlinkStateSnapshot.class)
                .inNamespace(owner.namespace())
                .withLabel(SnapshotLabels.REFERENCE_KIND, owner.kind())
                .withLabel(SnapshotLabels.REFERENCE_NAME, owner.name())
                .list()
                .getItems());
  }

  /** Every other snapshot of the namespace, read page by page. */
  List<FlinkStateSnapshot> others(ResourceRef ref) {
    List<FlinkStateSnapshot> others = new ArrayList<>();
    new AllResources<>(client, FlinkStateSnapshot.class, Set.of())
        .forEachIn(
            ref.namespace(),
            it -> {
              if (!ref.uid().equals(it.getMetadata().getUid())) {
                others.add(it);
              }
            });
    return others;
  }
}
