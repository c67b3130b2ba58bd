package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.manifest.common.ProcessMemory;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Standalone mode, where it differs from what the golden files show. */
class StandaloneManifestsTest {
  private static final Map<String, String> HA =
      Map.of(
          "high-availability.type", "kubernetes", "high-availability.storageDir", "s3://bucket/ha");

  private static final FlinkDeploymentSpec SPEC =
      Targets.SPEC
          .withMode(KubernetesDeploymentMode.STANDALONE)
          .withConfiguration(memory(Map.of()));

  private final ApplicationManifests manifests = new ApplicationManifests();

  @ParameterizedTest(name = "replicas {0}, parallelism {1}, slots {2}")
  @CsvSource(
      nullValues = "none",
      value = {"none, 1, 1, 1", "none, 5, 2, 3", "none, 4, 2, 2", "3, 0, 2, 3", "2, 7, 1, 2"})
  void thereAreAsManyTaskManagersAsTheParallelismNeeds(
      Integer replicas, int parallelism, int slots, int expected) {
    FlinkDeploymentSpec spec =
        SPEC.withJob(JobSpec.of("local:///job.jar", parallelism, UpgradeMode.SAVEPOINT))
            .withTaskManager(new TaskManagerSpec(null, null, replicas, null))
            .withConfiguration(
                memory(Map.of("taskmanager.numberOfTaskSlots", Integer.toString(slots))));

    assertThat(taskManagers(manifests.render(Targets.of(spec))).getSpec().getReplicas())
        .isEqualTo(expected);
  }

  /** FLINK-35292, as in native mode. */
  @Test
  void aJobWhoseMetadataIsLostFailsAndDoesNotStartEmpty() {
    assertThat(
            arguments(SPEC.withConfiguration(memory(HA)), new StateRef.HaMetadata(Targets.JOB_ID)))
        .containsSequence("--fromSavepoint", "high-availability-metadata-is-missing");
  }

  /** Flink's entry point has options of its own, such as -s for a savepoint. */
  @Test
  void theArgumentsOfTheProgramAreNeverThoseOfTheEntryPoint() throws ParseException {
    JobSpec job =
        JobSpec.of("local:///job.jar", 1, UpgradeMode.SAVEPOINT)
            .withArgs(List.of("-s", "5", "--job-id", "mine", "--", "-Dx=y"));

    List<String> arguments =
        arguments(SPEC.withJob(job), new StateRef.Savepoint("s3://b/savepoint-1"));

    CommandLine parsed =
        new DefaultParser()
            .parse(
                entryPointOptions(),
                arguments.subList(1, arguments.size()).toArray(String[]::new),
                true);
    assertThat(parsed.getOptionValue("s")).isEqualTo("s3://b/savepoint-1");
    assertThat(parsed.getArgList()).containsExactly("-s", "5", "--job-id", "mine", "--", "-Dx=y");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      nullValues = "none",
      value = {
        // the image's own directory stays visible, and the jar is found there once
        "local:///opt/flink/usrlib/a.jar, none, none, false",
        "local:///opt/flink/usrlib/a.jar, shop.A, file:///opt/flink/usrlib/a.jar, false",
        "local:///opt/a.jar, shop.A, file:///opt/a.jar, false",
        // Flink looks for a main class in this directory, or not at all
        "local:///opt/a.jar, none, file:///opt/a.jar, true",
        "none, shop.A, none, false",
      })
  void theJarIsOnTheClassPath(String jar, String main, String url, boolean mounted) {
    FlinkDeploymentSpec spec =
        SPEC.withJob(JobSpec.of(jar, 1, UpgradeMode.SAVEPOINT).withEntryClass(main));

    ClusterManifests rendered = manifests.render(Targets.of(spec));

    String configuration = rendered.configMaps().get(0).getData().get("config.yaml");
    assertThat(configuration.lines().filter(line -> line.startsWith("pipeline.classpaths")))
        .isEqualTo(
            url == null ? List.of() : List.of("pipeline.classpaths: \"[\\\"" + url + "\\\"]\""));
    assertThat(configuration).doesNotContain("pipeline.jars", "$internal.application");
    assertThat(main(rendered.deployment()).getVolumeMounts())
        .extracting(VolumeMount::getMountPath)
        .filteredOn("/opt/flink/usrlib"::equals)
        .hasSize(mounted ? 1 : 0);
  }

  @ParameterizedTest(name = "{0} -> {1} MiB")
  @CsvSource(
      delimiter = '|',
      value = {
        "taskmanager.memory.process.size=1728m | 1728",
        // 256m metaspace, and a tenth of the whole as overhead
        "taskmanager.memory.flink.size=1280m | 1728",
        "taskmanager.heap.size=1280m | 1728",
        // 128m + 128m framework, 64m network, 256m metaspace, 192m overhead
        "taskmanager.memory.task.heap.size=256m,taskmanager.memory.managed.size=0 | 1024",
      })
  void theMemoryOfAPodIsThatOfTheProcess(String options, long mebibytes) {
    Map<String, String> map = new java.util.HashMap<>();
    for (String option : options.split(",")) {
      map.put(option.split("=")[0], option.split("=")[1]);
    }

    assertThat(ProcessMemory.ofTaskManager(FlinkConfiguration.of(map))).isEqualTo(mebibytes);
  }

  private List<String> arguments(FlinkDeploymentSpec spec, StateRef from) {
    return main(manifests.render(Targets.of(spec, Targets.JOB_ID, from)).deployment()).getArgs();
  }

  private static Options entryPointOptions() {
    return new Options()
        .addOption(Option.builder("D").hasArg().build())
        .addOption(Option.builder("s").longOpt("fromSavepoint").hasArg().build())
        .addOption(Option.builder("jid").longOpt("job-id").hasArg().build());
  }

  private static FlinkConfiguration memory(Map<String, String> others) {
    Map<String, String> options = new java.util.HashMap<>(others);
    options.put("taskmanager.memory.process.size", "1728m");
    return FlinkConfiguration.of(options);
  }

  private static Deployment taskManagers(ClusterManifests rendered) {
    return Objects.requireNonNull(rendered.taskManagers());
  }

  private static PodSpec pod(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec();
  }

  private static Container main(Deployment deployment) {
    return pod(deployment).getContainers().get(0);
  }
}
