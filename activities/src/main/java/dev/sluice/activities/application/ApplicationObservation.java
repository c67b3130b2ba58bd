package dev.sluice.activities.application;

import dev.sluice.activities.application.VersionProbe.Answer;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationSeen;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.application.VersionSeen;
import dev.sluice.workflows.model.JobObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an application and its versions until the state of their jobs is determined, or patience
 * ends. What it says of Kubernetes is what the API server said after Flink had answered. One
 * instance for each attempt of the activity.
 */
final class ApplicationObservation {

  private final Instant end;
  private final Supplier<StoredApplication> reads;
  private final Kubernetes kubernetes;
  private final FlinkRest flink;
  private final ClusterAccess access;
  private volatile Probes probes;

  /** What is asked of Kubernetes; blocks. */
  interface Kubernetes {
    /** The cluster of a version. */
    VersionLook look(ApplicationRecord record, VersionRef version);

    /** Clusters of the application with other names. */
    List<VersionRef> leftovers(Set<String> but);

    /** What Lyft's operator has left; null for nothing. */
    @Nullable LyftLeft lyft(StoredApplication application);

    /** The newest spec. */
    WantedVersion newest(StoredApplication application);
  }

  /** The probes of the versions of one record. */
  private record Probes(
      ApplicationRecord record, @Nullable VersionProbe deployed, @Nullable VersionProbe target) {}

  /** What they were answered. */
  private record Answers(@Nullable Answer deployed, @Nullable Answer target) {
    boolean settled() {
      return (deployed == null || deployed.probe().settled())
          && (target == null || target.probe().settled());
    }

    String progress() {
      return Stream.of(deployed, target)
          .flatMap(Stream::ofNullable)
          .filter(answer -> !answer.probe().settled())
          .map(answer -> answer.probe().progress())
          .collect(Collectors.joining("; "));
    }

    Optional<Duration> savepointTimeout() {
      return deployed != null && deployed.probe().job() instanceof JobObservation.Alive alive
          ? Optional.of(Duration.ofMillis(alive.savepointTimeoutMs()))
          : Optional.empty();
    }
  }

  /**
   * Reads once, so it blocks.
   *
   * @param end when patience ends
   * @param reads asks the API server; blocks
   */
  ApplicationObservation(
      Instant end,
      Supplier<StoredApplication> reads,
      Kubernetes kubernetes,
      FlinkRest flink,
      ClusterAccess access) {
    this.end = end;
    this.reads = reads;
    this.kubernetes = kubernetes;
    this.flink = flink;
    this.access = access;
    this.probes = probes(reads.get());
  }

  private Probes probes(StoredApplication application) {
    ApplicationRecord record = application.record();
    return new Probes(
        record, probe(application, record.deployed()), probe(application, record.target()));
  }

  private @Nullable VersionProbe probe(
      StoredApplication application, @Nullable VersionRef version) {
    return version == null
        ? null
        : new VersionProbe(application.version(version), flink, access.clock());
  }

  ProbeResult<ApplicationSeen> look() {
    Probes looking = probes;
    Answers answers = new Answers(answer(looking.deployed()), answer(looking.target()));
    // a cluster that is missing is not waited for
    boolean waits =
        !answers.settled()
            && !isOver()
            && (isWaitedFor(looking.record(), looking.record().deployed(), answers.deployed())
                || isWaitedFor(looking.record(), looking.record().target(), answers.target()));
    return waits ? ProbeResult.notYet(answers.progress()) : conclude(looking, answers);
  }

  private boolean isWaitedFor(
      ApplicationRecord record, @Nullable VersionRef version, @Nullable Answer answer) {
    return version != null
        && answer != null
        && !answer.probe().settled()
        && kubernetes.look(record, version).isThere();
  }

  private static @Nullable Answer answer(@Nullable VersionProbe probe) {
    return probe == null ? null : probe.look();
  }

  private boolean isOver() {
    return !access.clock().instant().isBefore(end);
  }

  /** What Flink was asked must be what the status still says. */
  private ProbeResult<ApplicationSeen> conclude(Probes looked, Answers answers) {
    StoredApplication now = reads.get();
    if (!now.record().standing().equals(looked.record().standing())) {
      probes = probes(now);
      return ProbeResult.notYet("the status has changed meanwhile");
    }
    ApplicationRecord record = now.record();
    VersionLook ofDeployed = look(record, record.deployed());
    VersionLook ofTarget = look(record, record.target());
    boolean mayGo = mayGo(looked.deployed(), ofDeployed) || mayGo(looked.target(), ofTarget);
    if (mayGo && !isOver()) {
      return ProbeResult.notYet("a JobManager has lost its Deployment, and may be about to go");
    }
    VersionSeen deployed = seen(now, looked.deployed(), ofDeployed, answers.deployed());
    VersionSeen target = seen(now, looked.target(), ofTarget, answers.target());
    WantedVersion newest = kubernetes.newest(now);
    LyftLeft lyft = kubernetes.lyft(now);
    return ProbeResult.done(
        new ApplicationSeen(
            now.generation(),
            now.isDeleting(),
            newest.problem(),
            newest.wanted(),
            record,
            deployed,
            target,
            leftovers(now, lyft),
            newest.limits(answers.savepointTimeout()),
            lyft));
  }

  /**
   * What Lyft's operator has deployed and can be taken over is nobody's leftover, unless all of it
   * is being deleted.
   */
  private List<VersionRef> leftovers(StoredApplication now, @Nullable LyftLeft lyft) {
    ApplicationRecord record = now.record();
    boolean takenOver = lyft != null && lyft.running() && record.deployed() == null;
    if (takenOver && !now.isDeleting()) {
      return List.of();
    }
    return kubernetes.leftovers(
        Stream.of(record.deployed(), record.target())
            .filter(Objects::nonNull)
            .map(VersionRef::cluster)
            .collect(Collectors.toSet()));
  }

  private @Nullable VersionLook look(ApplicationRecord record, @Nullable VersionRef version) {
    return version == null ? null : kubernetes.look(record, version);
  }

  private static boolean mayGo(@Nullable VersionProbe probe, @Nullable VersionLook now) {
    return probe != null && now != null && probe.mayGo(now);
  }

  private static @Nullable VersionSeen seen(
      StoredApplication now,
      @Nullable VersionProbe probe,
      @Nullable VersionLook kubernetes,
      @Nullable Answer answer) {
    return probe == null || kubernetes == null || answer == null
        ? null
        : probe.seen(answer, kubernetes, ApplicationStatuses.lastSeen(now.status(), probe.jobId()));
  }
}
