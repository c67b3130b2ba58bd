package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.SnapshotOfJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** FlinkStateSnapshots that the spec of a job asks for: see docs/snapshots.md. */
@Order(Integer.MAX_VALUE - 5)
@OnTestCluster
class RequestedSnapshotsIT {

  private static final String OPERATOR = "kubernetes.operator.";

  @Test
  void aNonceTakesOneSavepointAndAnIntervalOneEachTime(Scene scene) {
    // given
    Job job = scene.runningJob("asked");
    Manifest asked = job.applied();
    List<Path> before = job.savepoints();

    // when
    job.apply(asked.savepointNonce(7));

    // then
    soon().until(() -> names(scene, job, "MANUAL").size() == 1);
    String manual = names(scene, job, "MANUAL").iterator().next();
    assertThat(manual).startsWith(job.name() + "-savepoint-manual-7-");
    SnapshotOfJob taken = new SnapshotOfJob(scene.cluster(), job, manual);
    taken.await("COMPLETED");
    assertThat(taken.isOnDisk()).isTrue();

    // when
    job.apply(
        asked
            .savepointNonce(7)
            .config(OPERATOR + "periodic.savepoint.interval", "3 s")
            .config(OPERATOR + "savepoint.history.max.count", "2")
            .config(OPERATOR + "savepoint.dispose-on-delete", "true"));
    Set<String> seen = new TreeSet<>();
    soon().until(() -> sawMore(scene, job, seen) >= 2);
    scene.cluster().kill("controller");
    int atKill = seen.size();
    soon().until(() -> sawMore(scene, job, seen) >= atKill + 3);

    // then
    assertThat(names(scene, job, "MANUAL")).containsExactly(manual);
    assertThat(job.get().isReady()).isTrue();

    // when
    Manifest enough = asked.savepointNonce(7).config(OPERATOR + "savepoint.history.max.count", "2");
    job.apply(enough);

    // then
    soon()
        .untilAsserted(
            () -> {
              assertThat(names(scene, job, "PERIODIC,snapshot.state=COMPLETED")).hasSize(2);
              assertThat(names(scene, job, "PERIODIC")).hasSize(2);
              assertThat(job.savepoints()).hasSize(before.size() + 3);
            });
    Set<String> kept = names(scene, job, "PERIODIC");
    assertThat(seen.size()).isGreaterThan(kept.size());
    assertThat(kept)
        .allSatisfy(
            it -> assertThat(new SnapshotOfJob(scene.cluster(), job, it).isOnDisk()).isTrue());
    kept.forEach(it -> new SnapshotOfJob(scene.cluster(), job, it).delete());
    taken.delete();
    job.apply(asked);
    scene.leave(job);
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(500));
  }

  private static int sawMore(Scene scene, Job job, Set<String> seen) {
    seen.addAll(names(scene, job, "PERIODIC"));
    return seen.size();
  }

  private static Set<String> names(Scene scene, Job job, String trigger) {
    String all =
        scene
            .cluster()
            .kubectl()
            .run(
                "get",
                "flinksnp",
                "-n",
                job.namespace(),
                "-l",
                "snapshot.trigger-type=%s,job-reference.name=%s".formatted(trigger, job.name()),
                "-o",
                "jsonpath={.items[*].metadata.name}");
    return new TreeSet<>(all.isBlank() ? List.of() : List.of(all.trim().split(" ")));
  }
}
