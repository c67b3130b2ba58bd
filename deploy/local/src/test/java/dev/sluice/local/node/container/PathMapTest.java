package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathMapTest {
  private static final PathMap PATHS =
      new PathMap(
          Map.of(
              "/opt/flink", Path.of("/s/pods/jm/main/root/opt/flink"),
              "/opt/flink/conf", Path.of("/s/pods/jm/main/root/opt/flink/conf"),
              "/data", Path.of("/home/me/data")),
          Path.of("/s/pods"));

  @ParameterizedTest
  @CsvSource({
    "/opt/flink, /s/pods/jm/main/root/opt/flink",
    "/opt/flink/lib/a.jar, /s/pods/jm/main/root/opt/flink/lib/a.jar",
    "/opt/flink/lib/*:/x, /s/pods/jm/main/root/opt/flink/lib/*:/x",
    "-Dx=/data/y, -Dx=/home/me/data/y",
    "local:///opt/flink/a.jar, local:///s/pods/jm/main/root/opt/flink/a.jar",
    "file:///data/sp, file:///home/me/data/sp",
    "file:/data/sp, file:/home/me/data/sp",
    "'a: /data, b: ''/data/x''', 'a: /home/me/data, b: ''/home/me/data/x'''",
  })
  void turnsAPathWhereverItStands(String text, String turned) {
    assertThat(PATHS.toHost(text)).isEqualTo(turned);
  }

  @ParameterizedTest
  @CsvSource({
    "/opt/flinker",
    "/opt/flink-2",
    "/my/data",
    "s3://data/x",
    "s3://bucket/data",
    "hdfs:///data/x",
    "${BASE}/data",
    "/database",
    "/data.txt",
    "plain words",
  })
  void leavesOtherTextAlone(String text) {
    assertThat(PATHS.toHost(text)).isEqualTo(text);
  }

  @Test
  void aPathOfAnotherContainersRootMeansTheSamePathInThisOne() {
    assertThat(PATHS.toHost("-Dconf=/s/pods/other_1/x/root/opt/flink/conf/c"))
        .isEqualTo("-Dconf=/s/pods/jm/main/root/opt/flink/conf/c");
  }

  @Test
  void turningTwiceIsTurningOnce() {
    String once = PATHS.toHost("cd /opt/flink/conf && ls /data");

    assertThat(PATHS.toHost(once)).isEqualTo(once);
  }
}
