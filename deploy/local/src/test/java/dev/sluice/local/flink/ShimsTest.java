package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated(
    "a program that another test starts in the moment in which a script is written keeps it busy")
class ShimsTest {

  private static final String NATIVE_JOBMANAGER =
      "kubernetes-jobmanager.sh kubernetes-application ";

  @TempDir Path folder;
  private FakePod pod;

  @BeforeEach
  void pod() throws Exception {
    pod = new FakePod(folder);
  }

  @Test
  void theClassDataArchiveIsUsedWhenItIsThere() throws Exception {
    Path archive = folder.resolve("classes/java.jsa");

    assertThat(pod.run("jobmanager"))
        .anyMatch(
            it -> it.startsWith("-XX:DumpLoadedClassList=" + folder.resolve("classes/seen-")));
    Files.createFile(archive);
    assertThat(pod.run("jobmanager"))
        .contains("-XX:SharedArchiveFile=" + archive)
        .noneMatch(it -> it.startsWith("-XX:DumpLoadedClassList"));
  }

  @Test
  void jarsThatThePodAddedToLibAreOnTheClassPathBehindFlinksOwn() throws Exception {
    Files.createFile(folder.resolve("home/lib/flink.jar"));
    Files.createFile(pod.root().resolve("lib/flink.jar"));
    Path added = Files.createFile(pod.root().resolve("lib/connector.jar"));

    assertThat(pod.run("jobmanager"))
        .containsSequence(
            "-cp", folder.resolve("home/local-node.jar") + ":/home/lib/flink.jar:" + added);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "env.java.opts.all: -Da=1 -Db=2",
        "env.java.opts.all: \"-Da=1 -Db=2\"",
        "env.java.opts.jobmanager: -Da=1 -Db=2",
        "env:\n  java:\n    opts:\n      all: -Da=1 -Db=2\nrest:\n  port: 1",
        "env:\n  java:\n    opts.jobmanager: '-Da=1 -Db=2'\n",
      })
  void javaOptionsOfTheConfigurationAreUsed(String yaml) throws Exception {
    assertThat(pod.configure(yaml).run("jobmanager")).containsSequence("-Da=1", "-Db=2");
  }

  @Test
  void flinkPropertiesAreAddedOnceHoweverOftenTheContainerStarts() throws Exception {
    pod.configure("a: 1").env("FLINK_PROPERTIES", "b: 2\nc: 3");

    pod.run("jobmanager");
    pod.run("jobmanager");

    assertThat(configuration())
        .containsExactly("a: 1", "# from FLINK_PROPERTIES", "b: '2'", "c: '3'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // as envsubst
        "b: $HOSTNAME:1 | b: 'pod-1:1'",
        "b: ${HOSTNAME}s $HOSTNAMES$ | b: 'pod-1s $'",
        "$HOSTNAME: c | $HOSTNAME: 'c'",
        // text that YAML takes for something else
        "b: it's {c: 1} # d | b: 'it''s {c: 1} # d'",
        "b: \"5 s\" | b: \"5 s\"",
      })
  void aValueOfFlinkPropertiesIsText(String property, String line) throws Exception {
    pod.configure("a: 1").env("FLINK_PROPERTIES", property).run("jobmanager");

    assertThat(configuration()).endsWith(line);
  }

  @Test
  void aValueInTheOldFormatOfTheConfigurationIsNotQuoted() throws Exception {
    Path old = pod.root().resolve("conf/flink-conf.yaml");
    Files.move(pod.root().resolve("conf/config.yaml"), old);

    pod.env("FLINK_PROPERTIES", "b: it's $HOSTNAME").run("jobmanager");

    assertThat(Files.readAllLines(old)).endsWith("b: it's pod-1");
  }

  @Test
  void withoutConfigurationOfThePodThatOfTheImageNamesTheFolderOfItsJars() throws Exception {
    Files.delete(pod.root().resolve("conf/config.yaml"));

    pod.run("jobmanager");

    assertThat(configuration())
        .containsExactly("# from FLINK_PROPERTIES", "web.upload.dir: '%s'".formatted(pod.root()));
  }

  @Test
  void aMemorySettingThatFlinkRefusesEndsTheContainerWithFlinksWords() throws Exception {
    pod.java("echo 'IllegalConfigurationException: too small'; exit 1");

    FakePod.Result result = pod.tryToRun("bash", "-c", NATIVE_JOBMANAGER);

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.output())
        .contains("IllegalConfigurationException: too small")
        .contains("cannot work out the memory");
  }

  @ParameterizedTest
  @CsvSource({
    // the same, or different in what has nothing to do with memory
    "'jobmanager.memory.heap.size: 48m', 'jobmanager.memory.heap.size: 48m', 1",
    "'jobmanager.memory.heap.size: 48m', 'jobmanager.memory.heap.size: 48m\nx: 2', 1",
    // memory, slots and so on
    "'jobmanager.memory.heap.size: 48m', 'jobmanager.memory.heap.size: 64m', 2",
    "'taskmanager.numberOfTaskSlots: 1', 'taskmanager.numberOfTaskSlots: 2', 2",
    "'external-resources: gpu', 'external-resources: none', 2",
    // nested configuration: any change
    "'jobmanager:\n  memory:\n    heap.size: 48m', 'jobmanager:\n  memory:\n    heap.size: 64m', 2",
    "'a:\n  b: 1', 'a:\n  b: 2', 2",
  })
  void flinkIsAskedForMemoryAgainOnlyWhenTheAnswerMayChange(String first, String then, int asked)
      throws Exception {
    pod.configure(first).run("bash", "-c", NATIVE_JOBMANAGER);
    pod.configure(then).run("bash", "-c", NATIVE_JOBMANAGER);

    assertThat(pod.timesAsked()).isEqualTo(asked);
  }

  private List<String> configuration() throws IOException {
    return Files.readAllLines(pod.root().resolve("conf/config.yaml")).stream()
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
