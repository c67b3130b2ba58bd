package dev.sluice.controller;

import dev.sluice.bootstrap.Settings;
import dev.sluice.controller.observation.PollInterval;
import dev.sluice.workflows.operation.LaneSignals;
import java.time.Duration;
import java.util.List;

/**
 * What the controller is configured with, beside {@link dev.sluice.bootstrap.ProcessSettings}.
 *
 * @param namespaces {@code SLUICE_WATCH_NAMESPACES}, commas between; empty watches every namespace
 * @param taskQueue {@code SLUICE_TASK_QUEUE}: what the workers poll
 * @param threads {@code SLUICE_RECONCILE_THREADS}: resources looked at at the same time
 * @param resync {@code SLUICE_RESYNC}, 30 s: how often the lane of an operation at work is looked
 *     after, in case its run was lost
 * @param temporalRetry {@code SLUICE_TEMPORAL_RETRY}, 5 s: how soon Temporal is tried again
 * @param pace {@code SLUICE_POLL_QUICK}, 1 s, while a job is changing; {@code SLUICE_POLL_SLOW}, 15
 *     s, while it is not
 * @param lease leader election
 */
public record ControllerSettings(
    List<String> namespaces,
    String taskQueue,
    int threads,
    Duration resync,
    Duration temporalRetry,
    PollInterval pace,
    Lease lease) {

  /**
   * Leader election: of several controllers one works, the others are ready to.
   *
   * @param enabled {@code SLUICE_LEADER_ELECTION}
   * @param name {@code SLUICE_LEASE_NAME} of the Lease
   * @param namespace {@code SLUICE_LEASE_NAMESPACE}, else the pod's ({@code POD_NAMESPACE})
   * @param identity {@code POD_NAME}; who holds the Lease
   * @param duration {@code SLUICE_LEASE_DURATION}, 15 s
   * @param renewDeadline {@code SLUICE_LEASE_RENEW_DEADLINE}, 10 s
   * @param retryPeriod {@code SLUICE_LEASE_RETRY_PERIOD}, 2 s
   */
  public record Lease(
      boolean enabled,
      String name,
      String namespace,
      String identity,
      Duration duration,
      Duration renewDeadline,
      Duration retryPeriod) {}

  private static final Duration LEAST = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofHours(1);

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  public static ControllerSettings from(Settings settings) {
    PollInterval usual = PollInterval.defaults();
    return new ControllerSettings(
        settings.list("SLUICE_WATCH_NAMESPACES"),
        settings.text("SLUICE_TASK_QUEUE", LaneSignals.TASK_QUEUE),
        settings.integer("SLUICE_RECONCILE_THREADS", 8, 1, 200),
        settings.duration("SLUICE_RESYNC", Duration.ofSeconds(30), LEAST, MOST),
        settings.duration("SLUICE_TEMPORAL_RETRY", Duration.ofSeconds(5), LEAST, MOST),
        new PollInterval(
            settings.duration("SLUICE_POLL_QUICK", usual.quick(), LEAST, MOST),
            settings.duration("SLUICE_POLL_SLOW", usual.slow(), LEAST, MOST),
            usual.patience(),
            usual.failures()),
        lease(settings));
  }

  private static Lease lease(Settings settings) {
    Lease lease =
        new Lease(
            settings.flag("SLUICE_LEADER_ELECTION", true),
            settings.text("SLUICE_LEASE_NAME", "sluice-controller"),
            settings.text("SLUICE_LEASE_NAMESPACE", settings.text("POD_NAMESPACE", "default")),
            settings.text("POD_NAME", "controller-" + ProcessHandle.current().pid()),
            settings.duration("SLUICE_LEASE_DURATION", Duration.ofSeconds(15), LEAST, MOST),
            settings.duration("SLUICE_LEASE_RENEW_DEADLINE", Duration.ofSeconds(10), LEAST, MOST),
            settings.duration("SLUICE_LEASE_RETRY_PERIOD", Duration.ofSeconds(2), LEAST, MOST));
    if (lease.renewDeadline.compareTo(lease.duration) >= 0) {
      settings.problem(
          "SLUICE_LEASE_RENEW_DEADLINE", "a duration shorter than SLUICE_LEASE_DURATION");
    }
    if (lease.retryPeriod.compareTo(lease.renewDeadline) >= 0) {
      settings.problem(
          "SLUICE_LEASE_RETRY_PERIOD", "a duration shorter than SLUICE_LEASE_RENEW_DEADLINE");
    }
    return lease;
  }
}
