package dev.sluice.workflows.application;

/**
 * How long the steps of a deployment may take, each by itself, in ms.
 *
 * @param clusterMs until the cluster of a version has its slots
 * @param savepointMs for one savepoint: what Flink lets it take, and a little more
 * @param cancelMs until a cancelled job has ended
 * @param submitMs until Flink has taken a job: its main method runs meanwhile
 * @param jobMs until every task is up
 * @param goneMs until the pods of a deleted cluster are gone
 */
public record VersionLimits(
    long clusterMs, long savepointMs, long cancelMs, long submitMs, long jobMs, long goneMs) {

  /** Where the spec and the operator say nothing. */
  public static final VersionLimits DEFAULT =
      new VersionLimits(900_000, 660_000, 180_000, 360_000, 300_000, 300_000);
}
