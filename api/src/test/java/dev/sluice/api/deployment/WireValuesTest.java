package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.UpgradeMode;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What stands in manifests and in status is Apache's spelling. */
class WireValuesTest {
  @Test
  void enumsOfTheSpecAreSpeltAsApacheSpellsThem() {
    assertThat(UpgradeMode.values())
        .extracting(UpgradeMode::toString)
        .containsExactly("savepoint", "last-state", "stateless");
    assertThat(DesiredJobState.values())
        .extracting(DesiredJobState::toString)
        .containsExactly("running", "suspended");
    assertThat(KubernetesDeploymentMode.values())
        .extracting(KubernetesDeploymentMode::toString)
        .containsExactly("native", "standalone");
  }

  @ParameterizedTest
  @EnumSource(FlinkVersion.class)
  void versionsAreSpeltByTheirNumbers(FlinkVersion version) {
    assertThat(version.wire()).isEqualTo("v" + version.major() + "_" + version.minor());
    assertThat(version.dotted()).isEqualTo(version.major() + "." + version.minor());
    assertThat(Serialization.unmarshal("\"" + version + "\"", FlinkVersion.class))
        .isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource({"v1_13,false", "v1_14,false", "v1_15,true", "v1_20,true", "v2_4,true"})
  void versionsFrom115OnAreSupported(String wire, boolean supported) {
    assertThat(Serialization.unmarshal("\"" + wire + "\"", FlinkVersion.class).isSupported())
        .isEqualTo(supported);
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"FAILED", "CANCELED", "FINISHED"})
  void threeStatesOfAJobAreForGood(FlinkJobState state) {
    assertThat(state.isGloballyTerminal()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"FAILED", "CANCELED", "FINISHED"},
      mode = EnumSource.Mode.EXCLUDE)
  void noOtherStateOfAJobIs(FlinkJobState state) {
    assertThat(state.isGloballyTerminal()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"RUNNING,true", "PARKED,true", "SUCCEEDED,false", "ABORTED,false", "FAILED,false"})
  void anOperationIsOpenWhileItRunsOrIsParked(OperationState state, boolean open) {
    assertThat(OperationStatus.EMPTY.withState(state).isOpen()).isEqualTo(open);
  }
}
