package dev.sluice.activities.application;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Counts;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.workflows.application.ApplicationActivities.VersionRequest;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The application {@code default/orders} and a version of it. */
final class Applications {

  static final ResourceRef RESOURCE =
      new ResourceRef("99999999-kube-system", FlinkApplication.KIND, "default", "orders", "uid-1");

  static final FlinkApplicationSpec SPEC =
      Serialization.unmarshal(
          """
          image: registry.example.com/orders:1.0
          flinkVersion: "1.20"
          flinkConfig: {state.savepoints.dir: "file:/savepoints"}
          jarName: 0_orders.jar
          parallelism: 8
          entryClass: org.example.Orders
          programArgs: --topic 'a b'
          uiPort: 8082
          """,
          FlinkApplicationSpec.class);

  private Applications() {}

  /** A version that runs, or is to run, that job. */
  static VersionRef version(String hash, @Nullable Colour colour, @Nullable String jobId) {
    return new VersionRef(hash, "full-" + hash, "orders-" + hash, colour, 3, jobId, false);
  }

  /** The version of most tests. */
  static FrozenVersion version() {
    return new FrozenVersion(RESOURCE, version("1a2b3c4d5e", null, FakeFlink.JOB), SPEC);
  }

  /** A request for it. */
  static VersionRequest request(long deadlineMs) {
    VersionRef version = version().ref();
    return new VersionRequest(
        RESOURCE,
        ApplicationRecord.NONE.in(ApplicationPhase.SUBMITTING_JOB).with(version, null).standing(),
        version,
        deadlineMs);
  }

  /** Statistics with one checkpoint, that old. */
  static Checkpoints checkpoint(String path, Instant now, Duration age) {
    return statistics(
        1,
        Optional.of(new Completed(7, Kind.CHECKPOINT, Optional.of(path), false, now.minus(age))));
  }

  static Checkpoints statistics(long completed, Optional<Completed> newest) {
    return new Checkpoints(
        new Counts(completed, 0, 0),
        newest,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
