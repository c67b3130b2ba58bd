package dev.sluice.activities.snapshot;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.snapshot.SnapshotSubject.InOwner;
import dev.sluice.activities.snapshot.SnapshotSubject.OfHistory;
import dev.sluice.activities.snapshot.SnapshotSubject.OfResource;
import dev.sluice.activities.snapshot.SnapshotSubject.OfStatus;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Snapshots as the API server has them. Every method blocks for one call, or a few. */
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

  /**
   * This very instance; on a lane without a resource what it takes now, else what it took last.
   * Fails with {@code ResourceGone} when there is none any more.
   */
  FlinkStateSnapshot read(ResourceRef ref) {
    return now(ref).snapshot();
  }

  /** The same, with where it stands. */
  SnapshotSubject now(ResourceRef ref) {
    return subject(ref, FailureType.RESOURCE_GONE, OfStatus::now);
  }

  /** The same, but on a lane without a resource first of all what goes next in the history. */
  FlinkStateSnapshot toDispose(ResourceRef ref) {
    return next(ref).snapshot();
  }

  /** The same, with where it stands. */
  SnapshotSubject next(ResourceRef ref) {
    return subject(
        ref,
        FailureType.RESOURCE_GONE,
        (owner, type) -> OfHistory.of(owner, type).or(() -> OfStatus.now(owner, type)));
  }

  /** The same, to be changed; the newest that was begun on a lane without a resource. */
  SnapshotSubject begun(ResourceRef ref) {
    return subject(
        ref,
        FailureType.RESOURCE_GONE,
        (owner, type) -> OfStatus.begun(owner, type).or(() -> OfStatus.now(owner, type)));
  }

  /**
   * The same, to be changed; fails with {@code Outdated} when the status of a lane without a
   * resource has it no more: a run that was reset may ask for it.
   *
   * @param uid of the snapshot
   */
  SnapshotSubject of(ResourceRef ref, String uid) {
    return subject(ref, FailureType.OUTDATED, (owner, type) -> OfStatus.of(owner, type, uid));
  }

  /**
   * What goes next in the history of a lane without a resource; empty when that is another one now.
   *
   * @param uid of the snapshot
   * @param keptAt when its files could not be deleted; null when they are gone, or left for good
   */
  Optional<SnapshotSubject> removed(ResourceRef lane, String uid, @Nullable String keptAt) {
    FlinkDeployment owner = owner(lane);
    return owner
        .getStatus()
        .savepointToRemove()
        .map(it -> (SnapshotSubject) new OfHistory(owner, it, keptAt))
        .filter(it -> it.snapshot().getMetadata().getUid().equals(uid));
  }

  private SnapshotSubject subject(
      ResourceRef ref,
      String otherwise,
      BiFunction<FlinkDeployment, SnapshotType, Optional<SnapshotSubject>> choice) {
    Optional<SnapshotType> type = StatusLane.typeOf(ref);
    if (type.isEmpty()) {
      return new OfResource(resources.get(TYPE, ref, FlinkStateSnapshot.class));
    }
    return choice
        .apply(owner(ref), type.get())
        .orElseThrow(
            () ->
                ApplicationFailure.newNonRetryableFailure(
                    "the status of %s says nothing of that %s any more"
                        .formatted(ref.display(), type.get().word()),
                    otherwise));
  }

  /** What runs the job of a snapshot without a resource. */
  FlinkDeployment owner(ResourceRef lane) {
    return resources.get(FlinkDeploymentStore.TYPE, StatusLane.owner(lane), FlinkDeployment.class);
  }

  /**
   * Writes its outcome, only onto the very version that was read.
   *
   * @return what has the status, as it is then
   */
  GenericKubernetesResource write(SnapshotSubject subject, FlinkStateSnapshotStatus outcome) {
    GenericKubernetesResource body =
        body(subject.type(), subject.metadata(), subject.status(outcome));
    GenericKubernetesResource written = apply(subject.type(), body, subject.fieldManager());
    return subject.info().map(it -> ours(it, body, written)).orElse(written);
  }

  /** Writes what the status of a job's resource says of snapshots, as {@link #write}. */
  void write(FlinkDeployment owner, FlinkDeploymentStatus status) {
    ResourceType type = FlinkDeploymentStore.TYPE;
    GenericKubernetesResource unused =
        apply(type, body(type, owner.getMetadata(), status), InOwner.FIELD_MANAGER);
  }

  private GenericKubernetesResource body(ResourceType type, ObjectMeta read, Object status) {
    return Apply.status(
        type, read, client.getKubernetesSerialization().convertValue(status, Map.class));
  }

  private GenericKubernetesResource apply(
      ResourceType type, GenericKubernetesResource body, String fieldManager) {
    return client
        .genericKubernetesResources(type.definition())
        .inNamespace(body.getMetadata().getNamespace())
        .resource(body)
        .subresource("status")
        .patch(Apply.context(fieldManager));
  }

  /**
   * What another manager wrote (Apache's operator, before we took over) survives an apply that
   * leaves it out, and would be said of another snapshot.
   */
  private GenericKubernetesResource ours(
      Class<?> info, GenericKubernetesResource sent, GenericKubernetesResource written) {
    String field = info == SavepointInfo.class ? "savepointInfo" : "checkpointInfo";
    Object wanted = info(sent, field, info);
    if (wanted == null || wanted.equals(info(written, field, info))) {
      return written;
    }
    List<Map<String, Object>> replace =
        List.of(Map.of("op", "replace", "path", "/status/jobStatus/" + field, "value", wanted));
    return client
        .resource(sent)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON), client.getKubernetesSerialization().asJson(replace));
  }

  private @Nullable Object info(GenericKubernetesResource of, String field, Class<?> type) {
    Object said = of.get("status", "jobStatus", field);
    return said == null ? null : client.getKubernetesSerialization().convertValue(said, type);
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

  /**
   * Those of the job that a resource runs, found by their labels; empty where the API server does
   * not know FlinkStateSnapshots.
   */
  Optional<List<FlinkStateSnapshot>> of(ResourceRef owner) {
    return KubernetesFailure.told(
        "list the FlinkStateSnapshots of " + owner.display(),
        () -> {
          try {
            return Optional.of(
                client
                    .resources(FlinkStateSnapshot.class)
                    .inNamespace(owner.namespace())
                    .withLabel(SnapshotLabels.REFERENCE_KIND, owner.kind())
                    .withLabel(SnapshotLabels.REFERENCE_NAME, owner.name())
                    .list()
                    .getItems());
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
              throw failed;
            }
            return Optional.empty();
          }
        });
  }

  /**
   * Every other snapshot of the namespace, read page by page, also those without a resource.
   *
   * @param uid of the snapshot
   */
  List<FlinkStateSnapshot> others(String namespace, String uid) {
    List<FlinkStateSnapshot> others = new ArrayList<>();
    new AllResources<>(client, FlinkStateSnapshot.class, Set.of())
        .forEachServedIn(namespace, others::add);
    new AllResources<>(client, FlinkDeployment.class, Set.of())
        .forEachIn(
            namespace,
            owner ->
                Stream.of(SnapshotType.values())
                    .flatMap(type -> OfStatus.known(owner, type))
                    .forEach(others::add));
    others.removeIf(it -> uid.equals(it.getMetadata().getUid()));
    return others;
  }
}
