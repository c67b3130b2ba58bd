package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.condition.Reasons;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureTypeTest {

  /** A failure shows as a reason in the conditions; a resource that is gone shows nowhere. */
  @Test
  void everyFailureThatParksIsADocumentedReasonOfThatName() {
    assertThat(constants(FailureType.class))
        .filteredOn(type -> !type.equals(FailureType.RESOURCE_GONE))
        .isNotEmpty()
        .isSubsetOf(constants(Reasons.class));
  }

  /** They are in the histories of runs and in scripts of people. */
  @Test
  void theNamesStayAsTheyWereReleased() {
    assertThat(constants(FailureType.class))
        .contains(
            "SavepointFailed",
            "StateNotFound",
            "JobFailed",
            "ClusterNotReady",
            "RestoredElsewhere",
            "ClusterNotGone",
            "NameTaken",
            "Refused",
            "ResourceGone",
            "TimedOut");
  }

  private static List<String> constants(Class<?> type) {
    return Arrays.stream(type.getFields()).map(FailureTypeTest::value).toList();
  }

  private static String value(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
