package dev.sluice.workflows.application;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationDecision.Begin;
import dev.sluice.workflows.application.ApplicationDecision.GiveUp;
import dev.sluice.workflows.application.ApplicationDecision.GoOn;
import dev.sluice.workflows.application.ApplicationDecision.Hold;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationDecision.Recover;
import dev.sluice.workflows.application.ApplicationDecision.RollBack;
import dev.sluice.workflows.application.ApplicationDecision.Stage;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs on the clusters of an application that none of its versions has: somebody has submitted
 * them. They are not deleted with a cluster unless the application is, and no job is started next
 * to them.
 */
final class OtherJobs {

  private OtherJobs() {}

  /** Those on the cluster of that version. */
  static List<String> of(ApplicationRecord record, VersionSeen seen) {
    Set<String> known = known(record);
    return seen.otherJobs().stream().filter(id -> !known.contains(id)).toList();
  }

  private static Set<String> known(ApplicationRecord record) {
    Start start = record.start();
    return Stream.of(
            record.deployed() == null ? null : record.deployed().jobId(),
            record.target() == null ? null : record.target().jobId(),
            start == null ? null : start.takenFrom(),
            start == null ? null : start.startedJob(),
            record.savepoint() == null ? null : record.savepoint().jobId())
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /** The decision, unless there are some in its way. */
  static ApplicationDecision unless(ApplicationLook look, ApplicationDecision next) {
    return concerned(look, next)
        .filter(seen -> !of(look.record(), seen).isEmpty())
        .findFirst()
        .<ApplicationDecision>map(seen -> hold(look.record(), seen))
        .orElseGet(() -> unlessSilent(look, next));
  }

  /** What is torn down must be seen, unless it is asked for once more. */
  private static ApplicationDecision unlessSilent(ApplicationLook look, ApplicationDecision next) {
    VersionSeen removed = next instanceof TearDown tearDown ? look.of(tearDown.remove()) : null;
    return removed != null && isSilent(removed) && !look.asked().again()
        ? new Hold(
            true,
            Reasons.JOB_MANAGER_SILENT,
            "The JobManager of %s does not answer. To remove it all the same request sluice.dev/retry"
                .formatted(removed.version().display()))
        : next;
  }

  private static boolean isSilent(VersionSeen seen) {
    return seen.cluster() != Cluster.MISSING && seen.job() instanceof JobObservation.Unreachable;
  }

  private static Hold hold(ApplicationRecord record, VersionSeen seen) {
    return new Hold(
        false,
        Reasons.OTHER_JOBS,
        "Cluster %s runs jobs that are not of this application: %s. Cancel them"
            .formatted(seen.version().display(), String.join(", ", of(record, seen))));
  }

  /** The versions whose cluster is deleted, at once or in the end, or gets a job. */
  private static Stream<VersionSeen> concerned(ApplicationLook look, ApplicationDecision next) {
    VersionSeen deployed = look.seen().deployed();
    VersionSeen target = look.isInPlace() ? null : look.seen().target();
    if (next instanceof Begin begin) {
      return some(target, begin.kind() == Kind.BESIDE ? null : withJob(deployed));
    }
    if (next instanceof GoOn goOn) {
      boolean stops = goOn.stage() == Stage.TAKE_STATE && look.record().savepoint() == null;
      return some(stops && !look.isBeside() ? withJob(deployed) : null);
    }
    if (next instanceof GiveUp || next instanceof RollBack) {
      return some(target);
    }
    if (next instanceof TearDown tearDown) {
      return some(look.of(tearDown.remove()));
    }
    if (next instanceof Recover recover) {
      VersionSeen lost = look.of(recover.version());
      return some(lost != null && lost.job() instanceof JobObservation.Alive ? null : lost);
    }
    return Stream.empty();
  }

  private static Stream<VersionSeen> some(@Nullable VersionSeen... seen) {
    return Stream.of(seen).filter(Objects::nonNull);
  }

  /** Of a version whose job is not known, any job may be its own. */
  private static @Nullable VersionSeen withJob(@Nullable VersionSeen seen) {
    return seen == null || seen.version().jobId() == null ? null : seen;
  }
}
