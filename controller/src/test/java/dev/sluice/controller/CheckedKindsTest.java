package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.validation.Violation;
import dev.sluice.bootstrap.Settings;
import dev.sluice.controller.admission.CheckedKind;
import dev.sluice.controller.application.FlinkApplicationReconciler;
import dev.sluice.controller.bluegreen.FlinkBlueGreenDeploymentReconciler;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.deployment.FlinkDeploymentReconciler;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.sessionjob.FlinkSessionJobReconciler;
import dev.sluice.controller.snapshot.FlinkStateSnapshotReconciler;
import dev.sluice.testing.TestManifest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The webhook checks each kind with the rules of that kind. */
class CheckedKindsTest {

  private static final Path MANIFESTS = Path.of("../api/src/test/resources/manifests");
  private static final ReconcileIntervals INTERVALS =
      ControllerSettings.from(new Settings(Map.of("SLUICE_WATCH_NAMESPACES", "default")))
          .intervals();

  // nothing is asked of it: the rules read the resource alone
  private final KubernetesClient client =
      new KubernetesClientBuilder().withConfig(Config.empty()).build();

  @AfterEach
  void close() {
    client.close();
  }

  /** What a check does not ask is not there. */
  private Stream<LaneReconciler<?, ?, ?>> reconcilers() {
    LaneReconciler.Shared shared =
        new LaneReconciler.Shared(
            client,
            null,
            new KubernetesCluster("cluster"),
            null,
            null,
            Clock.systemUTC(),
            INTERVALS);
    return Stream.of(
        new FlinkDeploymentReconciler(shared, null, null, () -> DefaultConfiguration.NONE),
        new FlinkSessionJobReconciler(shared, null, null, () -> DefaultConfiguration.NONE),
        new FlinkStateSnapshotReconciler(shared),
        new FlinkBlueGreenDeploymentReconciler(shared, () -> DefaultConfiguration.NONE),
        new FlinkApplicationReconciler(shared, null, null));
  }

  private List<CheckedKind<?>> kinds() {
    return reconcilers().<CheckedKind<?>>map(LaneReconciler::checkedKind).toList();
  }

  @Test
  void each_kind_is_checked_once() {
    assertThat(kinds())
        .<Class<?>>extracting(CheckedKind::type)
        .containsExactlyInAnyOrder(
            FlinkDeployment.class,
            FlinkSessionJob.class,
            FlinkStateSnapshot.class,
            FlinkBlueGreenDeployment.class,
            FlinkApplication.class);
  }

  @ParameterizedTest
  @CsvSource({
    "FlinkDeployment, invalid/memory-missing.yaml",
    "FlinkSessionJob, sessionjob/invalid/jar-missing.yaml",
    "FlinkBlueGreenDeployment, bluegreen/invalid/abort-child.yaml",
    "FlinkApplication, application/invalid/memory-missing.yaml",
  })
  void a_mistake_is_refused_with_the_path_of_its_field(String kind, String file) {
    TestManifest manifest = TestManifest.read(MANIFESTS.resolve(file));
    CheckedKind<?> checked =
        kinds().stream()
            .filter(it -> HasMetadata.getKind(it.type()).equals(kind))
            .findFirst()
            .orElseThrow();

    List<String> refused = violations(checked, manifest.text());

    assertThat(refused).isNotEmpty().hasSameSizeAs(manifest.expected());
    assertThat(refused)
        .zipSatisfy(manifest.expected(), (told, path) -> assertThat(told).startsWith(path));
  }

  private static <R extends HasMetadata> List<String> violations(
      CheckedKind<R> kind, String manifest) {
    R resource = Serialization.unmarshal(manifest, kind.type());
    return kind.rules().apply(resource).violations().stream().map(Violation::toString).toList();
  }
}
