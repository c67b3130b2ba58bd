package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code savepointRedeployNonce}: the state is given up for a savepoint, and kept to go back to.
 */
class RedeployPlannerTest {

  private static final String PATH = "s3://chosen";

  private static Seen redeploy() {
    return Seen.stable().redeploying(PATH);
  }

  static Stream<Arguments> asked() {
    return Stream.of(
        arguments("runs: a savepoint to go back to", redeploy(), false, "stop old -> s3://chosen"),
        arguments(
            "runs, stateless: all the same",
            redeploy().mode(UpgradeMode.STATELESS),
            false,
            "stop old -> s3://chosen"),
        arguments(
            "runs, retried for another reason: a savepoint all the same",
            redeploy(),
            true,
            "stop old -> s3://chosen"),
        arguments("absent", redeploy().absent(OLD), false, "stop old -> s3://chosen"),
        arguments("absent, retried", redeploy().absent(OLD), true, "none -> s3://chosen"),
        arguments(
            "silent: what its metadata has is given up",
            redeploy().unreachable().highlyAvailable(),
            false,
            "none -> s3://chosen"),
        arguments(
            "the path is missing", Seen.stable().redeploying(null), false, "parked InvalidSpec"),
        arguments(
            "restarting: its newest checkpoint is kept",
            redeploy().state(OLD, FlinkJobState.RESTARTING),
            false,
            "cancel old -> s3://chosen"),
        arguments(
            "restarting, without a checkpoint: its state is given up",
            redeploy()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Empty("none"), false),
            false,
            "discard old -> s3://chosen"),
        arguments(
            "failed", redeploy().ended(OLD, FlinkJobState.FAILED), false, "none -> s3://chosen"),
        arguments(
            "failing: what it leaves shows once it has failed",
            redeploy().state(OLD, FlinkJobState.FAILING),
            false,
            "blocked Blocked"),
        arguments(
            "its state is recorded, and it came back without it",
            Seen.recorded().with(OLD).up(OLD).redeploying(PATH),
            false,
            "discard old -> s3://chosen"),
        arguments("silent", redeploy().unreachable(), false, "none -> s3://chosen"),
        arguments("no cluster", redeploy().noCluster(), false, "none -> s3://chosen"),
        arguments("suspended", Seen.suspended().redeploying(PATH), false, "none -> s3://chosen"),
        arguments(
            "frozen, and nothing recorded",
            Seen.begun().redeploying(PATH),
            false,
            "stop old -> s3://chosen"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("asked")
  void theJobStartsFromTheSavepointOfTheSpec(
      String name, Seen seen, boolean retry, String expected) {
    assertThat(words(seen.decide(true, retry))).isEqualTo(expected);
  }

  @Test
  void aJobThatIsNotUpIsGivenTimeBecauseASavepointIsTheBestToGoBackTo() {
    Seen seen = redeploy().state(OLD, FlinkJobState.RESTARTING);

    assertThat(seen.decide(false, false)).isInstanceOf(Settle.class);
  }

  @Test
  void aMissingDeploymentIsNotWaitedFor() {
    Seen seen = redeploy().noCluster();

    assertThat(words(seen.decide(false, false))).isEqualTo("none -> s3://chosen");
  }

  @Test
  void afterASavepointHasFailedARetryKeepsTheNewestCheckpoint() {
    Seen seen = redeploy();

    assertThat(words(retried(seen, true))).isEqualTo("cancel old -> s3://chosen");
    assertThat(words(retried(seen, false))).isEqualTo("stop old -> s3://chosen");
  }

  private static Decision retried(Seen seen, boolean retry) {
    Tried tried = new Tried(true, retry, FailureType.SAVEPOINT_FAILED, null);
    return new UpgradePlanner(seen.build(), seen.target(), tried).decide();
  }

  /** Its job has not progressed from the path: it starts from there, not empty. */
  @Test
  void aStatelessSpecStartsFromThePathAlsoWhenItIsBegunAgain() {
    Seen seen = Seen.recorded().mode(UpgradeMode.STATELESS).initial("s3://sp-6");

    assertThat(words(seen.decide(true, false))).isEqualTo("none -> s3://sp-6");
  }

  @Test
  void aJobManagerThatHasNoJobYetIsGivenTime() {
    Seen seen = redeploy().absent(OLD);

    assertThat(seen.decide(false, false)).isInstanceOf(Settle.class);
  }

  @Test
  void whatAFailedJobLeftIsWhatIsGoneBackTo() {
    StateRef left = new StateRef.Checkpoint("s3://chk-9");
    Seen seen = redeploy().ended(OLD, FlinkJobState.FAILED).newest(left);

    Decision decision = seen.decide(true, false);

    assertThat(((Proceed) decision).plan().restore())
        .isEqualTo(new Plan.Restore.Instead(new StateRef.Savepoint(PATH), left));
  }

  /** The rollback restores what its job left. */
  @Test
  void aRollbackIsNoRedeployment() {
    Seen seen = Seen.recorded().rollingBack().redeploying(PATH);
    seen.newestGeneration = 8;

    Decision decision =
        new UpgradePlanner(seen.build(), seen.build().frozen(), new Tried(true, false, null, null))
            .decide();

    assertThat(words(decision)).isEqualTo("none -> s3://sp-6");
  }
}
