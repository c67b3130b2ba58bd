package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.snapshot.SavepointReferences;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KnownResourcesTest {

  private final KnownResources known = new KnownResources();

  @Test
  void resources_of_the_kinds_that_may_name_a_savepoint_are_found_as_far_as_they_are_reconciled() {
    FlinkDeployment deployment = new FlinkDeployment();
    FlinkBlueGreenDeployment blueGreen = new FlinkBlueGreenDeployment();
    known.add(FlinkDeployment.class, () -> Stream.of(deployment));
    known.add(FlinkBlueGreenDeployment.class, () -> Stream.of(blueGreen));
    known.add(ConfigMap.class, () -> Stream.of(new ConfigMap()));

    assertThat(known.of(SavepointReferences.KINDS)).containsExactly(deployment, blueGreen);
  }
}
