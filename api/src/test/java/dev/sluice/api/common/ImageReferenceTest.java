package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
  private static final String DIGEST = "@sha256:" + "0123456789abcdef".repeat(4);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flink",
        "flink:1.20",
        "flink:1.20-scala_2.12-java17",
        "apache/flink:2.0",
        "docker.io/library/flink:1.20",
        "registry.example.com/team/job:1.0",
        "registry.example.com:5000/team/job:1.0",
        "localhost/job",
        "localhost:5000/job:1",
        "REGISTRY/job:1",
        "[::1]:5000/job:1",
        "a/b/c/d/e:latest",
        "my_job:v1",
        "my__job:v1",
        "my-job:_v1",
        "my--job",
        "my.job",
        "k3d-registry:5000/job",
      })
  void aNameThatARuntimeParsesIsValid(String image) {
    assertThat(ImageReference.isValid(image)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flink", "flink:1.20", "registry.example.com:5000/team/job"})
  void aDigestMayFollow(String image) {
    assertThat(ImageReference.isValid(image + DIGEST)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "flink 1.20",
        "Flink:1.20",
        "flink:",
        "flink:1:2",
        "flink:-1",
        ":1.20",
        "/flink",
        "flink/",
        "a//b",
        "-flink",
        "flink-",
        "fl..ink",
        "fl___ink",
        "http://registry/flink",
        "registry.example.com:port/flink",
        "flink@",
        "flink@sha256",
        "flink@sha256:short",
        "flink@sha256:xyz0123456789abcdef0123456789abcdef",
        "$IMAGE",
        "{{image}}",
        "../flink",
      })
  void anyOtherIsNot(String image) {
    assertThat(ImageReference.isValid(image)).isFalse();
  }

  @Test
  void aNameHasAtMost255Characters() {
    assertThat(ImageReference.isValid("a".repeat(255))).isTrue();
    assertThat(ImageReference.isValid("a".repeat(256))).isFalse();
  }

  @Test
  void aTagHasAtMost128Characters() {
    assertThat(ImageReference.isValid("a:" + "b".repeat(128))).isTrue();
    assertThat(ImageReference.isValid("a:" + "b".repeat(129))).isFalse();
  }

  @Test
  void aLongTextIsJudgedAtOnce() {
    assertThat(ImageReference.isValid("a-".repeat(100_000))).isFalse();
  }
}
