package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import dev.sluice.testing.fuzz.FuzzCase;
import dev.sluice.testing.fuzz.FuzzRun;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Thousands of specs with wild values, valid and not: each has a status, and the API server takes
 * it.
 */
class StatusFuzzTest {
  private static final Path REPOSITORY = Path.of("..");
  private static final CrdSchema STATUS = FlinkDeployments.schema(REPOSITORY).property("status");

  private final DeploymentProjection projection =
      new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC));

  @Test
  void a_new_resource_with_any_spec_has_a_status() {
    forEachSpec(spec -> Deployed.created().spec(spec));
  }

  @Test
  void a_running_resource_that_is_changed_to_any_spec_has_a_status() {
    forEachSpec(spec -> Deployed.running().generation(7).spec(spec));
  }

  /** Deployed by an operator with other rules, for example. */
  @Test
  void a_resource_that_runs_any_spec_has_a_status() {
    forEachSpec(
        spec -> Deployed.running().spec(spec).frozen(6).stable(6).job(FlinkJobState.RUNNING, true));
  }

  @Test
  void the_largest_parallelism_overflows_nothing() {
    FlinkDeploymentSpec spec =
        DeployedSpec.valid()
            .withJob(JobSpec.of("local:///a.jar", Integer.MAX_VALUE, UpgradeMode.SAVEPOINT));

    assertThat(status(Deployed.created().spec(spec)).at("/taskManager/replicas").asInt())
        .isEqualTo(1 << 30);
  }

  private void forEachSpec(Function<FlinkDeploymentSpec, Deployed> deployed) {
    FuzzRun.forEach(
        FlinkDeployments.cases(REPOSITORY),
        fuzz ->
            spec(fuzz)
                .ifPresent(
                    spec -> assertThat(STATUS.violations(status(deployed.apply(spec)))).isEmpty()));
  }

  private JsonNode status(Deployed deployed) {
    SeenDeployment snapshot = deployed.snapshot();
    return Serialization.jsonMapper()
        .valueToTree(projection.project(snapshot, JobPlanner.decide(snapshot)));
  }

  private static Optional<FlinkDeploymentSpec> spec(FuzzCase fuzz) {
    try {
      return Optional.of(
          Serialization.jsonMapper().treeToValue(fuzz.mutated(), FlinkDeployment.class).getSpec());
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
