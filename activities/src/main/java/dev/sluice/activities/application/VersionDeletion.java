package dev.sluice.activities.application;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.cluster.PodsGone;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Removes the cluster of a version: its Deployments with what they own, then, once no pod is left
 * that could still write to it, Flink's high-availability metadata and the Services. One instance
 * for each attempt of the activity.
 */
final class VersionDeletion {

  private final KubernetesClient client;
  private final VersionReader reader;
  private final ResourceRef application;
  private final VersionRef version;
  private final boolean everything;
  private final PodsGone gone;
  private final Runnable stillPlanned;
  private final Deletion deletion;
  private final Clock clock;

  /**
   * @param request what is deleted
   * @param stillPlanned fails when it is not to be deleted any more; blocks
   */
  VersionDeletion(
      KubernetesClient client,
      VersionReader reader,
      ClusterAccess access,
      Request request,
      Runnable stillPlanned) {
    this.client = client;
    this.reader = reader;
    this.application = request.application();
    this.version = request.version();
    this.everything = request.everything();
    this.stillPlanned = stillPlanned;
    this.deletion = new Deletion(client);
    this.clock = access.clock();
    this.gone = new PodsGone(cluster(), access);
  }

  /**
   * @param application whose version
   * @param version the version
   * @param everything also what belongs to no version
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record Request(
      ResourceRef application, VersionRef version, boolean everything, long deadlineMs) {}

  /** Deletes the Deployments, if they are the application's and of this version. Blocks. */
  void begin() {
    EffectWindow window = EffectWindow.open(clock);
    List<Deployment> there = named();
    // only then: what is made after this look must not be deleted
    stillPlanned.run();
    there.forEach(this::check);
    there.stream()
        .filter(found -> Ownership.isRunning(found, application))
        .forEach(
            found -> {
              window.check();
              deletion.deleteAfterItsOwn(found);
            });
  }

  /** By label, and by name: a label may have been taken away. */
  private List<Deployment> named() {
    List<Deployment> labelled = reader.deployments(cluster());
    Stream<Deployment> named =
        Stream.of(VersionNames.jobManager(version), VersionNames.taskManagers(version))
            .filter(
                name -> labelled.stream().noneMatch(it -> it.getMetadata().getName().equals(name)))
            .map(
                name ->
                    KubernetesFailure.translate(
                        "read Deployment " + name,
                        () ->
                            client
                                .apps()
                                .deployments()
                                .inNamespace(application.namespace())
                                .withName(name)
                                .get()))
            .filter(Objects::nonNull);
    return Stream.concat(labelled.stream(), named).toList();
  }

  private void check(Deployment found) {
    if (Ownership.of(found, application) == Ownership.SOMEBODY_ELSE) {
      throw Ownership.taken(found, application);
    }
    boolean stays = Ownership.isRunning(found, application);
    if (stays && !everything && !VersionObjects.isOf(found, version)) {
      throw VersionOutdated.failure(
          "Deployment %s is of another version than %s"
              .formatted(found.getMetadata().getName(), version.display()));
    }
  }

  /** Whether all of it is gone. */
  ProbeResult<Void> look() {
    return gone.look(this::finish);
  }

  /**
   * What is deleted was listed while there was no Deployment: a call that comes late, when another
   * attempt has finished and the same cluster was made again, must not delete that one's.
   */
  private ProbeResult<Void> finish() {
    EffectWindow window = EffectWindow.open(clock);
    List<ConfigMap> metadata = reader.highAvailability(cluster());
    List<Service> services = services();
    List<? extends HasMetadata> ingresses = ingresses();
    List<Deployment> left = reader.ofApplication(application.namespace(), application.name());
    stillPlanned.run();
    if (left.stream().anyMatch(this::isOfCluster)) {
      return ProbeResult.failed(
          FailureType.OUTDATED,
          "cluster %s was made again while it was being deleted".formatted(cluster().display()));
    }
    Stream.of(
            metadata.stream(),
            services.stream().filter(service -> isToGo(service, left)),
            ingresses.stream().filter(ingress -> isGenericToGo(ingress, left)))
        .<HasMetadata>flatMap(Function.identity())
        .forEach(
            found -> {
              window.check();
              deletion.delete(found);
            });
    return ProbeResult.done(null);
  }

  private boolean isOfCluster(Deployment deployment) {
    return new VersionMembership().cluster(deployment).equals(cluster().display());
  }

  private boolean isToGo(Service service, List<Deployment> left) {
    String name = service.getMetadata().getName();
    return isOfVersion(service, name) || isGenericToGo(service, left);
  }

  private boolean isOfVersion(Service service, String name) {
    return name.equals(version.cluster())
        || name.equals(VersionNames.cluster(application.name(), version.hash()))
        || version.cluster().equals(Annotations.of(service, ApplicationLabels.CLUSTER));
  }

  /** What belongs to a colour goes with the last version of that colour. */
  private boolean isGenericToGo(HasMetadata object, List<Deployment> left) {
    if (everything) {
      return true;
    }
    return version.colour() != null
        && object
            .getMetadata()
            .getName()
            .equals(VersionNames.generic(application.name(), version.colour()))
        && left.stream()
            .noneMatch(
                it ->
                    version
                        .colour()
                        .wire()
                        .equals(Labels.of(it, ApplicationLabels.FLINK_APPLICATION_VERSION)));
  }

  private List<Service> services() {
    return KubernetesFailure.translate(
        "list the Services of FlinkApplication " + application.display(),
        () ->
            client
                .services()
                .inNamespace(application.namespace())
                .withLabel(ApplicationLabels.FLINK_APP, application.name())
                .list()
                .getItems()
                .stream()
                .filter(it -> Ownership.of(it, application) == Ownership.OURS)
                .toList());
  }

  private List<? extends HasMetadata> ingresses() {
    return everything || version.colour() != null
        ? KubernetesFailure.translate(
            "list the Ingresses of FlinkApplication " + application.display(),
            () ->
                client
                    .network()
                    .v1()
                    .ingresses()
                    .inNamespace(application.namespace())
                    .withLabel(ApplicationLabels.FLINK_APP, application.name())
                    .list()
                    .getItems()
                    .stream()
                    .filter(it -> Ownership.of(it, application) == Ownership.OURS)
                    .toList())
        : List.of();
  }

  private ClusterRef cluster() {
    return new ClusterRef(application.namespace(), version.cluster());
  }
}
