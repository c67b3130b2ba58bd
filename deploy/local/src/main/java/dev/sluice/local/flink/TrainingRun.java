package dev.sluice.local.flink;

import dev.sluice.local.node.image.FlinkImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs Flink once to learn which classes its processes load: a standalone cluster with the sample
 * job, for what a working job needs, and both processes of native mode against an {@link
 * EchoApiServer}, for what talking to Kubernetes needs.
 */
final class TrainingRun {

  private static final String JOB_ID = "00000000000000000000000000000001";
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(100);

  /**
   * Native processes never get far; once they talk to Kubernetes, they have loaded what they can
   * when no class came for this long.
   */
  private static final Duration QUIET = Duration.ofSeconds(4);

  private final FlinkImage image;
  private final Path folder;

  /**
   * @param folder empty, for everything the run leaves
   */
  TrainingRun(FlinkImage image, Path folder) {
    this.image = image;
    this.folder = folder;
  }

  /**
   * The classes of JobManager and TaskManager, as {@code -XX:SharedClassListFile} reads them.
   *
   * @throws FlinkHomeException when a process ends, or the job does not count in time
   */
  Path run() throws IOException, InterruptedException {
    standalone();
    nativeMode();
    Set<String> lines = new LinkedHashSet<>();
    for (String role : List.of("jobmanager", "taskmanager")) {
      lines.addAll(Files.readAllLines(classList(role, "standalone")));
      lines.addAll(Files.readAllLines(classList(role, "native")));
    }
    return Files.write(folder.resolve("classes"), lines);
  }

  private void standalone() throws IOException, InterruptedException {
    Map<String, String> config = config();
    config.put("execution.checkpointing.interval", "500ms");
    config.put("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    String rest = "http://127.0.0.1:" + config.get("rest.port");
    List<String> job =
        List.of(
            "standalone-job",
            "--job-classname",
            "dev.sluice.sample.CounterJob",
            "--job-id",
            JOB_ID);
    try (FlinkProcess jobManager = start("jobmanager", "standalone", config, Map.of(), job);
        FlinkProcess taskManager =
            start("taskmanager", "standalone", config, Map.of(), List.of("taskmanager"))) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (!counts(rest)) {
        if (!jobManager.isAlive() || !taskManager.isAlive() || System.nanoTime() > deadline) {
          throw new FlinkHomeException(
              "The training run of Flink did not get its job going. JobManager:%n%s%nTaskManager:%n%s"
                  .formatted(jobManager.lastWords(), taskManager.lastWords()),
              null);
        }
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  private static boolean counts(String rest) {
    try {
      return SampleCounts.read(rest, JOB_ID).filter(counts -> counts.total() > 200).isPresent();
    } catch (IOException e) {
      return false; // not up yet
    }
  }

  private void nativeMode() throws IOException, InterruptedException {
    Map<String, String> config = config();
    config.put("kubernetes.cluster-id", "training");
    config.put("kubernetes.namespace", "default");
    config.put("kubernetes.container.image.ref", "flink");
    config.put("execution.target", "kubernetes-application");
    config.put("high-availability.type", "kubernetes");
    config.put("high-availability.storageDir", folder.resolve("ha").toUri().toString());
    config.put("pipeline.jars", "local://" + image.usrlib().get(0));
    config.put("$internal.application.main", "dev.sluice.sample.CounterJob");
    try (EchoApiServer api = EchoApiServer.start()) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
      Map<String, String> env =
          Map.of(
              "KUBECONFIG", kubeconfig.toString(),
              "_POD_IP_ADDRESS", "127.0.0.1",
              "_POD_NODE_ID", "training",
              "FLINK_TM_JVM_MEM_OPTS", "-Xmx64m");
      List<String> jobManager =
          List.of("bash", "-c", "kubernetes-jobmanager.sh kubernetes-application");
      List<String> taskManager =
          List.of("bash", "-c", "kubernetes-taskmanager.sh " + String.join(" ", taskMemory()));
      learn("jobmanager", config, env, jobManager, api);
      learn("taskmanager", config, env, taskManager, api);
    }
  }

  /** What a JobManager of native mode works out for its TaskManagers. */
  private static List<String> taskMemory() {
    return List.of(
        "-Dtaskmanager.cpu.cores=1.0",
        "-Dtaskmanager.memory.task.heap.size=24mb",
        "-Dtaskmanager.memory.task.off-heap.size=0b",
        "-Dtaskmanager.memory.jvm-overhead.max=32mb",
        "-Dtaskmanager.resource-id=training-taskmanager-1-1");
  }

  private void learn(
      String role,
      Map<String, String> config,
      Map<String, String> env,
      List<String> command,
      EchoApiServer api)
      throws IOException, InterruptedException {
    Path classList = classList(role, "native");
    long asked = api.requests();
    try (FlinkProcess process = start(role, "native", config, env, command)) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      long size = -1;
      boolean alive = true;
      while (alive && System.nanoTime() < deadline) {
        alive = process.isAlive();
        long now = Files.exists(classList) ? Files.size(classList) : 0;
        if (api.requests() > asked && (now == size || !alive)) {
          return;
        }
        size = now;
        Thread.sleep(QUIET.toMillis());
      }
      throw new FlinkHomeException(
          "The training run of Flink did not get its %s to Kubernetes:%n%s"
              .formatted(role, process.lastWords()),
          null);
    }
  }

  private FlinkProcess start(
      String role,
      String mode,
      Map<String, String> config,
      Map<String, String> env,
      List<String> command)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>(env);
    all.put("SLUICE_CLASS_LIST", classList(role, mode).toString());
    return FlinkProcess.start(image, folder.resolve(role + "-" + mode), config, all, command);
  }

  private Path classList(String role, String mode) {
    return folder.resolve(role + "-" + mode + ".classes");
  }

  private static Map<String, String> config() {
    Map<String, String> config = SmallFlinkConfig.standaloneMemory();
    config.putAll(SmallFlinkConfig.quick());
    config.put("jobmanager.rpc.address", "127.0.0.1");
    config.put("jobmanager.rpc.port", Integer.toString(FreePorts.next()));
    config.put("rest.address", "127.0.0.1");
    config.put("rest.port", Integer.toString(FreePorts.next()));
    return config;
  }
}
