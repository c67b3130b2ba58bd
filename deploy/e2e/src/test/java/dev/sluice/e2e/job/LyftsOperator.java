package dev.sluice.e2e.job;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Does by hand what Lyft's operator does for a FlinkApplication of the example, named words. */
public final class LyftsOperator {

  /** The hash that it has given to the version. */
  public static final String HASH = "1f2e3d4c";

  private static final Path DEPLOYED = Path.of("src/test/resources/lyft/deployed.yaml");

  private static final String FINALIZER =
      """
      [{"op": "add", "path": "/metadata/finalizers/-", "value": "job.finalizers.flink.k8s.io"}]""";

  private static final String STATUS =
      """
      {"status": {
        "phase": "Running", "deployHash": "%s", "deploymentMode": "Dual",
        "lastUpdatedAt": "2025-08-06T12:00:00Z", "retryCount": 0, "savepointPath": "",
        "clusterStatus": {
          "clusterOverviewURL": "/#/overview", "health": "Green", "numberOfTaskManagers": 1,
          "healthyTaskManagers": 1, "numberOfTaskSlots": 2, "availableTaskSlots": 1},
        "jobStatus": {
          "jobID": "%s", "jobOverviewURL": "/#/jobs", "health": "Green", "state": "RUNNING",
          "jarName": "counter-job.jar", "parallelism": 1,
          "entryClass": "dev.sluice.sample.CounterJob",
          "programArgs": "--rate 25 --keys 10", "allowNonRestoredState": false,
          "startTime": "2025-08-06T12:00:00Z", "jobRestartCount": 0}
      }}""";

  private final TestCluster cluster;
  private final Application application;

  /** The application need not exist yet. */
  public LyftsOperator(Scene scene, Application application) {
    this.cluster = scene.cluster();
    this.application = application;
  }

  /**
   * Leaves the resource with its cluster, its job, its finalizer and a status that tells of them.
   * The spec is one of which Sluice makes nothing, so that it does not deploy it.
   */
  public void deploy(Manifest manifest) throws IOException, InterruptedException {
    application.apply(unusable(manifest));
    Resource there = application.await("refused", Resource::observed);
    cluster
        .kubectl()
        .apply(
            Files.readString(DEPLOYED)
                .replace("/tmp/sluice/flink-data", application.state().toString())
                .replace("THE-NAMESPACE", application.namespace())
                .replace("THE-UID", there.uid()));
    FlinkCluster flink = application.flink(HASH);
    await("a TaskManager")
        .pollInterval(Duration.ofMillis(200))
        .until(() -> flink.taskManagers() == 1);
    String job =
        flink.runJar(
            "counter-job.jar", "dev.sluice.sample.CounterJob", "--rate", "25", "--keys", "10");
    await("the job runs")
        .pollInterval(Duration.ofMillis(200))
        .until(() -> flink.counts(job).total() > 0);
    patch("--subresource=status", "--type=merge", "-p", STATUS.formatted(HASH, job));
    patch("--type=json", "-p", FINALIZER);
  }

  private static Manifest unusable(Manifest manifest) {
    return manifest.flinkConfig("not a key", "of Flink");
  }

  private void patch(String... how) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("patch", "flinkapp", application.name()));
    arguments.addAll(List.of("-n", application.namespace()));
    arguments.addAll(List.of(how));
    String unused = cluster.kubectl().run(arguments.toArray(String[]::new));
  }
}
