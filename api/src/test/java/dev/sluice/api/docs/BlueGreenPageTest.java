package dev.sluice.api.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Finalizers;
import dev.sluice.api.bluegreen.AbortAction;
import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionSource;
import dev.sluice.api.bluegreen.TransitionStatus;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page is complete: whoever adds a field, a state or a key must say there what it means. */
class BlueGreenPageTest {

  private static final String PAGE = "blue-green.md";
  private static final PageSection SPEC = PageSection.of(PAGE, "Spec");
  private static final PageSection STATUS = PageSection.of(PAGE, "Status");

  static Stream<String> names(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
  }

  private static Stream<String> below(String field, Class<?> type) {
    return names(type).map(name -> field + "." + name);
  }

  @Test
  void theTableHasTheFieldsOfTheSpec() {
    assertThat(SPEC.namesWith("field"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    names(FlinkBlueGreenDeploymentSpec.class).filter(it -> !it.equals("template")),
                    below("template", ChildTemplate.class).filter(it -> !it.endsWith("metadata")),
                    below("template.metadata", ChildMetadata.class))
                .flatMap(names -> names)
                .toList());
  }

  @Test
  void theTableHasTheFieldsOfTheStatus() {
    List<String> withParts = List.of("live", "transition", "givenUp");
    assertThat(STATUS.namesWith("field"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    names(FlinkBlueGreenDeploymentStatus.class)
                        .filter(it -> !withParts.contains(it)),
                    below("live", LiveChild.class),
                    below("transition", TransitionStatus.class),
                    below("givenUp", GivenUp.class))
                .flatMap(names -> names)
                .toList());
  }

  @Test
  void theTableHasEachKeyOfTheConfiguration() {
    assertThat(SPEC.names())
        .contains(
            BlueGreenOptions.GRACE,
            BlueGreenOptions.DELETION_DELAY,
            BlueGreenOptions.ON_ABORT,
            BlueGreenOptions.CUT_OVER,
            BlueGreenOptions.CHECKPOINTS,
            BlueGreenOptions.NO_RESTART,
            BlueGreenOptions.METRIC,
            BlueGreenOptions.METRIC_MAX);
  }

  @Test
  void theRowOfAFieldHasItsValues() {
    assertThat(STATUS.words("blueGreenState")).containsAll(words(BlueGreenState.values()));
    assertThat(STATUS.words("transition.source")).containsAll(words(TransitionSource.values()));
    assertThat(SPEC.words(BlueGreenOptions.ON_ABORT)).containsAll(words(AbortAction.values()));
    assertThat(SPEC.words(BlueGreenOptions.CUT_OVER)).containsAll(words(CutOver.values()));
  }

  private static List<String> words(Object... values) {
    return Arrays.stream(values).map(Object::toString).toList();
  }

  @Test
  void theFinalizerIsNamedWhereTheDeletionIs() {
    assertThat(PageSection.of(PAGE, "Deletion").words())
        .contains(Finalizers.FLINK_BLUE_GREEN_DEPLOYMENT);
  }
}
