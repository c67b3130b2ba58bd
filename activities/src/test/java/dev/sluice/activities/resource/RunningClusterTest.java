package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stable spec of generation 1 with REST at port 8001, and a frozen one of 2 at port 8002. */
class RunningClusterTest {

  @ParameterizedTest
  @CsvSource({
    "1, 8001", "2, 8002",
    "3, 8001", // of a spec that nobody has any more: the stable one is the best guess
  })
  void theDeploymentSaysFromWhichSpecItWasMade(String generation, int port) {
    RunningCluster running =
        RunningCluster.of(upgrading(), deployment(Annotations.GENERATION, generation));

    assertThat(running.endpoint().port()).isEqualTo(port);
    assertThat(running.configuration().get("rest.port")).contains(Integer.toString(port));
    assertThat(running.generation()).isEqualTo(Long.valueOf(generation));
    assertThat(running.ref()).isEqualTo(Refs.CLUSTER);
  }

  @Test
  void theAnnotationOfApachesOperatorCountsToo() {
    RunningCluster running =
        RunningCluster.of(upgrading(), deployment(Annotations.APACHE_GENERATION, "2"));

    assertThat(running.generation()).isEqualTo(2);
    assertThat(running.jobId()).isNull();
  }

  @Test
  void withoutADeploymentItIsTheStableSpec() {
    RunningCluster running = RunningCluster.of(upgrading(), null);

    assertThat(running.endpoint().port()).isEqualTo(8001);
    assertThat(running.generation()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0", "' 0 '", "' 8081 '", "70000", "8000-9000"})
  void whereTheSpecNamesNoPortItIsTheOneOfTheService(String port) {
    StoredResource resource = stored(ReconciliationStatus.EMPTY.withLastStableSpec(spec(1, port)));

    assertThat(RunningCluster.of(resource, null).endpoint().port()).isEqualTo(8081);
  }

  @Test
  void theTargetIsTheFrozenSpecAndTheRecordedJob() {
    RunningCluster target = RunningCluster.target(upgrading());

    assertThat(target.endpoint().port()).isEqualTo(8002);
    assertThat(target.generation()).isEqualTo(2);
    assertThat(target.jobId()).isEqualTo(Refs.OTHER_JOB_ID);
  }

  @Test
  void withoutASpecThatCanBeReadEverythingIsFlinksDefault() {
    StoredResource resource =
        stored(ReconciliationStatus.EMPTY.withLastReconciledSpec("{").withLastStableSpec("{"));

    assertThat(RunningCluster.of(resource, deployment(Annotations.GENERATION, "1")))
        .satisfies(
            running -> {
              assertThat(running.endpoint().port()).isEqualTo(8081);
              assertThat(running.configuration().asMap()).isEmpty();
            });
    assertThat(RunningCluster.target(resource).endpoint().port()).isEqualTo(8081);
  }

  private static StoredResource upgrading() {
    return stored(
        ReconciliationStatus.EMPTY
            .withLastStableSpec(spec(1, "8001"))
            .withLastReconciledSpec(spec(2, "8002")));
  }

  private static String spec(long generation, String port) {
    return new FrozenSpec(
            Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().with("rest.port", port)),
            generation,
            false)
        .toJson();
  }

  private static StoredResource stored(ReconciliationStatus reconciliation) {
    FlinkDeployment resource = Deployed.orders("default");
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(reconciliation)
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.SAVEPOINT,
                    "file:/s",
                    null,
                    Refs.JOB_ID,
                    Refs.OTHER_JOB_ID)));
    return Stored.of(resource);
  }

  private static Deployment deployment(String annotation, String generation) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .addToAnnotations(annotation, generation)
        .endMetadata()
        .build();
  }
}
