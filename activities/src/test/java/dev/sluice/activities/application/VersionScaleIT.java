package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cluster of a version becomes that of a version with another parallelism, and back. */
@ExtendWith(ApiServer.Extension.class)
class VersionScaleIT {

  private static final FlinkApplicationSpec LARGER = VersionRig.SPEC.withParallelism(9);

  private KubernetesClient admin;
  private KubernetesClient worker;
  private VersionRig rig;
  private VersionTarget deployed;
  private VersionTarget larger;

  @BeforeEach
  void deploy(ApiServer server) throws IOException {
    admin = server.client();
    worker = WorkerClient.of(server);
    rig = new VersionRig(admin, worker, server.namespace());
    deployed = rig.target();
    rig.clusters.create(() -> deployed);
    VersionRef named = rig.clusters.nameInPlace(rig.ref, LARGER, 2, deployed.version());
    larger = rig.target(LARGER, named);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** The workflow may have gone on meanwhile. */
  @Test
  void nothingIsWrittenOnceTheStatusWasReadTooLongAgo() {
    assertThatThrownBy(() -> rig.clusters.scale(rig.readSlowly(larger)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(KubernetesFailure.UNAVAILABLE));
    assertThat(rig.taskManagers(larger).getSpec().getReplicas())
        .isEqualTo(rig.taskManagers(rig.target()).getSpec().getReplicas());
  }

  @Test
  void itHasTheTaskManagersAndTheHashOfTheNewVersion() {
    rig.clusters.scale(() -> larger);

    assertThat(larger.version().cluster()).isEqualTo(deployed.version().cluster());
    assertThat(rig.taskManagers(deployed).getSpec().getReplicas()).isEqualTo(5);
    assertThat(Labels.of(rig.jobManager(deployed), ApplicationLabels.FLINK_APP_HASH))
        .isEqualTo(larger.version().hash());
    assertThat(VersionRig.selector(rig.service("wordcount-" + larger.version().hash())))
        .isEqualTo(VersionObjects.podSelector(rig.jobManager(deployed)));
    assertThat(rig.clusters.look(rig.ref, larger.version()).isThere()).isTrue();
    assertThat(rig.clusters.look(rig.ref, deployed.version()).isThere()).isFalse();
  }

  /** Kubernetes would replace the pods of a Deployment whose template is another one. */
  @Test
  void noPodIsReplaced() {
    PodTemplateSpec jobManager = rig.jobManager(deployed).getSpec().getTemplate();
    PodTemplateSpec taskManager = rig.taskManagers(deployed).getSpec().getTemplate();

    rig.clusters.scale(() -> larger);

    assertThat(rig.jobManager(deployed).getSpec().getTemplate()).isEqualTo(jobManager);
    assertThat(rig.taskManagers(deployed).getSpec().getTemplate()).isEqualTo(taskManager);
  }

  @Test
  void andBack() {
    rig.clusters.scale(() -> larger);

    rig.clusters.scale(() -> deployed);

    assertThat(rig.taskManagers(deployed).getSpec().getReplicas()).isEqualTo(2);
    assertThat(rig.clusters.look(rig.ref, deployed.version()).isThere()).isTrue();
    assertThat(rig.serviceNames()).containsExactly("wordcount", deployed.version().cluster());
  }

  /** A worker is lost between the two writes. */
  @Test
  void aClusterOfWhichOneDeploymentIsLabelledIsThereForBothVersions() {
    String hash = deployed.version().fullHash();
    rig.clusters.scale(() -> larger);
    Deployment halfBack =
        rig.client
            .resource(rig.taskManagers(deployed))
            .edit(
                it ->
                    it.edit()
                        .editMetadata()
                        .addToLabels(ApplicationLabels.FLINK_APP_HASH, deployed.version().hash())
                        .addToAnnotations(ApplicationLabels.FULL_HASH, hash)
                        .endMetadata()
                        .build());
    List<VersionRef> both =
        ApplicationRecord.NONE
            .with(deployed.version(), larger.version())
            .onClusterOf(deployed.version());

    assertThat(rig.clusters.look(rig.ref, deployed.version(), both).isThere()).isTrue();
    assertThat(rig.clusters.look(rig.ref, larger.version(), both).isThere()).isTrue();
    assertThat(rig.clusters.look(rig.ref, deployed.version(), both).taskManagers())
        .isEqualTo(halfBack);

    rig.clusters.scale(() -> larger);

    assertThat(rig.clusters.look(rig.ref, larger.version()).isThere()).isTrue();
  }

  @Test
  void aClusterThatHasLostItsTaskManagersIsMadeWholeForTheVersionThatItIsLabelledFor() {
    rig.clusters.scale(() -> larger);
    rig.client.resource(rig.taskManagers(deployed)).delete();

    rig.clusters.scale(() -> deployed);
    rig.clusters.create(() -> deployed);

    assertThat(rig.clusters.look(rig.ref, deployed.version()).isThere()).isTrue();
  }

  @Test
  void whatIsSoAlreadyIsNotWritten() {
    rig.clusters.scale(() -> larger);
    String version = rig.jobManager(deployed).getMetadata().getResourceVersion();

    rig.clusters.scale(() -> larger);

    assertThat(rig.jobManager(deployed).getMetadata().getResourceVersion()).isEqualTo(version);
  }

  /** The name of the cluster is that of the smaller version, which is no more. */
  @Test
  void theSmallerVersionGetsAnotherClusterWhenItIsDeployedAgain() {
    rig.clusters.scale(() -> larger);

    assertThat(rig.clusters.name(rig.ref, VersionRig.SPEC, 3, null).cluster())
        .isNotEqualTo(deployed.version().cluster());
  }

  /** Its TaskManagers are labelled for the version that is given up. */
  @Test
  void aClusterThatHasLostItsJobManagerIsMadeWholeForTheVersionThatItIsLabelledFor() {
    String selector = VersionObjects.podSelector(rig.jobManager(deployed));
    rig.clusters.scale(() -> larger);
    rig.client.resource(rig.jobManager(deployed)).delete();

    rig.clusters.scale(() -> deployed);
    rig.clusters.create(() -> deployed);

    assertThat(rig.clusters.look(rig.ref, deployed.version()).isThere()).isTrue();
    assertThat(rig.taskManagers(deployed).getSpec().getReplicas()).isEqualTo(2);
    assertThat(VersionObjects.podSelector(rig.jobManager(deployed))).isEqualTo(selector);
  }

  /** By the name of which its Service is found. */
  @Test
  void theSameOfAClusterThatWasScaledBefore() {
    rig.clusters.scale(() -> larger);
    FlinkApplicationSpec largest = VersionRig.SPEC.withParallelism(13);
    VersionTarget next =
        rig.target(largest, rig.clusters.nameInPlace(rig.ref, largest, 3, larger.version()));
    rig.clusters.scale(() -> next);
    rig.client.resource(rig.jobManager(deployed)).delete();

    rig.clusters.scale(() -> larger);
    rig.clusters.create(() -> larger);

    assertThat(rig.clusters.look(rig.ref, larger.version()).isThere()).isTrue();
    assertThat(VersionRig.selector(rig.service("wordcount-" + larger.version().hash())))
        .isEqualTo(VersionObjects.podSelector(rig.jobManager(deployed)));
    assertThat(rig.service("wordcount-" + next.version().hash())).isNull();
  }

  @Test
  void ofAClusterThatIsGoneNothingIsScaled() {
    rig.client.resource(rig.jobManager(deployed)).delete();
    rig.client.resource(rig.taskManagers(deployed)).delete();

    rig.clusters.scale(() -> deployed);

    assertThat(rig.taskManagers(deployed)).isNull();
  }

  @Test
  void whatIsBeingDeletedIsNotScaled() {
    Deployment jobManager = rig.jobManager(deployed);
    jobManager.getMetadata().setFinalizers(List.of("example.com/stays"));
    admin.resource(jobManager).update();
    admin.resource(jobManager).delete();

    assertThatThrownBy(() -> rig.clusters.scale(() -> larger))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
  }
}
