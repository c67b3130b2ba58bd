package dev.sluice.controller.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.controller.common.StatusEvent;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A child that somebody has edited is told, and not put right. */
class EditedChildTest {

  private static final String TOLD =
      "orders-blue was edited: spec.image: %s -> flink:of-somebody. That stays so until this spec changes."
          .formatted(BlueGreenScene.running().resource().getSpec().template().spec().image());

  private static BlueGreenScene edited(BlueGreenScene scene) {
    return scene.edited(Color.BLUE, it -> it.withImage("flink:of-somebody"));
  }

  private static List<StatusEvent> events(BlueGreenScene scene) {
    return BlueGreenEvents.of(scene.seen(), scene.wanted());
  }

  @Test
  void theConditionAndAnEventNameTheChildAndTheField() {
    BlueGreenScene scene = edited(BlueGreenScene.running());

    assertThat(scene.condition(ConditionTypes.READY)).startsWith("True/").endsWith(TOLD);
    assertThat(events(scene)).containsExactly(StatusEvent.warning("ChildEdited", TOLD));
    assertThat(scene.decision()).isEqualTo("nothing");
  }

  @Test
  void theEventIsToldOnce() {
    BlueGreenScene scene = edited(BlueGreenScene.running());
    List<Condition> said = scene.wanted().conditions();
    scene.status(it -> it.withConditions(said));

    assertThat(events(scene)).isEmpty();
    assertThat(scene.condition(ConditionTypes.READY)).endsWith(TOLD);
  }

  @Test
  void whileItIsNotSureWhatAChildWasMadeForNothingIsSaid() {
    assertThat(edited(BlueGreenScene.transition()).condition(ConditionTypes.READY))
        .doesNotContain("edited");
    assertThat(edited(BlueGreenScene.givenUp()).condition(ConditionTypes.READY))
        .doesNotContain("edited");
    assertThat(BlueGreenScene.running().condition(ConditionTypes.READY)).doesNotContain("edited");
  }
}
