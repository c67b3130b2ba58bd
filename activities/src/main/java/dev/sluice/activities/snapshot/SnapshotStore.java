package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots as the API server has them: as resources of their own, or in the status of what runs
 * the job. Every method blocks for one call, or a few.
 */
public final class SnapshotStore {

  /** How the API server knows the kind. */
  static final ResourceType TYPE =
      new ResourceType(
          FlinkStateSnapshot.GROUP,
          FlinkStateSnapshot.VERSION,
          FlinkStateSnapshot.KIND,
          FlinkStateSnapshot.PLURAL);

  /** Not the field manager of operations: each applies all of its own fields, and no others. */
  private static final String IN_STATUS = "sluice-snapshots";

  private final KubernetesClient client;
  private final CustomResources resources;
  private final ResourceStores owners;

  /**
   * @param owners of the kinds that run jobs
   */
  public SnapshotStore(KubernetesClient client, ResourceStores owners) {
    this.client = client;
    this.resources = new CustomResources(client);
    this.owners = owners;
  }

  /**
   * A snapshot as it was read.
   *
   * @param snapshot the resource, or what it would be
   * @param inStatus where it is without a resource; null for a resource
   */
  record Stored(FlinkStateSnapshot snapshot, @Nullable InStatus inStatus) {}

  /**
   * The place of a snapshot without a resource.
   *
   * @param owner runs the job
   * @param told as the status has it, or will have it
   */
  record InStatus(JobResource owner, SnapshotType type, StatusSnapshot told) {

    private Stored stored() {
      return new Stored(
          SnapshotInStatus.resource(told, type, JobKind.of(owner.type().kind()), owner.metadata()),
          this);
    }
  }

  /**
   * This very instance; on the lane of a status the newest one.
   *
   * @throws ApplicationFailure {@code ResourceGone} when there is none any more
   */
  Stored read(ResourceRef ref) {
    Optional<SnapshotType> type = StatusLane.typeOf(ref);
    if (type.isEmpty()) {
      return new Stored(resources.get(TYPE, ref, FlinkStateSnapshot.class), null);
    }
    JobResource owner = owner(ref);
    StatusSnapshot told = owner.status().snapshotsOrNone().of(type.get());
    if (told == null) {
      throw ApplicationFailure.newNonRetryableFailure(
          "the status of %s has no %s any more".formatted(ref.display(), type.get().word()),
          FailureType.RESOURCE_GONE);
    }
    return new InStatus(owner, type.get(), told).stored();
  }

  /** What runs the job of a snapshot without a resource. */
  JobResource owner(ResourceRef lane) {
    ResourceRef owner = StatusLane.owner(lane);
    return owners.of(owner).whole(owner);
  }

  /**
   * Writes the workflow's part of the status before there is a run, in one call: pending, or
   * completed for a savepoint that exists. The field manager of the workflow owns it afterwards.
   *
   * @param read a snapshot without a state
   * @return the resource as it is then
   * @throws KubernetesClientException code 409 when {@code read} is not the newest version
   */
  public FlinkStateSnapshot begin(FlinkStateSnapshot read) {
    SavepointSpec savepoint = read.getSpec().savepoint();
    FlinkStateSnapshotStatus begun = FlinkStateSnapshotStatus.EMPTY.attempts();
    if (savepoint != null && savepoint.exists()) {
      begun =
          begun
              .withState(SnapshotState.COMPLETED)
              .withPath(savepoint.pathOrNull())
              .withResultTimestamp(read.getMetadata().getCreationTimestamp());
    }
    GenericKubernetesResource written =
        write(new Stored(read, null), begun.withOperation(read.getStatus().operation()));
    var serialization = client.getKubernetesSerialization();
    return serialization.unmarshal(serialization.asJson(written), FlinkStateSnapshot.class);
  }

  /** Writes the workflow's fields, all of them, only onto the very version that was read. */
  GenericKubernetesResource write(Stored stored, FlinkStateSnapshotStatus status) {
    InStatus in = stored.inStatus();
    if (in == null) {
      return apply(TYPE, stored.snapshot().getMetadata(), status, Apply.FIELD_MANAGER);
    }
    return write(
        in.owner(),
        SnapshotInfo.of(in.owner().status())
            .with(in.type(), in.told().withStatus(SnapshotInStatus.progress(status))));
  }

