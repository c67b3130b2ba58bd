package dev.sluice.activities.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which specs ask for a redeployment. Generation 5 is stable and has nonce 1, 7 is the newest.
 * Until a job is recorded to be started by the nonce, it is asked for, whatever is lost meanwhile.
 */
class RedeploymentTest {

  private static final RecordedState RECORDED =
      new RecordedState(
          RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID);

  private final FlinkDeployment resource = Deployed.orders("default");

  private static FlinkDeploymentSpec nonce(Long nonce) {
    return Deployed.SPEC.withJob(
        Deployed.SPEC
            .job()
            .withSavepointRedeployNonce(nonce)
            .withInitialSavepointPath("s3://chosen"));
  }

  private void stands(FlinkDeploymentSpec newest, String frozen, ReconciliationState state) {
    resource.getMetadata().setUid(Refs.UID);
    resource.getMetadata().setGeneration(7L);
    resource.setSpec(newest);
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(frozen)
                .withLastStableSpec(json(nonce(1L), 5))
                .withState(state)));
  }

  private void recorded(Long nonce) {
    resource.setStatus(resource.getStatus().withRecordedState(RECORDED.withRedeployNonce(nonce)));
  }

  private static String json(FlinkDeploymentSpec spec, long generation) {
    return new FrozenSpec(spec, generation, false).toJson();
  }

  private ObservedResource observed() {
    return Stored.of(resource).observed();
  }

  static Stream<Arguments> nonces() {
    return Stream.of(
        arguments(2L, true), arguments(1L, false), arguments(0L, true), arguments(null, false));
  }

  @ParameterizedTest
  @MethodSource("nonces")
  void onlyAnotherNumberThanThatOfTheStableSpecAsks(Long nonce, boolean asks) {
    stands(nonce(nonce), json(nonce(1L), 5), ReconciliationState.DEPLOYED);

    assertThat(observed().newest().target().redeploys()).isEqualTo(asks);
  }

  @Test
  void aFrozenSpecAsksUntilItsStartIsRecorded() {
    stands(nonce(2L), json(nonce(2L), 7), ReconciliationState.UPGRADING);

    assertThat(observed().frozen().redeploys()).isTrue();

    recorded(2L);

    assertThat(observed().frozen().redeploys()).isFalse();
    assertThat(observed().newest().target().redeploys()).isFalse();
  }

  /** 6, without it, was left before it was stable. */
  @Test
  void whatIsRecordedForAnEarlierSpecIsNoRedeployment() {
    stands(nonce(2L), json(nonce(1L), 6), ReconciliationState.UPGRADING);
    recorded(1L);

    assertThat(observed().newest().target().redeploys()).isTrue();
    assertThat(observed().frozen().redeploys()).isFalse();
  }

  /** The way back has its own state, whatever nonce the spec has that is left. */
  @Test
  void aSpecThatIsRolledBackToDoesNotAsk() {
    stands(nonce(2L), json(nonce(3L), 4), ReconciliationState.ROLLING_BACK);

    assertThat(observed().frozen().redeploys()).isFalse();
  }

  @Test
  void aResumeWithAnotherNumberAsks() {
    FlinkDeploymentSpec suspended =
        nonce(1L).withJob(nonce(1L).job().withState(DesiredJobState.SUSPENDED));
    stands(nonce(2L), json(suspended, 6), ReconciliationState.DEPLOYED);
    recorded(1L);

    assertThat(observed().newest().target().redeploys()).isTrue();
  }

  @Test
  void theFirstDeploymentDoesNotAsk() {
    resource.setSpec(nonce(1L));

    assertThat(observed().newest().target().redeploys()).isFalse();
  }
}
