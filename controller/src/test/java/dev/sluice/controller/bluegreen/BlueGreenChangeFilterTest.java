package dev.sluice.controller.bluegreen;

import static dev.sluice.controller.bluegreen.BlueGreenScene.changed;
import static dev.sluice.controller.bluegreen.BlueGreenScene.running;
import static dev.sluice.controller.bluegreen.BlueGreenScene.transition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.deployment.FlinkDeployment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlueGreenChangeFilterTest {

  private final BlueGreenChangeFilter filter = new BlueGreenChangeFilter();

  private boolean accepts(BlueGreenScene now, BlueGreenScene before) {
    return filter.accept(now.resource(), before.resource());
  }

  @Test
  void what_the_spec_and_the_workflow_say_is_looked_at() {
    assertThat(accepts(changed(), running())).isTrue();
    assertThat(accepts(transition(), changed())).isTrue();
    assertThat(accepts(transition().live(Color.GREEN, 7), transition())).isTrue();
    assertThat(accepts(running().status(it -> it.withGivenUp(new GivenUp(5L, "late"))), running()))
        .isTrue();
    assertThat(accepts(transition().operation(OperationState.PARKED, 7), transition())).isTrue();
    assertThat(accepts(running().annotated("sluice.dev/retry", "a"), running())).isTrue();
    assertThat(accepts(running().deleted(), running())).isTrue();
  }

  @Test
  void what_the_controller_itself_writes_is_not() {
    assertThat(accepts(running().status(it -> it.withConditions(List.of())), running())).isFalse();
    assertThat(
            accepts(
                transition().operation(transition().operation().withStep("AwaitChild")),
                transition()))
        .isFalse();
  }

  @Test
  void of_a_child_only_what_is_shown_is_looked_at() {
    FlinkDeployment before = child(running());

    assertThat(BlueGreenChangeFilter.concernsParent(child(running()), before)).isFalse();
    FlinkDeployment more = child(running());
    more.setStatus(more.getStatus().withClusterInfo(Map.of("flink-version", "1.20")));
    assertThat(BlueGreenChangeFilter.concernsParent(more, before)).isFalse();
    assertThat(
            BlueGreenChangeFilter.concernsParent(
                child(running().without(Color.BLUE).stalled(Color.BLUE)), before))
        .isTrue();
    FlinkDeployment going = child(running());
    going.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z");
    assertThat(BlueGreenChangeFilter.concernsParent(going, before)).isTrue();
  }

  private static FlinkDeployment child(BlueGreenScene scene) {
    return scene.seen().liveChild().orElseThrow();
  }
}
