package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTest {

  @Test
  void noPointIsLeftOutAndNoneComesTwice() {
    List<Point> points = Selection.of("all", "all", "all", "all").points();

    assertThat(Round.of(points).stream().flatMap(it -> it.shares().stream()))
        .flatMap(Round.Share::points)
        .containsExactlyInAnyOrderElementsOf(points);
  }

  @Test
  void theThreeMomentsOfAStepShareOneKillAndOneStartOfAClusterEach() {
    List<Round> rounds = Round.of(Selection.of("upgrade", "worker", "all", "all").points());

    assertThat(rounds).hasSize(1);
    assertThat(rounds.get(0).shares())
        .extracting(Round.Share::moment)
        .containsExactly(KillMoment.BEFORE, KillMoment.DURING, KillMoment.AFTER);
    assertThat(rounds.get(0).shares())
        .allSatisfy(
            it -> assertThat(it.points()).hasSize(DeploymentOperation.UPGRADE.steps().size()));
  }

  @Test
  void operationsOfOneRoundAreOfDifferentJobs() {
    assertThat(Round.of(Selection.of("all", "worker", "all", "all").points()))
        .allSatisfy(
            round ->
                assertThat(round.shares())
                    .extracting(it -> it.operation().kind() + " " + it.line() + " " + it.moment())
                    .doesNotHaveDuplicates());
  }

  @Test
  void aJobIsDeployedFirstAndDeletedLast() {
    assertThat(Round.of(Selection.of("FlinkDeployment", "temporal", "before", "all").points()))
        .extracting(it -> it.shares().get(0).operation())
        .startsWith(DeploymentOperation.DEPLOY, DeploymentOperation.UPGRADE)
        .endsWith(DeploymentOperation.DELETE);
  }
}
