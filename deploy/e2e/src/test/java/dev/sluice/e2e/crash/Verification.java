package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/** What must hold after an operation, whatever was killed meanwhile. */
interface Verification extends AutoCloseable {

  /** Looks before the operation begins. */
  void begin();

  /** Checks all of it, and has the survivor remember what the next operation needs. */
  void verify();

  @Override
  void close();

  /**
   * One JobManager, one TaskManager, and no high-availability metadata of another job.
   *
   * @param objects as kind/name
   * @param job its id
   */
  static void verifyOneCluster(List<String> objects, String job) {
    assertThat(objects).as("Deployments").filteredOn(it -> it.startsWith("Deployment/")).hasSize(1);
    assertThat(objects).as("ReplicaSets").filteredOn(it -> it.startsWith("ReplicaSet/")).hasSize(1);
    assertThat(objects).as("pods").filteredOn(it -> it.startsWith("Pod/")).hasSize(2);
    assertThat(objects)
        .as("metadata of jobs")
        .filteredOn(it -> it.matches("ConfigMap/.*[0-9a-f]{32}.*"))
        .allMatch(it -> it.contains(job));
  }

  /**
   * Those that an operation took.
   *
   * @param disturbed a savepoint that failed, or that nobody heard of, is taken again; a job that
   *     was disturbed may have none
   */
  static void verifySavepoints(List<Path> taken, int expected, boolean disturbed) {
    if (disturbed) {
      assertThat(taken.size()).as("savepoints: %s", taken).isBetween(0, expected + 2);
    } else {
      assertThat(taken).as("savepoints").hasSize(expected);
    }
  }
}
