package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShimsTest {

  private static final String NATIVE_JOBMANAGER =
      "kubernetes-jobmanager.sh kubernetes-application ";

  @TempDir Path folder;
  private FakePod pod;

  @BeforeEach
  void pod() throws Exception {
    pod = new FakePod(folder);
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes-application, KubernetesApplicationClusterEntrypoint",
    "kubernetes-session, KubernetesSessionClusterEntrypoint"
  })
  void theNativeJobManagerStartsAsFlinksClientAsksFor(String entry, String main) throws Exception {
    List<String> java = pod.run("bash", "-c", "kubernetes-jobmanager.sh " + entry + " -Dx=1");

    assertThat(java)
        .containsSequence(
            "org.apache.flink.kubernetes.entrypoint." + main,
            "-D",
            "a.memory=1b",
            "-D",
            "b.memory=2b",
            "-Djobmanager.bind-host=" + FakePod.IP,
            "-Drest.bind-address=" + FakePod.IP,
            "-Dx=1")
        .contains("-Xmx48m");
  }

  @Test
  void theNativeTaskManagerTakesItsMemoryFromTheJobManager() throws Exception {
    pod.env("FLINK_TM_JVM_MEM_OPTS", "-Xmx40m -XX:MaxDirectMemorySize=12m");

    List<String> java =
        pod.run("bash", "-c", "kubernetes-taskmanager.sh -Dtaskmanager.resource-id='tm 1' -D b=2");

    assertThat(java)
        .startsWith("-Xmx40m", "-XX:MaxDirectMemorySize=12m")
        .endsWith(
            "org.apache.flink.kubernetes.taskmanager.KubernetesTaskExecutorRunner",
            "--configDir",
            pod.root().resolve("conf").toString(),
            "-Dtaskmanager.resource-id=tm 1",
            "-D",
            "b=2",
            "-Dtaskmanager.host=" + FakePod.IP,
            "-Dtaskmanager.bind-host=" + FakePod.IP);
    assertThat(pod.timesAsked()).isZero();
  }

  @Test
  void theStandaloneJobGetsItsOwnArgumentsLast() throws Exception {
    List<String> java = pod.run("standalone-job", "--job-classname", "x.Job", "--rate", "5");

    assertThat(java)
        .containsSequence(
            "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint",
            "--configDir",
            pod.root().resolve("conf").toString(),
            "-D",
            "a.memory=1b")
        .endsWith("-Drest.bind-address=" + FakePod.IP, "--job-classname", "x.Job", "--rate", "5");
  }

  @ParameterizedTest
  @CsvSource({
    "jobmanager, org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
    "taskmanager, org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
  })
  void sessionModeStartsItsProcesses(String mode, String main) throws Exception {
    assertThat(pod.run(mode)).contains(main);
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
  void namesAreLookedUpInTheNodesFileAndSoonAgain() throws Exception {
    assertThat(pod.run("jobmanager"))
        .contains(
            "-Djdk.net.hosts.file=" + folder.resolve("hosts"),
            "-Djava.security.properties=" + pod.shims().resolve("jvm.security"));
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

  @Test
  void thePodsLoggingWins() throws Exception {
    Path own = Files.createFile(pod.root().resolve("conf/log4j-console.properties"));

    assertThat(pod.run("jobmanager")).contains("-Dlog4j.configurationFile=file:" + own);
  }

  @Test
  void withoutLoggingOfThePodThereIsADefault() throws Exception {
    assertThat(pod.run("jobmanager"))
        .contains(
            "-Dlog4j.configurationFile=file:" + pod.shims().resolve("log4j-console.properties"));
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
  void javaOptionsOfAnotherRoleAreNotUsed() throws Exception {
    pod.configure("env.java.opts.taskmanager: -Da=1");

    assertThat(pod.run("jobmanager")).doesNotContain("-Da=1");
  }

  @Test
  void aCollectorOfTheConfigurationReplacesOurs() throws Exception {
    pod.configure("env.java.opts.all: -XX:+UseG1GC");

    assertThat(pod.run("jobmanager")).contains("-XX:+UseG1GC").doesNotContain("-XX:+UseSerialGC");
  }

  @Test
  void flinkPropertiesAreAddedOnceHoweverOftenTheContainerStarts() throws Exception {
    pod.configure("a: 1").env("FLINK_PROPERTIES", "b: 2\nc: 3");

    pod.run("jobmanager");
    pod.run("jobmanager");

    assertThat(Files.readAllLines(pod.root().resolve("conf/config.yaml")))
        .containsExactly("a: 1", "# from FLINK_PROPERTIES", "b: 2", "c: 3");
  }

  @Test
  void anUnknownModeIsRunAsACommand() throws Exception {
    assertThat(pod.run("echo", "hello")).containsExactly("hello");
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

  @Test
  void memoryGivenAsAnArgumentIsPartOfTheQuestion() throws Exception {
    pod.run("bash", "-c", NATIVE_JOBMANAGER + "-Djobmanager.memory.heap.size=48m");
    pod.run("bash", "-c", NATIVE_JOBMANAGER + "-D jobmanager.memory.heap.size=64m");

    assertThat(pod.timesAsked()).isEqualTo(2);
  }
}
