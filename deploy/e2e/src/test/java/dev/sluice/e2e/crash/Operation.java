package dev.sluice.e2e.crash;

import java.util.ArrayList;
import java.util.List;

/** The operations on a FlinkDeployment and their steps, as docs/operations.md has them. */
enum Operation {
  DEPLOY("deploy", Clusters.ONE_STARTS, "Observe", "FreezeTarget", "RecordState"),
  UPGRADE(
      "upgrade",
      Clusters.ONE_REPLACES_ANOTHER,
      "Observe",
      "FreezeTarget",
      "StopWithSavepoint",
      "RecordState"),
  LAST_STATE(
      "upgrade-last-state",
      Clusters.ONE_REPLACES_ANOTHER,
      "Observe",
      "FreezeTarget",
      "CancelJob",
      "RecordState"),
  STABLE_AFTER(
      "upgrade-stable-after",
      Clusters.ONE_REPLACES_ANOTHER,
      List.of(
          "Observe",
          "FreezeTarget",
          "StopWithSavepoint",
          "RecordState",
          "DeleteCluster",
          "CreateCluster",
          "AwaitJobManager",
          "AwaitRunning",
          "AwaitStable",
          "MarkStable")),
  STATELESS(
      "upgrade-stateless",
      Clusters.ONE_REPLACES_ANOTHER,
      "Observe",
      "FreezeTarget",
      "CancelJob",
      "RecordState"),
  REDEPLOY(
      "redeploy",
      Clusters.ONE_REPLACES_ANOTHER,
      "Observe",
      "FreezeTarget",
      "StopWithSavepoint",
      "RecordState"),
  SUSPEND(
      "suspend",
      Clusters.ONE_ENDS,
      "Observe",
      "FreezeTarget",
      "StopWithSavepoint",
      "RecordState",
      "DeleteCluster",
      "MarkStable"),
  RESUME("resume", Clusters.ONE_STARTS, "Observe", "FreezeTarget", "RecordState"),
  ROLLBACK(
      "rollback",
      Clusters.ONE_REPLACES_ANOTHER,
      "Observe",
      "FreezeRevision",
      "CancelJob",
      "RecordState"),
  ABORT("abort", Clusters.ONE_REPLACES_ANOTHER, "Observe", "FreezeStable", "RecordState"),
  RECOVER("recover", Clusters.ONE_REPLACES_ANOTHER, "Observe", "FreezeDeployed", "RecordState"),
  DELETE("delete", Clusters.ONE_ENDS, "Observe", "CancelJob", "DeleteCluster", "Report");

  /** What becomes of clusters. */
  enum Clusters {
    ONE_STARTS,
    ONE_REPLACES_ANOTHER,
    ONE_ENDS
  }

  private final String text;
  private final Clusters clusters;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Step> steps;

  Operation(String text, Clusters clusters, String... first) {
    this(text, clusters, withStart(List.of(first), clusters));
  }

  Operation(String text, Clusters clusters, List<String> steps) {
    this.text = text;
    this.clusters = clusters;
    this.steps = Step.of(steps);
  }

  private static List<String> withStart(List<String> first, Clusters clusters) {
    List<String> all = new ArrayList<>(first);
    if (clusters == Clusters.ONE_REPLACES_ANOTHER) {
      all.add("DeleteCluster");
    }
    if (clusters != Clusters.ONE_ENDS) {
      all.addAll(List.of("CreateCluster", "AwaitJobManager", "AwaitRunning", "MarkStable"));
    }
    return List.copyOf(all);
  }

  Clusters clusters() {
    return clusters;
  }

  /**
   * In the order in which an operation that nobody disturbs takes them. A step of which a run has
   * no need is reported as not reached.
   */
  List<Step> steps() {
    return steps;
  }

  @Override
  public String toString() {
    return text;
  }
}
