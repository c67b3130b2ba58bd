package dev.sluice.controller.observation;

import dev.sluice.controller.observation.ClusterProblem.Component;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the pods of a cluster.
 *
 * @param problems those of the JobManager first, and of each the lasting ones first
 * @param review when to look again although nothing may happen before, because time alone makes a
 *     problem count or pass; null when it does not
 */
public record ClusterHealth(List<ClusterProblem> problems, @Nullable Instant review) {

  /** Nothing is known to be wrong. */
  public static final ClusterHealth GOOD = new ClusterHealth(List.of(), null);

  public ClusterHealth {
    problems = List.copyOf(problems);
  }

  /** What is wrong with the JobManager, if anything. */
  public Optional<ClusterProblem> jobManager() {
    return problems.stream().filter(it -> it.component() == Component.JOB_MANAGER).findFirst();
  }

  /** What is to blame when the job does not run, if anything. */
  public Optional<ClusterProblem> worst() {
    return problems.stream()
        .filter(ClusterProblem::lasting)
        .findFirst()
        .or(() -> problems.stream().findFirst());
  }
}
