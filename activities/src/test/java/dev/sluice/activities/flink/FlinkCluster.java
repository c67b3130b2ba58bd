package dev.sluice.activities.flink;

import static java.time.Duration.ofMinutes;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.testing.ReservedPort;
import dev.sluice.workflows.model.ClusterRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real Flink session cluster on 127.0.0.1: a JobManager, and a TaskManager if wanted. */
public final class FlinkCluster implements AutoCloseable {

  private static final String JOB_MANAGER =
      "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
  private static final String TASK_MANAGER =
      "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";

  /** What Flink's own start scripts open for Java 17. */
  private static final List<String> OPENED =
      List.of(
          "lang",
          "net",
          "io",
          "nio",
          "lang.reflect",
          "text",
          "time",
          "util",
          "util.concurrent",
          "util.concurrent.atomic",
          "util.concurrent.locks");

  private final FlinkVersion version;
  private final Path folder;
  private final Map<String, String> more;
  private final ReservedPort restPort = new ReservedPort();
  private final ReservedPort rpcPort = new ReservedPort();
  private final ReservedPort blobPort = new ReservedPort();

  /** Flink answers late where a whole build keeps the machine busy. */
  private static final FlinkRestOptions PATIENT =
      new FlinkRestOptions(ofMinutes(1), ofMinutes(2), ofMinutes(3), 8L << 20, 64);

  private final OkHttpFlinkRest rest;
  private final List<Process> processes = new ArrayList<>();
  private @Nullable Process jobManager;

  private FlinkCluster(
      FlinkVersion version, Map<String, String> more, Supplier<Optional<RestTls>> tls) {
    try {
      this.version = version;
      this.more = more;
      this.rest = new OkHttpFlinkRest(PATIENT, MockFlink.LOOPBACK, tls);
      this.folder =
          Files.createDirectories(Path.of("target", "flink-clusters").toAbsolutePath())
              .resolve(
                  version.version()
                      + "-"
                      + ProcessHandle.current().pid()
                      + "-"
                      + restPort.number());
      Files.createDirectories(folder.resolve("conf"));
      writeConfiguration();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  /** One that runs jobs. */
  public static FlinkCluster start(FlinkVersion version) {
    return start(version, Map.of("web.refresh-interval", "200"));
  }

  /** One that runs jobs, with more configuration. */
  static FlinkCluster start(FlinkVersion version, Map<String, String> more) {
    FlinkCluster cluster = new FlinkCluster(version, more, RestTls.NONE);
    cluster.startJobManager();
    Process taskManager = cluster.launch("taskmanager", TASK_MANAGER);
    cluster.waitWhileAlive(
        taskManager, () -> cluster.rest.overview(cluster.endpoint()).slotsTotal() > 0);
    return cluster;
  }

  /** A JobManager without a TaskManager, with more configuration. */
  public static FlinkCluster startJobManagerOnly(FlinkVersion version, Map<String, String> more) {
    return startJobManagerOnly(version, more, RestTls.NONE);
  }

  /** The same for one that takes TLS alone. */
  static FlinkCluster startJobManagerOnly(
      FlinkVersion version, Map<String, String> more, Supplier<Optional<RestTls>> tls) {
    FlinkCluster cluster = new FlinkCluster(version, more, tls);
    cluster.startJobManager();
    return cluster;
  }

  public Endpoint endpoint() {
    return Endpoint.of(
        new ClusterRef("default", "it"), restPort.number(), FlinkConfiguration.of(more));
  }

  public FlinkRest rest() {
    return rest;
  }

  public FlinkVersion version() {
    return version;
  }

  /** A folder of its own, as a URI Flink understands. */
  public Path folder(String name) {
    return folder.resolve(name);
  }

  /** Kills the JobManager as a lost node would, and starts it again with an empty memory. */
  void replaceJobManager() {
    if (jobManager != null) {
      jobManager.destroyForcibly().onExit().join();
    }
    startJobManager();
  }

  /** Replaces the JobManager on a node that does not have the jars that were uploaded. */
  public void loseUploads(Path uploads) {
    try (Stream<Path> files = Files.walk(uploads)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    replaceJobManager();
  }

  private void startJobManager() {
    Process started = launch("jobmanager", JOB_MANAGER);
    jobManager = started;
    waitWhileAlive(started, () -> !rest.overview(endpoint()).flinkVersion().isEmpty());
  }

  private void waitWhileAlive(Process process, Callable<Boolean> condition) {
    await()
        .atMost(ofMinutes(3))
        .ignoreExceptionsInstanceOf(FlinkRestException.class)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new AssertionError(this + " ended; see the logs in " + folder);
              }
              return condition.call();
            });
  }

