package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "upgrade | worker | after | RecordState | 1",
        "upgrade | worker | after | all         | 9",
        "upgrade | worker | all   | all         | 27",
        "upgrade,delete | worker | before | all | 13",
        "deploy  | all    | all   | Observe     | 18",
        "delete  | worker | all   | CreateCluster | 0",
        "app-upgrade | worker | before | RecordVersions | 5",
        "app-upgrade | worker | before | all    | 15",
        "FlinkBlueGreenDeployment | worker | before | EndTransition | 2",
      })
  void aNameLeavesOutWhatIsNotOfIt(
      String operations, String victims, String moments, String steps, int points) {
    assertThat(Selection.of(operations, victims, moments, steps).points())
        .doesNotHaveDuplicates()
        .hasSize(points);
  }

  @Test
  void everythingIsEveryStepOfEveryOperationWithEveryProcessAtEveryMoment() {
    int steps = 0;
    for (Operation operation : Kind.allOperations()) {
      steps += operation.steps().size();
    }

    assertThat(Selection.of("all", "all", "all", "all").points())
        .hasSize(steps * Victim.values().length * KillMoment.values().length)
        .hasSizeGreaterThan(200);
  }

  @ParameterizedTest
  @CsvSource({"upgrad,all,all,all", "all,kubelet,all,all", "all,all,later,all", "all,all,all,Stop"})
  void aNameThatNothingHasIsRefused(
      String operations, String victims, String moments, String steps) {
    assertThatThrownBy(() -> Selection.of(operations, victims, moments, steps))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is none of");
  }
}
