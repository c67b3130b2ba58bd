package dev.sluice.activities.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredDeploymentTest {

  private static final String KEY = "kubernetes.operator.job.savepoint-on-deletion";
  private static final String TIMEOUT = "execution.checkpointing.timeout";
  private static final RecordedState RECORDED =
      new RecordedState(
          RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID);

  @ParameterizedTest
  @CsvSource({
    "true, 600000",
    "TRUE, 600000",
    "false, 0",
    "'', 0",
    "yes, 600000", // not readable: the state is kept rather than lost
  })
  void theNewestSpecSaysWhetherADeletionBeginsWithASavepoint(String value, long millis) {
    FlinkDeployment resource = frozen(Deployed.SPEC);
    resource.setSpec(with(Deployed.SPEC, KEY, value));

    assertThat(observed(resource).deletionSavepointMs()).isEqualTo(millis);
  }

  @Test
  void withoutTheKeyOrADeployedSpecADeletionTakesNoSavepoint() {
    FlinkDeployment never = resource();
    never.setSpec(with(Deployed.SPEC, KEY, "true"));

    assertThat(observed(never).deletionSavepointMs()).isZero();
    assertThat(observed(frozen(Deployed.SPEC)).deletionSavepointMs()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"30 min, 1800000", "soon, 600000", "99999999999999 d, 31536000000"})
  void theRunningSpecSaysHowLongASavepointMayTake(String timeout, long millis) {
    FlinkDeployment resource = frozen(with(Deployed.SPEC, TIMEOUT, timeout));
    resource.setSpec(with(Deployed.SPEC, KEY, "true"));

    assertThat(observed(resource).deletionSavepointMs()).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"spec\": 7, \"resource_metadata\": {}}", "null"})
  void aSpecInTheStatusThatCannotBeReadCountsAsAbsent(String unreadable) {
    FlinkDeployment resource =
        with(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(unreadable)
                .withLastStableSpec(unreadable)
                .withState(ReconciliationState.DEPLOYED));
    resource.setSpec(with(Deployed.SPEC, KEY, "true"));

    ObservedResource observed = observed(resource);

    assertThat(observed.frozen()).isNull();
    assertThat(observed.stableGeneration()).isNull();
    assertThat(observed.newest().sameAsFrozen()).isFalse();
    assertThat(observed.unstarted()).isNull(); // it proves that something was deployed
    assertThat(observed.deletionSavepointMs()).isEqualTo(600_000);
  }

  @Test
  void anInvalidNewestSpecIsToldWithItsPathsAndDoesNotBecomeTheTarget() {
    FlinkDeployment resource = frozen(Deployed.SPEC);
    resource.setSpec(
        Deployed.SPEC
            .withServiceAccount(null)
            .withConfiguration(
                Deployed.SPEC.configuration().with("kubernetes.cluster-id", "other")));

    ObservedResource observed = observed(resource);

    assertThat(observed.newest().problem())
        .contains("spec.serviceAccount: ", "; ", "spec.flinkConfiguration.kubernetes.cluster-id: ");
    assertThat(observed.frozen().generation()).isEqualTo(1);
  }

  @Test
  void aChangeOfIgnoredFieldsOnlyIsTheSame() {
    FlinkDeployment resource = frozen(Deployed.SPEC);
    resource.getMetadata().setGeneration(2L);
    resource.setSpec(
        Deployed.SPEC.withJob(Deployed.SPEC.job().withUpgradeMode(UpgradeMode.STATELESS)));

    ObservedResource observed = observed(resource);

    assertThat(observed.newest().sameAsFrozen()).isTrue();
    assertThat(observed.newest().problem()).isNull();
    assertThat(observed.newest().target())
        .isEqualTo(
            new Observation.Target(
                2,
                UpgradeMode.STATELESS,
                null,
                Deployed.SPEC.flinkVersion(),
                Observation.StateOptions.DEFAULT,
                false,
                false,
                false));
    assertThat(observed.frozen().generation()).isEqualTo(1);
    assertThat(observed.frozen().upgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
  }

  @ParameterizedTest
  @MethodSource("stateOptions")
  void aTargetSaysWhatItsConfigurationSaysOfState(
      String key, String value, Observation.StateOptions expected) {
    FlinkDeployment resource =
        frozen(Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().with(key, value)));

    assertThat(observed(resource).frozen().options()).isEqualTo(expected);
  }

  static Stream<Arguments> stateOptions() {
    String upgrade = "kubernetes.operator.job.upgrade.";
    String age = upgrade + "last-state.max.allowed.checkpoint.age";
    Observation.StateOptions none = Observation.StateOptions.DEFAULT;
    return Stream.of(
        Arguments.of(
            "high-availability.type",
            "kubernetes",
            new Observation.StateOptions(
                true, true, true, null, false, "KUBERNETES in no directory")),
        Arguments.of("high-availability.type", "NONE", none),
        Arguments.of(
            upgrade + "last-state-fallback.enabled",
            "false",
            new Observation.StateOptions(false, false, true, null, false, null)),
        Arguments.of(upgrade + "last-state-fallback.enabled", "perhaps", none),
        Arguments.of(
            upgrade + "last-state.job-cancel.enabled",
            "FALSE",
            new Observation.StateOptions(false, true, false, null, false, null)),
        Arguments.of(
            age, "10 min", new Observation.StateOptions(false, true, true, 600_000L, false, null)),
        Arguments.of(age, "long", none),
        Arguments.of(age, "0 s", none));
  }

  @Test
  void aRevertIsTheSameAsTheStableSpec() {
    FlinkDeploymentSpec newer = Deployed.SPEC.withImage("flink:2.3");
    FlinkDeployment resource =
        with(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(new FrozenSpec(newer, 2, false).toJson())
                .withLastStableSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
                .withState(ReconciliationState.UPGRADING));
    resource.getMetadata().setGeneration(3L);

    ObservedResource observed = observed(resource);

    assertThat(observed.newest().sameAsStable()).isTrue();
    assertThat(observed.newest().sameAsFrozen()).isFalse();
    assertThat(observed.stableGeneration()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "UPGRADING,    UPGRADING,    true",
    "ROLLING_BACK, ROLLING_BACK, true",
    "DEPLOYED,     IDLE,         false",
    "ROLLED_BACK,  IDLE,         false",
    ",             IDLE,         false"
  })
  void theRecordedStateCountsOnlyWhileAnOperationIsBegun(
      ReconciliationState state, Observation.Phase phase, boolean recorded) {
    FlinkDeployment resource = with(ReconciliationStatus.EMPTY.withState(state));
    resource.setStatus(resource.getStatus().withRecordedState(RECORDED));

    ObservedResource observed = observed(resource);

    assertThat(observed.phase()).isEqualTo(phase);
    assertThat(observed.recorded())
        .isEqualTo(
            recorded
                ? new RestorePoint(
                    new StateRef.Savepoint("file:/s"), Refs.JOB_ID, Refs.OTHER_JOB_ID)
                : null);
  }

  @Test
  void whatCannotBeUnderstoodAboutStabilityIsAProblemOfTheNewestSpec() {
    FlinkDeployment resource = frozen(Deployed.SPEC);
    resource.getMetadata().setAnnotations(Map.of(Annotations.STABLE_AFTER, "soon"));

    StoredResource stored = stored(resource);

    assertThat(stored.stableAfter()).isEmpty();
    assertThat(stored.problem()).startsWith("metadata.annotations.sluice.dev/stable-after: must");
  }

  @Test
  void onlyAFirstDeploymentThatLeftNoTraceProvesThatNoJobWasStarted() {
    FlinkDeployment later =
        with(
            ReconciliationStatus.EMPTY.withLastReconciledSpec(
                new FrozenSpec(Deployed.SPEC, 2, false).toJson()));
    FlinkDeployment recorded = frozen(Deployed.SPEC);
    recorded.setStatus(recorded.getStatus().withRecordedState(RECORDED));
    FlinkDeployment seen = frozen(Deployed.SPEC);
    seen.setStatus(seen.getStatus().withJobStatus(JobStatus.EMPTY.withJobId(Refs.JOB_ID)));

    assertThat(observed(resource()).unstarted()).isEqualTo("nothing was ever deployed");
    assertThat(observed(frozen(Deployed.SPEC)).unstarted())
        .isEqualTo("the first deployment has not created its cluster");
    assertThat(observed(later).unstarted()).isNull();
    assertThat(observed(recorded).unstarted()).isNull();
    assertThat(observed(seen).unstarted()).isNull();
    assertThat(observed(seen).lastJobId()).isEqualTo(Refs.JOB_ID);
  }

  @Test
  void theFirstTargetIsMarkedAsSuchUntilOneWasStable() {
    FlinkDeployment again = frozen(Deployed.SPEC);
    again.getMetadata().setGeneration(2L);
    FlinkDeployment later =
        with(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
                .withLastStableSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson()));

    assertThat(FrozenSpec.parse(stored(again).newest().json()).firstDeployment()).isTrue();
    assertThat(FrozenSpec.parse(stored(again).newest().json()).generation()).isEqualTo(2);
    assertThat(FrozenSpec.parse(stored(later).newest().json()).firstDeployment()).isFalse();
  }

  private static FlinkDeploymentSpec with(FlinkDeploymentSpec spec, String key, String value) {
    return spec.withConfiguration(spec.configuration().with(key, value));
  }

  private static FlinkDeployment resource() {
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setUid(Refs.UID);
    resource.getMetadata().setGeneration(1L);
    return resource;
  }

  private static FlinkDeployment frozen(FlinkDeploymentSpec spec) {
    return with(
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(new FrozenSpec(spec, 1, true).toJson())
            .withState(ReconciliationState.UPGRADING));
  }

  private static FlinkDeployment with(ReconciliationStatus reconciliation) {
    FlinkDeployment resource = resource();
    resource.setStatus(FlinkDeploymentStatus.EMPTY.withReconciliationStatus(reconciliation));
    return resource;
  }

  private static StoredResource stored(FlinkDeployment resource) {
    return Stored.of(resource);
  }

  private static ObservedResource observed(FlinkDeployment resource) {
    return stored(resource).observed();
  }
}
