package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.BlockingWatcher;
import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.activities.flink.RestTls;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.bootstrap.Settings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KindsTest {

  /** A savepoint that is named by a resource of a kind that is left out would be deleted. */
  @Test
  void all_hasEachKindThatIsDefined() throws IOException {
    List<String> defined = new ArrayList<>();
    for (String folder : List.of("crds", "preview")) {
      try (Stream<Path> files = Files.list(Path.of("../deploy").resolve(folder))) {
        files.map(it -> it.getFileName().toString()).forEach(defined::add);
      }
    }

    try (KubernetesClient client = new KubernetesClientBuilder().build();
        OkHttpFlinkRest flink =
            new OkHttpFlinkRest(
                FlinkRestOptions.defaults(), RestTls.NONE, new SimpleMeterRegistry());
        BlockingWatcher watcher = new BlockingWatcher(null, null)) {
      Kinds kinds =
          new Kinds(
              client,
              WorkerSettings.from(new Settings(Map.of())),
              () -> DefaultConfiguration.NONE,
              Clock.systemUTC(),
              flink,
              new SessionJobStarts(null, null, null),
              new SavepointLimiter(1, Clock.systemUTC(), new SimpleMeterRegistry()),
              Runnable::run,
              watcher,
              clusters -> null);

      assertThat(kinds.all())
          .extracting(it -> HasMetadata.getFullResourceName(it.type()) + "-v1.yml")
          .containsExactlyInAnyOrderElementsOf(defined);
    }
  }
}
