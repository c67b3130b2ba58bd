package dev.sluice.controller;

import dev.sluice.bootstrap.Settings;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.observation.JobPollers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller is configured with, next to {@link dev.sluice.bootstrap.ProcessSettings}.
 *
 * @param namespaces {@code SLUICE_WATCH_NAMESPACES}, commas between; empty watches every namespace
 * @param namespaceSelector {@code SLUICE_WATCH_NAMESPACE_SELECTOR}: labels of the namespaces that
 *     are watched instead; null where they do not matter
 * @param taskQueue {@code SLUICE_TASK_QUEUE}: the whole name of the queue that the workers poll;
 *     null for the default, which names the Kubernetes cluster
 * @param threads {@code SLUICE_RECONCILE_THREADS}: resources that are reconciled at the same time
 * @param intervals {@code SLUICE_RESYNC} and {@code SLUICE_TEMPORAL_RETRY}
 * @param poll how often each Flink is asked: each {@code SLUICE_POLL_INTERVAL}, 1 s, or less often
 *     where that would be more than {@code SLUICE_FLINK_REQUESTS_PER_SECOND}, 150
 * @param lease leader election
 * @param applications {@code SLUICE_FLINK_APPLICATIONS}: whether FlinkApplications are run
 */
public record ControllerSettings(
    List<String> namespaces,
    @Nullable String namespaceSelector,
    @Nullable String taskQueue,
    int threads,
    ReconcileIntervals intervals,
    JobPollers.Interval poll,
    Lease lease,
    boolean applications) {

  /**
   * Leader election: of several controllers one works, the others are on standby.
   *
   * @param enabled {@code SLUICE_LEADER_ELECTION}
   * @param name {@code SLUICE_LEASE_NAME} of the Lease
   * @param namespace {@code SLUICE_LEASE_NAMESPACE}, else the pod's ({@code POD_NAMESPACE})
   * @param identity {@code POD_NAME}; who holds the Lease
   * @param timing how long it is held
   */
  public record Lease(
      boolean enabled, String name, String namespace, String identity, LeaseTiming timing) {}

  /**
   * How long a Lease is held.
   *
   * @param duration {@code SLUICE_LEASE_DURATION}, 15 s
   * @param renewDeadline {@code SLUICE_LEASE_RENEW_DEADLINE}, 10 s
   * @param retryPeriod {@code SLUICE_LEASE_RETRY_PERIOD}, 2 s
   */
  public record LeaseTiming(Duration duration, Duration renewDeadline, Duration retryPeriod) {}

  /** Half of the threads that reconcile: the others go on while Temporal does not answer. */
  int callsAtTheSameTime() {
    return Math.max(1, threads / 2);
  }

  private static final Duration LEAST = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofHours(1);

  /** Which namespaces are watched, for people. */
  String watched() {
    if (namespaceSelector != null) {
      return "namespaces with " + namespaceSelector;
    }
    return namespaces.isEmpty() ? "all namespaces" : namespaces.toString();
  }

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  public static ControllerSettings from(Settings settings) {
    List<String> namespaces = settings.list("SLUICE_WATCH_NAMESPACES");
    String selector = settings.optionalText("SLUICE_WATCH_NAMESPACE_SELECTOR");
    if (selector != null && !namespaces.isEmpty()) {
      settings.problem(
          "SLUICE_WATCH_NAMESPACE_SELECTOR", "a selector without SLUICE_WATCH_NAMESPACES");
    }
    return new ControllerSettings(
        namespaces,
        selector,
        settings.optionalText("SLUICE_TASK_QUEUE"),
        settings.integer("SLUICE_RECONCILE_THREADS", 8, 1, 200),
        intervals(settings),
        poll(settings),
        lease(settings),
        settings.flag("SLUICE_FLINK_APPLICATIONS", false));
  }

  private static ReconcileIntervals intervals(Settings settings) {
    ReconcileIntervals usual = ReconcileIntervals.defaults();
    return new ReconcileIntervals(
        settings.duration("SLUICE_RESYNC", usual.resync(), LEAST, MOST),
        settings.duration("SLUICE_TEMPORAL_RETRY", usual.temporalRetry(), LEAST, MOST));
  }

  private static JobPollers.Interval poll(Settings settings) {
    JobPollers.Interval usual = JobPollers.Interval.defaults();
    return new JobPollers.Interval(
        settings.duration("SLUICE_POLL_INTERVAL", usual.shortest(), LEAST, MOST),
        settings.integer("SLUICE_FLINK_REQUESTS_PER_SECOND", usual.requestsPerSecond(), 1, 10_000));
  }

  private static Lease lease(Settings settings) {
    LeaseTiming timing =
        new LeaseTiming(
            settings.duration("SLUICE_LEASE_DURATION", Duration.ofSeconds(15), LEAST, MOST),
            settings.duration("SLUICE_LEASE_RENEW_DEADLINE", Duration.ofSeconds(10), LEAST, MOST),
            settings.duration("SLUICE_LEASE_RETRY_PERIOD", Duration.ofSeconds(2), LEAST, MOST));
    if (timing.renewDeadline.compareTo(timing.duration) >= 0) {
      settings.problem(
          "SLUICE_LEASE_RENEW_DEADLINE", "a duration shorter than SLUICE_LEASE_DURATION");
    }
    if (timing.retryPeriod.compareTo(timing.renewDeadline) >= 0) {
      settings.problem(
          "SLUICE_LEASE_RETRY_PERIOD", "a duration shorter than SLUICE_LEASE_RENEW_DEADLINE");
    }
    return new Lease(
        settings.flag("SLUICE_LEADER_ELECTION", true),
        settings.text("SLUICE_LEASE_NAME", "sluice-controller"),
        settings.text("SLUICE_LEASE_NAMESPACE", settings.text("POD_NAMESPACE", "default")),
        settings.text("POD_NAME", "controller-" + ProcessHandle.current().pid()),
        timing);
  }
}
