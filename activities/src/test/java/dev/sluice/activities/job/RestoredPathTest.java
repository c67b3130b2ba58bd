package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestoredPathTest {

  @ParameterizedTest
  @CsvSource({
    "file:/s/savepoint-1, file:///s/savepoint-1",
    "file:/s/savepoint-1, file:/s/savepoint-1/",
    "file:/s/savepoint-1, file:/s/savepoint-1/_metadata",
    "file:/s/savepoint-1, file:///s/./x/../savepoint-1/_metadata/",
    "/s/savepoint-1, file:/s/savepoint-1",
    "file:/s//savepoint-1, file:/s/savepoint-1",
    "FILE:/s/savepoint-1, file:/s/savepoint-1",
    "hdfs:///s/savepoint-1, hdfs://nn/s/savepoint-1",
    "hdfs:///s/savepoint-1, hdfs://nn:8020/s/savepoint-1",
    "hdfs:/s/savepoint-1, hdfs://nn:9000/s/savepoint-1",
    "hdfs://nn/s/savepoint-1, hdfs://nn:8020/s/savepoint-1",
    "viewfs:///s/savepoint-1, viewfs://cluster/s/savepoint-1",
    "s3://bucket/s/savepoint-1/_metadata, s3://bucket/s/savepoint-1",
    "s3://bucket/with space/savepoint-1, s3://bucket/with space/savepoint-1/",
  })
  void everyFormThatFlinkQualifiesToTheSamePathIsTheSame(String one, String other) {
    assertThat(RestoredPath.same(one, other, null)).isTrue();
    assertThat(RestoredPath.same(other, one, null)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "file:/s/savepoint-1, file:/s/savepoint-12",
    "file:/s/savepoint-1, s3://s/savepoint-1",
    "file:/s/savepoint-1, file:/S/savepoint-1",
    "file:/s/savepoint-1, file://host/s/savepoint-1",
    "/s/savepoint-1, hdfs://nn/s/savepoint-1",
    "/s/savepoint-1, s3://bucket/s/savepoint-1",
    "s3://a/s/savepoint-1, s3://b/s/savepoint-1",
    "s3://bucket/s/savepoint-1, s3a://bucket/s/savepoint-1",
    "hdfs://one/s/savepoint-1, hdfs://two/s/savepoint-1",
    "hdfs://nn/s/savepoint-1, hdfs://nn:9000/s/savepoint-1",
    "hdfs:///s/savepoint-1, hdfs://nn/other/savepoint-1",
    "hdfs:///s/savepoint-1, viewfs:///s/savepoint-1",
  })
  void otherPathsAreNot(String one, String other) {
    assertThat(RestoredPath.same(one, other, null)).isFalse();
    assertThat(RestoredPath.same(other, one, null)).isFalse();
  }

  @Test
  void aPathWithoutASchemeIsQualifiedWithTheClustersDefault() {
    String given = "/s/savepoint-1";

    assertThat(RestoredPath.same(given, "hdfs://nn:8020/s/savepoint-1", "hdfs://nn:8020/"))
        .isTrue();
    assertThat(RestoredPath.same(given, "hdfs://other:8020/s/savepoint-1", "hdfs://nn:8020/"))
        .isFalse();
    assertThat(RestoredPath.same(given, "file:/s/savepoint-1", "hdfs://nn:8020/")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "file:/c/0a/chk-3, 0a, true",
    "hdfs://nn:8020/c/0a/chk-3/_metadata, 0a, true",
    "file:/c/0a/chk-3, 0b, false",
    "file:/c/0a/savepoint-3, 0a, false"
  })
  void ownCheckpointsAreThoseUnderTheJobsId(String path, String job, boolean own) {
    assertThat(RestoredPath.isOwnCheckpoint(path, job)).isEqualTo(own);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/sp/savepoint-1a-2b",
        "file:///sp/savepoint-1a-2b",
        "/sp/savepoint-1a-2b/",
        "/sp/savepoint-1a-2b/_metadata",
        "hdfs://nn:8020/sp/savepoint-1a-2b//_metadata",
      })
  void aSavepointHasTheSameNameHoweverItIsSpelled(String path) {
    assertThat(RestoredPath.haveSameName("file:/sp/savepoint-1a-2b", path)).isTrue();
  }

  @Test
  void anotherSavepointHasAnotherName() {
    assertThat(RestoredPath.haveSameName("/sp/savepoint-1a-2b", "/sp/savepoint-1a-2c")).isFalse();
    assertThat(RestoredPath.haveSameName("/sp/savepoint-1a-2b", null)).isFalse();
  }
}
