package dev.sluice.workflows.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartingPointTest {

  @ParameterizedTest
  @CsvSource({
    ",       true,  false, first deployment: the job starts with empty state",
    "s3://a, true,  true,  first deployment: the job starts from spec.job.initialSavepointPath",
    "s3://a, true,  false, the state of the job is recorded", // its own, from a start that failed
    "s3://a, false, false, the state of the job is recorded",
    "s3://a, false, true,  the state of the job is recorded", // by chance the same path
    ",       false, false, the state of the job is given up: upgradeMode is stateless",
  })
  void saysInTheStatusWhatTheJobStartsFrom(
      String path, boolean first, boolean initial, String message) {
    assertThat(new StartingPoint(path, first, initial).message()).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource({
    ",       true,  false, record that the job starts with empty state",
    "s3://a, true,  true,  record that the job starts from s3://a",
    "s3://a, false, false, record s3://a",
    ",       false, false, record that the state of the job is given up",
  })
  void saysInTheStepWhatIsRecorded(String path, boolean first, boolean initial, String summary) {
    assertThat(new StartingPoint(path, first, initial).summary()).isEqualTo(summary);
  }
}
