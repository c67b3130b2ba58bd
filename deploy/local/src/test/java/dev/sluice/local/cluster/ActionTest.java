package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionTest {

  @ParameterizedTest
  @CsvSource({
    "NEVER_STARTED, START",
    "ENDED, START",
    "OUTDATED, RESTART",
    "UNREADY, RESTART",
    "READY, KEEP"
  })
  void followsFromWhatIsSeen(Observation seen, Action expected) {
    assertThat(Action.plan(Map.of(PartName.ETCD, seen)))
        .containsExactly(Map.entry(PartName.ETCD, expected));
  }

  @Test
  void leavesHealthyPartsOfAHalfDeadClusterAlone() {
    Map<PartName, Observation> seen = new EnumMap<>(PartName.class);
    seen.put(PartName.ETCD, Observation.READY);
    seen.put(PartName.TEMPORAL, Observation.ENDED);
    seen.put(PartName.KUBE_APISERVER, Observation.UNREADY);

    assertThat(Action.plan(seen))
        .containsExactly(
            Map.entry(PartName.ETCD, Action.KEEP),
            Map.entry(PartName.TEMPORAL, Action.START),
            Map.entry(PartName.KUBE_APISERVER, Action.RESTART));
  }
}
