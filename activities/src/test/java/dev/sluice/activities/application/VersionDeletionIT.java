package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.Colour;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cluster of a version goes, and nothing else does. */
@ExtendWith(ApiServer.Extension.class)
class VersionDeletionIT {

  private final AtomicInteger asked = new AtomicInteger();
  private KubernetesClient admin;
  private KubernetesClient worker;
  private VersionRig rig;
  private VersionTarget old;
  private VersionTarget next;

  @BeforeEach
  void makeTwoVersions(ApiServer server) throws IOException {
    admin = server.client();
    worker = WorkerClient.of(server);
    rig =
        new VersionRig(
            admin,
            worker,
            server.namespace(),
            new ApplicationOptions("{{$jobCluster}}.example.com", null, null));
    old = rig.target();
    next = rig.target(VersionRig.SPEC.withRestartNonce("2"));
    rig.clusters.create(() -> old);
    rig.clusters.create(() -> next);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** Another attempt has deleted it, and the workflow has gone on and made it again. */
  @Test
  void aClusterThatWasMadeAgainSinceItWasPlannedStays() {
    VersionDeletion late =
        new VersionDeletion(
            worker,
            rig.reader,
            rig.access,
            request(old, false),
            () -> {
              if (asked.incrementAndGet() == 1) {
                ProbeResult<Void> unused = deleted(old, false);
                rig.clusters.create(() -> old);
              }
            });

    late.begin();

    assertThat(rig.jobManager(old).getMetadata().getDeletionTimestamp()).isNull();
    assertThat(rig.serviceNames()).contains(old.version().cluster());
  }

  /** Another attempt has begun meanwhile. */
  @Test
  void nothingIsDeletedOnceTheStatusWasReadTooLongAgo() {
    metadata(old);
    VersionDeletion slow =
        new VersionDeletion(
            worker,
            rig.reader,
            rig.access,
            request(old, false),
            () -> rig.clock.advance(Duration.ofSeconds(7)));

    assertType(KubernetesFailure.UNAVAILABLE, slow::begin);
    assertThat(rig.jobManager(old).getMetadata().getDeletionTimestamp()).isNull();
    assertThat(rig.taskManagers(old).getMetadata().getDeletionTimestamp()).isNull();

    admin.resource(rig.jobManager(old)).delete();
    admin.resource(rig.taskManagers(old)).delete();
    assertThatThrownBy(slow::look).isInstanceOf(RuntimeException.class);
    assertThat(configMaps()).hasSize(1);
    assertThat(rig.serviceNames()).contains(old.version().cluster());
  }

  @Test
  void onlyThatVersionGoes() {
    ProbeResult<Void> end = deleted(old, false);

    assertThat(end).isEqualTo(ProbeResult.done(null));
    assertThat(rig.clusters.look(rig.ref, old.version()).isThere()).isFalse();
    assertThat(rig.clusters.look(rig.ref, next.version()).isThere()).isTrue();
    assertThat(rig.serviceNames()).containsExactly("wordcount", next.version().cluster());
    assertThat(ingresses()).containsExactly("wordcount");
    assertThat(rig.clusters.leftovers(rig.ref, Set.of())).containsExactly(next.version());
  }

  @Test
  void whatIsNotThereIsDone() {
    assertThat(deleted(old, false)).isEqualTo(ProbeResult.done(null));
    assertThat(deleted(old, false)).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void everythingIsAlsoWhatBelongsToNoVersion() {
    ProbeResult<Void> unused = deleted(old, true);

    assertThat(rig.serviceNames()).isEmpty();
    assertThat(ingresses()).isEmpty();
  }

  @Test
  void itsPodsAreWaitedFor() {
    Deployment jobManager = rig.jobManager(old);
    Pod pod = admin.resource(VersionRig.jobManagerPod(jobManager)).create();
    VersionDeletion deletion = deletion(old, false);
    deletion.begin();
    collect(old);

    assertThat(deletion.look()).isEqualTo(ProbeResult.notYet("1 pods left: jm-1"));

    admin.resource(pod).withGracePeriod(0).delete();
    assertThat(deletion.look()).isEqualTo(ProbeResult.done(null));
  }

  /** W21: Lyft's operator leaves it. */
  @Test
  void itsHighAvailabilityMetadataGoesOnceNoPodIsLeft() {
    metadata(old);
    metadata(next);
    Pod pod = admin.resource(VersionRig.jobManagerPod(rig.jobManager(old))).create();
    VersionDeletion deletion = deletion(old, false);
    deletion.begin();
    collect(old);
    ProbeResult<Void> unused = deletion.look();
    assertThat(configMaps()).hasSize(2);

    admin.resource(pod).withGracePeriod(0).delete();
    assertThat(deletion.look()).isEqualTo(ProbeResult.done(null));

    assertThat(configMaps()).containsExactly(next.version().cluster() + "-cluster-config-map");
  }

  @Test
  void itIsAskedAgainBeforeTheMetadataGoes() {
    metadata(old);
    VersionDeletion deletion =
        new VersionDeletion(
            worker,
            rig.reader,
            rig.access,
            request(old, false),
            () -> {
              if (asked.incrementAndGet() > 1) {
                throw VersionOutdated.failure("the status stands otherwise");
              }
            });
    deletion.begin();
    collect(old);

    assertThat(Looks.at(deletion::look))
        .isEqualTo(ProbeResult.failed(FailureType.OUTDATED, "the status stands otherwise"));
    assertThat(configMaps()).hasSize(1);
  }

  @Test
  void aClusterOfThatNameWithAnotherHashStays() {
    admin
        .resource(rig.jobManager(old))
        .edit(
            it -> {
              it.getMetadata().getAnnotations().put(ApplicationLabels.FULL_HASH, "another");
              return it;
            });

    assertType(FailureType.OUTDATED, () -> deletion(old, false).begin());
    assertThat(rig.jobManager(old).getMetadata().getDeletionTimestamp()).isNull();
    assertThat(rig.taskManagers(old).getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void whatIsSomebodyElsesStays() {
    admin
        .resource(rig.jobManager(old))
        .edit(
            it -> {
              it.getMetadata().setOwnerReferences(List.of());
              return it;
            });

    assertType(FailureType.NAME_TAKEN, () -> deletion(old, true).begin());
    assertThat(rig.jobManager(old).getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void aCopyOfItsServiceGoesWithItsCluster() {
    var larger = VersionRig.SPEC.withParallelism(9);
    VersionTarget scaled =
        rig.target(larger, rig.clusters.nameInPlace(rig.ref, larger, 2, old.version()));
    rig.clusters.scale(() -> scaled);

    ProbeResult<Void> unused = deleted(scaled, false);

    assertThat(rig.serviceNames()).containsExactly("wordcount", next.version().cluster());
  }

  @Test
  void whatBelongsToAColourGoesWithItsVersion() {
    VersionTarget green =
        rig.target(
            VersionRig.SPEC.withRestartNonce("3"),
            rig.clusters.name(rig.ref, VersionRig.SPEC.withRestartNonce("3"), 1, Colour.GREEN));
    rig.clusters.create(() -> green);
    assertThat(rig.serviceNames()).contains("wordcount-green");

    ProbeResult<Void> unused = deleted(green, false);

    assertThat(rig.serviceNames()).doesNotContain("wordcount-green").contains("wordcount");
    assertThat(ingresses()).containsExactly("wordcount");
  }

  private ProbeResult<Void> deleted(VersionTarget target, boolean everything) {
    VersionDeletion deletion = deletion(target, everything);
    deletion.begin();
    collect(target);
    return deletion.look();
  }

  private VersionDeletion deletion(VersionTarget target, boolean everything) {
    return new VersionDeletion(
        worker, rig.reader, rig.access, request(target, everything), asked::incrementAndGet);
  }

  private VersionDeletion.Request request(VersionTarget target, boolean everything) {
    return new VersionDeletion.Request(
        rig.ref, target.version(), everything, rig.clock.in(Duration.ofMinutes(5)));
  }

  /** What the garbage collector does; none runs here. */
  private void collect(VersionTarget target) {
    for (Deployment it : Arrays.asList(rig.jobManager(target), rig.taskManagers(target))) {
      if (it != null) {
        Deployment unused =
            admin
                .resource(it)
                .edit(
                    there -> {
                      there.getMetadata().setFinalizers(List.of());
                      return there;
                    });
      }
    }
  }

  /** As Flink makes it: with labels of its own, and without an owner. */
  private void metadata(VersionTarget target) {
    var unused =
        admin
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(rig.ref.namespace())
                    .withName(target.version().cluster() + "-cluster-config-map")
                    .withLabels(
                        Map.of(
                            "app",
                            target.version().cluster(),
                            "configmap-type",
                            "high-availability",
                            "type",
                            "flink-native-kubernetes"))
                    .endMetadata()
                    .build())
            .create();
  }

  private List<String> configMaps() {
    return admin.configMaps().inNamespace(rig.ref.namespace()).list().getItems().stream()
        .map(it -> it.getMetadata().getName())
        .filter(name -> name.endsWith("-config-map"))
        .toList();
  }

  private List<String> ingresses() {
    return admin
        .network()
        .v1()
        .ingresses()
        .inNamespace(rig.ref.namespace())
        .list()
        .getItems()
        .stream()
        .map(it -> it.getMetadata().getName())
        .toList();
  }

  private static void assertType(String type, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(type));
  }
}
