package dev.sluice.api.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotReasons;
import dev.sluice.api.snapshot.SnapshotState;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page is complete: whoever adds a field, a state or a reason must say there what it means. */
class SnapshotsPageTest {

  private static final String PAGE = "snapshots.md";
  private static final PageSection SPEC = PageSection.of(PAGE, "Spec");
  private static final PageSection STATUS = PageSection.of(PAGE, "Status");
  private static final List<String> WITH_PARTS = List.of("jobReference", "savepoint");

  static Stream<String> names(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
  }

  private static Stream<String> below(String field, Class<?> type) {
    return names(type).map(name -> field + "." + name);
  }

  private static List<String> words(Object... values) {
    return Arrays.stream(values).map(Object::toString).toList();
  }

  private static String value(Field constant) {
    try {
      return String.valueOf(constant.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theTableHasTheFieldsOfTheSpecAndNoOther() {
    assertThat(SPEC.namesWith("field"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    names(FlinkStateSnapshotSpec.class).filter(it -> !WITH_PARTS.contains(it)),
                    below("jobReference", JobReference.class),
                    below("savepoint", SavepointSpec.class),
                    below("checkpoint", CheckpointSpec.class))
                .flatMap(names -> names)
                .toList());
    assertThat(SPEC.words("savepoint.formatType")).containsAll(words(SavepointFormatType.values()));
    assertThat(SPEC.words("checkpoint.checkpointType")).containsAll(words(CheckpointType.values()));
  }

  @Test
  void theTablesHaveTheFieldsOfTheStatusAndItsStates() {
    assertThat(STATUS.namesWith("field"))
        .containsExactlyInAnyOrderElementsOf(names(FlinkStateSnapshotStatus.class).toList());
    assertThat(STATUS.namesWith("`state`"))
        .containsExactlyInAnyOrderElementsOf(words(SnapshotState.values()));
  }

  @Test
  void theRowOfTheConditionsHasTheirReasons() {
    assertThat(STATUS.words("conditions"))
        .containsAll(
            Arrays.stream(SnapshotReasons.class.getFields())
                .map(SnapshotsPageTest::value)
                .toList());
  }

  @Test
  void theFinalizerIsNamedWhereTheDeletionIs() {
    assertThat(PageSection.of(PAGE, "Deletion").words()).contains(FlinkStateSnapshot.FINALIZER);
  }
}
