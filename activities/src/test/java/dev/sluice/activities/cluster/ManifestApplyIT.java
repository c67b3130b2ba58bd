package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class ManifestApplyIT {

  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private ManifestApply apply;
  private ClusterManifests manifests;

  @BeforeEach
  void render(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    FlinkDeployment resource = client.resource(Deployed.orders(namespace)).create();
    ref = Deployed.ref(resource);
    apply = new ManifestApply(client);
    manifests =
        Stored.of(resource)
            .newest()
            .render(Refs.job(ref, Refs.JOB_ID), new StateRef.Empty("a test"));
  }

  @Test
  void aCheckWritesNothing() {
    apply.check(manifests, ref);

    assertThat(manifests.all()).allSatisfy(it -> assertThat(client.resource(it).get()).isNull());
  }

  @Test
  void aCheckOfWhatIsThereChangesNothing() {
    client.resource(manifests.deployment()).create();
    String version = version();

    apply.check(manifests, ref);

    assertThat(version()).isEqualTo(version);
  }

  /** Its rolling update does not go with our strategy, but it is deleted before ours is made. */
  @Test
  void aDeploymentOfApachesOperatorIsNoHindrance() {
    client
        .resource(
            new DeploymentBuilder(Clusters.deployment(namespace, ref.uid()))
                .editSpec()
                .withNewStrategy()
                .withType("RollingUpdate")
                .endStrategy()
                .endSpec()
                .build())
        .create();

    assertThatCode(() -> apply.check(manifests, ref)).doesNotThrowAnyException();
  }

  /** Kubernetes collects it with the Deployment that owns it. */
  @Test
  void whatFlinksClientMadeIsNoHindrance() {
    Deployment theirs = client.resource(Clusters.deployment(namespace, ref.uid())).create();
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("flink-config-orders")
                .withLabels(Map.of("app", "orders", "type", "flink-native-kubernetes"))
                .withOwnerReferences(
                    new OwnerReferenceBuilder()
                        .withApiVersion("apps/v1")
                        .withKind("Deployment")
                        .withName("orders")
                        .withUid(theirs.getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .build())
        .create();

    assertThatCode(() -> apply.check(manifests, ref)).doesNotThrowAnyException();
  }

  @Test
  void whatSomebodyElseHasIsToldBeforeAnythingIsWritten() {
    client.resource(Clusters.deployment(namespace, null)).create();

    assertThatThrownBy(() -> apply.check(manifests, ref))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.NAME_TAKEN));
  }

  private String version() {
    return client.resource(manifests.deployment()).get().getMetadata().getResourceVersion();
  }
}
