package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoredPathTest {

  @ParameterizedTest
  @CsvSource({
    "file:/s/savepoint-1, file:///s/savepoint-1",
    "file:/s/savepoint-1, file:/s/savepoint-1/",
    "file:/s/savepoint-1, file:/s/savepoint-1/_metadata",
    "/s/savepoint-1, file:/s/savepoint-1",
    "file:/s//savepoint-1, file:/s/savepoint-1",
    "s3://bucket/s/savepoint-1/_metadata, s3://bucket/s/savepoint-1",
  })
  void spellingsOfOnePathAreTheSame(String one, String other) {
    assertThat(RestoredPath.same(one, other)).isTrue();
    assertThat(RestoredPath.same(other, one)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "file:/s/savepoint-1, file:/s/savepoint-12",
    "file:/s/savepoint-1, s3://s/savepoint-1",
    "s3://a/s/savepoint-1, s3://b/s/savepoint-1",
    "file:/s/savepoint-1, file:/S/savepoint-1",
  })
  void otherPathsAreNot(String one, String other) {
    assertThat(RestoredPath.same(one, other)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "file:/c/0a/chk-3, 0a, true",
    "file:/c/0a/chk-3, 0b, false",
    "file:/c/0a/savepoint-3, 0a, false"
  })
  void ownCheckpointsAreThoseUnderTheJobsId(String path, String job, boolean own) {
    assertThat(RestoredPath.isOwnCheckpoint(path, job)).isEqualTo(own);
  }
}
