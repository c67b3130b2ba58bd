package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.support.Refs;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManifestApplyIT extends ClusterScenario {

  private ManifestApply apply;
  private ClusterManifests manifests;

  @BeforeEach
  void render() {
    apply = new ManifestApply(client);
    manifests = store.read(ref).newest().render(Refs.job(ref, JOB), new StateRef.Empty("a test"));
  }

  @Test
  void check_writesNothing() {
    apply.check(manifests, ref);

    assertThat(manifests.all()).allSatisfy(it -> assertThat(client.resource(it).get()).isNull());
    String version =
        client.resource(manifests.deployment()).create().getMetadata().getResourceVersion();
    apply.check(manifests, ref);
    assertThat(version(manifests.deployment())).isEqualTo(version);
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

    assertThat(failure(() -> apply.check(manifests, ref)).getType())
        .isEqualTo(FailureType.NAME_TAKEN);
  }
}
