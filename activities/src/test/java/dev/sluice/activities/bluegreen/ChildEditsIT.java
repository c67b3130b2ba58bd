package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.ChildEdits;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Children as the API server has them, with its defaults, are as their parent says. */
class ChildEditsIT extends CutOverScenario {

  private List<SpecChange> edits(Color color, @Nullable JobSpec sessionJob) {
    FlinkDeploymentSpec child = child(color).getSpec();
    return ChildEdits.of(
        status().lastReconciled(), "orders", color.child("orders"), child, sessionJob);
  }

  @Test
  void noneIsTakenForEditedAsItWasWritten() {
    assertThat(edits(Color.BLUE, null)).as("an application").isEmpty();

    greenRuns();
    switchTo(Color.GREEN);
    activities.deleteChild(await(Color.BLUE, uid(Color.BLUE)));
    end(true);

    JobSpec job = jobOfGreen().getSpec().job();
    assertThat(edits(Color.GREEN, job)).as("a session cluster and its job").isEmpty();
    assertThat(edits(Color.GREEN, job.withParallelism(7)))
        .extracting(SpecChange::path)
        .containsExactly("spec.job.parallelism");
  }

  @Test
  void oneThatSomebodyEditsIs() {
    client
        .resource(child(Color.BLUE))
        .edit(
            it -> {
              it.setSpec(it.getSpec().withImage("flink:of-somebody"));
              return it;
            });

    assertThat(edits(Color.BLUE, null)).extracting(SpecChange::path).containsExactly("spec.image");
  }
}