  /** Changes what the status of what runs a job has of snapshots, unless it is so already. */
  void change(ResourceRef owner, Clock clock, UnaryOperator<SnapshotInfo> change) {
    EffectWindow window = EffectWindow.open(clock);
    boolean unused =
        KubernetesFailure.translate(
            "write the status of " + owner.display(),
            () ->
                ConflictRetry.then(
                    window,
                    () -> owners.of(owner).whole(owner),
                    read -> {
                      SnapshotInfo before = SnapshotInfo.of(read.status());
                      SnapshotInfo after = change.apply(before);
                      return after.equals(before) || write(read, after) != null;
                    }));
  }

  /** Writes the snapshots in the status of what runs a job, as {@link #write(Stored,...)}. */
  GenericKubernetesResource write(JobResource owner, SnapshotInfo fields) {
    return apply(owner.type(), owner.metadata(), fields, IN_STATUS);
  }

  private GenericKubernetesResource apply(
      ResourceType type, ObjectMeta read, Object status, String fieldManager) {
    GenericKubernetesResource body =
        Apply.status(
            type, read, client.getKubernetesSerialization().convertValue(status, Map.class));
    return client
        .genericKubernetesResources(type.definition())
        .inNamespace(read.getNamespace())
        .resource(body)
        .subresource("status")
        .patch(Apply.context(fieldManager));
  }

  /**
   * Requests a snapshot in the status of what runs its job, from where its run takes it.
   *
   * @param read what runs the job
   * @param wanted the FlinkStateSnapshot that it would be
   * @param nonce that asked for it; null for none
   * @return false while another one of its type is being taken
   * @throws KubernetesClientException code 409 when {@code read} is not the newest version
   */
  public boolean request(JobResource read, FlinkStateSnapshot wanted, @Nullable Long nonce) {
    FlinkStateSnapshotSpec spec = wanted.getSpec();
    String name = wanted.getMetadata().getName();
    SnapshotType type = spec.type();
    StatusSnapshot before = read.status().snapshotsOrNone().of(type);
    if (before != null && name.equals(before.name())) {
      return true; // by an earlier try
    }
    if (before != null && before.isOpen()) {
      return false;
    }
    StatusSnapshot next =
        new StatusSnapshot(
            name,
            wanted.getMetadata().getLabels().get(SnapshotLabels.TRIGGER_TYPE),
            spec.formatType(),
            nonce,
            SnapshotInStatus.progress(FlinkStateSnapshotStatus.EMPTY.attempts()));
    GenericKubernetesResource unused = write(read, SnapshotInfo.of(read.status()).with(type, next));
    return true;
  }

  /**
   * Creates it, unless it is there.
   *
   * @return the resource; empty where the API server does not serve FlinkStateSnapshots
   * @throws ApplicationFailure {@code NameTaken} where somebody else has made one of its name, or
   *     as {@link KubernetesFailure} says
   */
  public Optional<FlinkStateSnapshot> create(FlinkStateSnapshot snapshot) {
    ObjectMeta metadata = snapshot.getMetadata();
    return KubernetesFailure.translate(
        "make FlinkStateSnapshot %s/%s".formatted(metadata.getNamespace(), metadata.getName()),
        () -> {
          try {
            return Optional.of(client.resource(snapshot).create());
          } catch (KubernetesClientException failed) {
            return switch (failed.getCode()) {
              case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
              case HttpURLConnection.HTTP_CONFLICT -> Optional.of(there(snapshot, failed));
              default -> throw failed;
            };
          }
        });
  }

  private FlinkStateSnapshot there(FlinkStateSnapshot wanted, KubernetesClientException conflict) {
    FlinkStateSnapshot there = client.resource(wanted).get();
    if (there == null) {
      throw conflict; // it went meanwhile
    }
    if (!RequestedSnapshot.isSame(there, wanted)) {
      throw ApplicationFailure.newNonRetryableFailure(
          "FlinkStateSnapshot %s exists, and was not made for this resource"
              .formatted(wanted.getMetadata().getName()),
          FailureType.NAME_TAKEN);
    }
    return there;
  }
}