  private Process launch(String role, String mainClass) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx192m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    OPENED.forEach(name -> command.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED"));
    command.add("-Dlog4j.configurationFile=" + folder.resolve("conf/log4j.properties").toUri());
    command.addAll(List.of("-cp", version.lib() + "/*", mainClass));
    command.addAll(List.of("--configDir", folder.resolve("conf").toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(role + ".log").toFile()));
    builder.environment().put("FLINK_CONF_DIR", folder.resolve("conf").toString());
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    try {
      Process process = builder.start();
      processes.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeConfiguration() throws IOException {
    Map<String, String> config = new LinkedHashMap<>();
    for (String host :
        List.of("jobmanager.rpc.address", "jobmanager.bind-host", "taskmanager.host")) {
      config.put(host, "127.0.0.1");
    }
    for (String host : List.of("taskmanager.bind-host", "rest.address", "rest.bind-address")) {
      config.put(host, "127.0.0.1");
    }
    config.put("rest.port", Integer.toString(restPort.number()));
    config.put("jobmanager.rpc.port", Integer.toString(rpcPort.number()));
    config.put("blob.server.port", "\"" + blobPort.number() + "\"");
    // what the start scripts of an image compute from the total memory
    // 10 s by default, in which a JVM on a busy machine may not have started its RPC
    config.put("pekko.startup-timeout", "60 s");
    config.put("akka.startup-timeout", "60 s");
    config.put("taskmanager.cpu.cores", "2.0");
    config.put("taskmanager.numberOfTaskSlots", "8");
    config.put("taskmanager.memory.framework.heap.size", "32m");
    config.put("taskmanager.memory.framework.off-heap.size", "32m");
    config.put("taskmanager.memory.jvm-metaspace.size", "128m");
    config.put("taskmanager.memory.jvm-overhead.min", "32m");
    config.put("taskmanager.memory.jvm-overhead.max", "32m");
    config.put("taskmanager.memory.task.heap.size", "64m");
    config.put("taskmanager.memory.task.off-heap.size", "0m");
    config.put("taskmanager.memory.managed.size", "8m");
    config.put("taskmanager.memory.network.min", "16m");
    config.put("taskmanager.memory.network.max", "16m");
    config.put("cluster.registration.error-delay", "500");
    config.put("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    config.put("io.tmp.dirs", folder.resolve("tmp").toString());
    config.put("web.upload.dir", folder.resolve("upload").toString());
    config.putAll(more);
    Files.writeString(
        folder.resolve("conf/config.yaml"),
        config.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue() + "\n")
            .collect(Collectors.joining()));
    Files.writeString(
        folder.resolve("conf/log4j.properties"),
        """
        rootLogger.level=INFO
        rootLogger.appenderRef.c.ref=C
        appender.c.name=C
        appender.c.type=CONSOLE
        appender.c.layout.type=PatternLayout
        appender.c.layout.pattern=%d{HH:mm:ss.SSS} %-5p %c{1.} - %m%n
        """);
  }

  private void kill() {
    processes.forEach(process -> process.destroyForcibly().onExit().join());
  }

  @Override
  public void close() {
    kill();
    rest.close();
    List.of(restPort, rpcPort, blobPort).forEach(ReservedPort::close);
  }

  @Override
  public String toString() {
    return "Flink " + version.version();
  }
}
