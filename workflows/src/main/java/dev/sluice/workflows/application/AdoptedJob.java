package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the job of a version that Lyft's operator has deployed without a word of its job: the only
 * one that lives on its cluster. A version that is being deployed has none yet.
 */
final class AdoptedJob {

  private final ApplicationLog log;
  private final ApplicationMemory memory;

  AdoptedJob(ApplicationLog log, ApplicationMemory memory) {
    this.log = log;
    this.memory = memory;
  }

  /** Whether it is known which job the deployed version has, or that it has none; else held. */
  boolean isKnown(@Nullable VersionSeen deployed) {
    if (deployed == null || deployed.version().jobId() != null) {
      return true;
    }
    String which = deployed.version().display();
    List<String> jobs = deployed.otherJobs();
    if (deployed.job() instanceof JobObservation.Unreachable silent) {
      if (!memory.asked().patient()) {
        memory.settles();
        return false;
      }
      log.blocked(
          Step.OBSERVE,
          Reasons.JOB_MANAGER_SILENT,
          "It is not known which job %s runs, and %s. If it will never answer again, delete its Deployments"
              .formatted(which, silent.why()));
      return false;
    }
    if (jobs.size() > 1) {
      log.parked(
          Step.OBSERVE,
          Reasons.OTHER_JOBS,
          "It is not known which of its jobs %s is to run: %s. Cancel the others"
              .formatted(which, String.join(", ", jobs)));
      return false;
    }
    return jobs.isEmpty();
  }

  /** Whether the job of a version was found now, and is written. */
  boolean isFound(ApplicationSeen seen) {
    ApplicationRecord known = log.known();
    if (known.phase() == ApplicationPhase.DELETING) {
      return false;
    }
    VersionRef deployed = found(seen.deployed());
    VersionRef target = found(seen.target());
    if (deployed != null) {
      write(known.with(deployed, known.target()), deployed);
      return true;
    }
    if (target != null && target.adopted()) {
      write(known.with(known.deployed(), target), target);
      return true;
    }
    return false;
  }

  /** The version with its job; null where that is known already, or not now. */
  private static @Nullable VersionRef found(@Nullable VersionSeen seen) {
    return seen == null || seen.version().jobId() != null || seen.otherJobs().size() != 1
        ? null
        : seen.version().running(seen.otherJobs().get(0));
  }

  private void write(ApplicationRecord next, VersionRef found) {
    log.write(
        next,
        Step.RECORD_VERSIONS,
        "The job of %s is %s, the only one on its cluster"
            .formatted(found.display(), found.jobId()),
        null);
  }
}
