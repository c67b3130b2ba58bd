package dev.sluice.activities.flink;

/** {@code GET /overview}: what runs and how much room there is, in TaskManagers, slots and jobs. */
public record ClusterOverview(
    String flinkVersion,
    String flinkCommit,
    int taskManagers,
    int slotsTotal,
    int slotsAvailable,
    int jobsRunning,
    int jobsFinished,
    int jobsCancelled,
    int jobsFailed) {}
