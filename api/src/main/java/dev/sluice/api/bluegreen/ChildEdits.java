package dev.sluice.api.bluegreen;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.SpecDiff;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What somebody changed in the spec of a child, so that it is not what its parent says any more.
 * What a child starts from is its own, and what needs no operation is left out: requests by nonces
 * belong on the child. Pure.
 */
public final class ChildEdits {

  private ChildEdits() {}

  /**
   * What differs, with its path in the spec of the resource that has it.
   *
   * @param reached the last spec that was reached, which the child was made for
   * @param parent name of the parent
   * @param child name of the child: where Apache's operator made it, that stands in it in place of
   *     the name of the parent
   * @param deployment spec of its FlinkDeployment
   * @param sessionJob job of its FlinkSessionJob; null when it is no session cluster
   */
  public static List<SpecChange> of(
      FrozenBlueGreen reached,
      String parent,
      String child,
      FlinkDeploymentSpec deployment,
      @Nullable JobSpec sessionJob) {
    List<SpecChange> edits = of(reached.spec().template(), deployment, sessionJob);
    if (edits.isEmpty()) {
      return edits;
    }
    Optional<List<SpecChange>> byApache =
        reached.withName(parent, child).map(it -> of(it.spec().template(), deployment, sessionJob));
    return byApache.filter(List::isEmpty).orElse(edits);
  }

  private static List<SpecChange> of(
      ChildTemplate template, FlinkDeploymentSpec deployment, @Nullable JobSpec sessionJob) {
    if (sessionJob == null) {
      FlinkDeploymentSpec wanted = template.spec().withIngress(null);
      return edits(withStart(wanted, deployment.job()), deployment).toList();
    }
    SessionTemplate session = SessionTemplate.of(template);
    FlinkDeploymentSpec wanted = session.cluster().withJob(session.job());
    return Stream.concat(
            edits(session.cluster(), deployment),
            edits(withStart(wanted, sessionJob), session.cluster().withJob(sessionJob)))
        .toList();
  }

  private static FlinkDeploymentSpec withStart(FlinkDeploymentSpec wanted, @Nullable JobSpec job) {
    JobSpec own = wanted.job();
    return own == null || job == null
        ? wanted
        : wanted.withJob(
            own.withInitialSavepointPath(job.initialSavepointPath())
                .withFlinkStateSnapshotReference(job.flinkStateSnapshotReference())
                .withSavepointRedeployNonce(job.savepointRedeployNonce()));
  }

  private static Stream<SpecChange> edits(FlinkDeploymentSpec wanted, FlinkDeploymentSpec is) {
    return SpecDiff.between(wanted, is).changes().stream().filter(it -> it.kind().needsOperation());
  }
}
