package dev.sluice.e2e.cluster;

import io.temporal.client.WorkflowExecutionMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** What is needed to understand a failure: logs, events, objects, histories. */
final class Evidence {

  private final TestCluster cluster;

  Evidence(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Writes all of it; what cannot be had is said in its place. */
  void collect(Path folder) {
    Path node = cluster.home().resolve("node");
    attempt(folder, "parts", to -> copyLogs(cluster.local().config().logs(), to));
    attempt(folder, "pods", to -> copyLogs(node.resolve("pods"), to));
    attempt(folder, "pods-ended", to -> copyLogs(node.resolve("ended"), to));
    attempt(
        folder,
        "events.txt",
        to -> kubectl(to, "get", "events", "-A", "--sort-by=.metadata.creationTimestamp"));
    attempt(
        folder,
        "objects.yaml",
        to ->
            kubectl(
                to,
                "get",
                "flinkdep,flinksessionjob,flinkbgdep,flinkapp,deploy,pods,svc,configmaps",
                "-A",
                "-o",
                "yaml"));
    attempt(folder, "histories", this::histories);
  }

  private interface Writing {
    void to(Path file) throws IOException;
  }

  private static void attempt(Path folder, String name, Writing writing) {
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(folder);
      writing.to(file);
    } catch (IOException | RuntimeException | AssertionError e) {
      try {
        Files.writeString(folder.resolve(name + ".missing"), e.toString());
      } catch (IOException again) {
        throw new UncheckedIOException(again);
      }
    }
  }

  private void kubectl(Path to, String... arguments) throws IOException {
    Files.writeString(to, cluster.kubectl().run(arguments));
  }

  private void histories(Path to) throws IOException {
    Files.createDirectories(to);
    List<WorkflowExecutionMetadata> runs = cluster.temporal().listExecutions("").toList();
    for (WorkflowExecutionMetadata run : runs) {
      String id = run.getExecution().getWorkflowId();
      String name = id + "-" + run.getWorkflowType() + "-" + run.getExecution().getRunId();
      Files.writeString(
          to.resolve(name + ".json"),
          cluster.temporal().fetchHistory(id, run.getExecution().getRunId()).toJson(true));
    }
  }

  /** Logs of a tree, without the Flink homes and libraries that lie beside them. */
  private static void copyLogs(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.find(from, 4, (file, attributes) -> isLog(file))) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static boolean isLog(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file) && (name.equals("log") || name.endsWith(".log"));
  }
}
