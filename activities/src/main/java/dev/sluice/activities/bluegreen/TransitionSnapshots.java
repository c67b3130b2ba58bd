package dev.sluice.activities.bluegreen;

import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.Labels;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * The FlinkStateSnapshots of transitions. Each belongs to its parent, and goes with it; its files
 * stay. Its name is none that the history of its job counts, so that nobody cleans it up early.
 */
final class TransitionSnapshots {

  private static final ResourceType TYPE =
      new ResourceType(
          FlinkStateSnapshot.GROUP,
          FlinkStateSnapshot.VERSION,
          FlinkStateSnapshot.KIND,
          FlinkStateSnapshot.PLURAL);

  /** So many of one parent stay, the newest: more to look at than to start from. */
  private static final int KEPT = 2;

  /** So many attempts may fail: a transition does not try for ever while a job runs well. */
  private static final int FAILURES = 2;

  private static final String FORMAT = "kubernetes.operator.savepoint.format.type";
  private static final int SHORT = 8;

  private final KubernetesClient client;
  private final CustomResources resources;

  TransitionSnapshots(KubernetesClient client) {
    this.client = client;
    this.resources = new CustomResources(client);
  }

  /**
   * The one of a transition: the same for the same transition, and no other's.
   *
   * @param live the resource whose job it is of
   * @param configuration of that, over the operator's defaults
   */
  static FlinkStateSnapshot of(
      FlinkBlueGreenDeployment parent,
      Begun transition,
      HasMetadata live,
      FlinkConfiguration configuration) {
    boolean isNative =
        "NATIVE".equals(configuration.getOrDefault(FORMAT, "").trim().toUpperCase(Locale.ROOT));
    ObjectMeta of = parent.getMetadata();
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(
                live instanceof FlinkSessionJob
                    ? JobKind.FLINK_SESSION_JOB
                    : JobKind.FLINK_DEPLOYMENT,
                live.getMetadata().getName()),
            new SavepointSpec(
                null,
                isNative ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL,
                false,
                null),
            null,
            FAILURES));
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(of.getNamespace())
            .withName(name(of, transition))
            .addToLabels(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE)
            .addToLabels(FlinkBlueGreenDeployment.LABEL, of.getName())
            // of this very child, and not of a later one of its name
            .addToLabels(SnapshotLabels.REFERENCE_UID, live.getMetadata().getUid())
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion(FlinkBlueGreenDeployment.API_VERSION)
                    .withKind(FlinkBlueGreenDeployment.KIND)
                    .withName(of.getName())
                    .withUid(of.getUid())
                    .withController(true)
                    .build())
            .build());
    snapshot.getMetadata().getLabels().putAll(SnapshotLabels.of(snapshot));
    return snapshot;
  }

  private static String name(ObjectMeta parent, Begun transition) {
    String all =
        "%s %d %d".formatted(parent.getUid(), transition.generation(), transition.sinceMs());
    return "%s-transition-%s"
        .formatted(
            parent.getName(),
            UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, SHORT));
  }

  /** Makes it, unless an earlier try has. */
  void create(FlinkStateSnapshot snapshot, String parent) {
    String name = snapshot.getMetadata().getName();
    KubernetesFailure.translate(
        "make FlinkStateSnapshot %s/%s".formatted(snapshot.getMetadata().getNamespace(), name),
        () -> {
          try {
            FlinkStateSnapshot unused = client.resource(snapshot).create();
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
              throw failed;
            }
            boolean others =
                find(snapshot.getMetadata().getNamespace(), name)
                    .filter(it -> !ChildReading.isOwned(it.getMetadata(), parent))
                    .isPresent();
            if (others) {
              throw ApplicationFailure.newNonRetryableFailure(
                  "FlinkStateSnapshot %s exists, and was not made for this resource"
                      .formatted(name),
                  FailureType.NAME_TAKEN);
            }
          }
        });
  }

  /** The one of that name; empty when there is none. */
  Optional<FlinkStateSnapshot> find(String namespace, String name) {
    return resources.find(TYPE, namespace, name, FlinkStateSnapshot.class);
  }

  /** Deletes those of earlier transitions, but for the newest few. Files stay. */
  void deleteOlder(ResourceRef parent) {
    List<FlinkStateSnapshot> all =
        KubernetesFailure.translate(
            "list the FlinkStateSnapshots of " + parent.display(),
            () ->
                client
                    .resources(FlinkStateSnapshot.class)
                    .inNamespace(parent.namespace())
                    .withLabel(FlinkBlueGreenDeployment.LABEL, parent.name())
                    .list()
                    .getItems());
    Deletion deletion = new Deletion(client);
    all.stream()
        .filter(it -> ChildReading.isOwned(it.getMetadata(), parent.uid()))
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> !it.getSpec().isDisposedWithResource())
        .sorted(
            Comparator.comparing((FlinkStateSnapshot it) -> it.getMetadata().getCreationTimestamp())
                .thenComparing(it -> it.getMetadata().getName())
                .reversed())
        .skip(KEPT)
        .forEach(deletion::delete);
  }
}
