package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The worker on a real API server that has no definition of FlinkStateSnapshots. */
@ExtendWith(ApiServer.WithoutSnapshots.Extension.class)
class WithoutSnapshotDefinitionIT {

  /** Before files are deleted it is asked who else needs them. */
  @Test
  void noneIsMadeAndThoseOfTheWholeClusterAreNone(ApiServer.WithoutSnapshots older)
      throws IOException {
    List<FlinkStateSnapshot> seen = new ArrayList<>();

    try (KubernetesClient worker = WorkerClient.of(older.server())) {
      new AllResources<>(worker, FlinkStateSnapshot.class, Set.of()).forEachServed(seen::add);
      assertThat(
              new SnapshotStore(worker, new ResourceStores(List.of()))
                  .create(
                      RequestedSnapshot.of(
                          SnapshotType.SAVEPOINT,
                          TriggerType.MANUAL,
                          JobKind.FLINK_DEPLOYMENT,
                          new ObjectMetaBuilder()
                              .withName("orders")
                              .withNamespace(older.server().namespace())
                              .withUid("uid")
                              .build(),
                          "5",
                          FlinkConfiguration.empty())))
          .isEmpty();
    }

    assertThat(seen).isEmpty();
  }
}
