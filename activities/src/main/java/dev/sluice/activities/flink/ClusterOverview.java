package dev.sluice.activities.flink;

/** {@code GET /overview}: which Flink it is, and how much room there is. */
public record ClusterOverview(
    String flinkVersion, String flinkCommit, int taskManagers, int slotsTotal) {}
