package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.NeededPaths;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A thousand resources are not parsed again by each reconciliation. */
class NeededIndexTest {

  private final List<String> parsed = new CopyOnWriteArrayList<>();
  private final NeededIndex index =
      new NeededIndex(
          resource -> {
            parsed.add(resource.getMetadata().getUid());
            return NeededPaths.of(List.of((FlinkDeployment) resource));
          });

  private static FlinkDeployment resource(int number, int startedFrom) {
    FlinkDeployment resource =
        Deployed.running()
            .jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath("s3://b/savepoint-" + startedFrom))
            .resource();
    resource.getMetadata().setUid("uid-" + number);
    resource.getMetadata().setResourceVersion("1");
    return resource;
  }

  private static FlinkStateSnapshot savepoint(int number) {
    return MadeSnapshots.periodic(
        SnapshotType.SAVEPOINT, number, Duration.ZERO, SnapshotState.COMPLETED);
  }

  private static List<FlinkDeployment> thousand() {
    return new ArrayList<>(IntStream.range(0, 1_000).mapToObj(i -> resource(i, i)).toList());
  }

  @Test
  void eachResourceIsParsedOnceHoweverManyReconciliationsAsk() {
    List<FlinkDeployment> all = thousand();

    IntStream.range(0, 200)
        .parallel()
        .forEach(i -> assertThat(index.isNeeded(savepoint(5_000 + i), all)).isFalse());

    assertThat(parsed).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void oneThatHasChangedIsParsedAgainAndAlone() {
    List<FlinkDeployment> all = thousand();
    assertThat(index.isNeeded(savepoint(5_000), all)).isFalse();
    parsed.clear();
    FlinkDeployment changed = resource(7, 5_000);
    changed.getMetadata().setResourceVersion("2");
    all.set(7, changed);

    assertThat(index.isNeeded(savepoint(5_000), all)).isTrue();
    assertThat(index.isNeeded(savepoint(7), all)).as("what it needed before").isFalse();
    assertThat(parsed).containsExactly("uid-7");
  }

  @Test
  void whatIsGoneNeedsNothingAndIsForgotten() {
    List<FlinkDeployment> all = thousand();
    assertThat(index.isNeeded(savepoint(5_000), all)).isFalse();
    List<FlinkDeployment> left = all.subList(0, 3);

    assertThat(index.isNeeded(savepoint(7), left)).isFalse();
    parsed.clear();

    assertThat(index.isNeeded(savepoint(7), resource(7, 7))).isTrue();
    assertThat(parsed).containsExactly("uid-7");
  }
}
