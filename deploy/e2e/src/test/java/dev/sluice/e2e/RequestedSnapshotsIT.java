package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.PeriodicRuns;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.testing.Patience;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** FlinkStateSnapshots that the spec of a job asks for: see docs/snapshots.md. */
@Tag("e2e")
@Isolated("it kills the controller")
@OnTestCluster
class RequestedSnapshotsIT {

  private static final String OPERATOR = "kubernetes.operator.";
  private static final String MADE = "made FlinkStateSnapshot ";
  private static final String INFO = "/jobStatus/savepointInfo/";
  private static final String LAST = INFO + "lastSavepoint/";
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** A minute of them. */
  private static final int TIMES = 12;

  @Test
  void aNonceTakesOneSavepointAndAnIntervalOneEachTime(Scene scene) {
    // given
    Job job = scene.deployed("asked");
    Manifest asked = job.applied();
    List<Path> before = job.savepoints();
    // the job may be from a test that has left some
    Set<String> others = names(scene, job, "MANUAL");

    // when
    job.apply(asked.savepointNonce(7));

    // then
    soon().until(() -> manual(scene, job, others).size() == 1);
    String manual = manual(scene, job, others).iterator().next();
    assertThat(manual).startsWith(job.name() + "-savepoint-manual-7-");
    SnapshotOfJob taken = new SnapshotOfJob(scene.cluster(), job, manual);
    taken.await("COMPLETED");
    assertThat(taken.isOnDisk()).isTrue();

    // when
    Manifest periodic =
        asked
            .savepointNonce(7)
            .config(OPERATOR + "savepoint.history.max.count", "100")
            .config(OPERATOR + "savepoint.dispose-on-delete", "true");
    job.apply(periodic.config(OPERATOR + "periodic.savepoint.interval", "5 s"));
    PeriodicRuns runs = new PeriodicRuns(scene.cluster(), job);
    soon().until(() -> runs.ended().size() >= TIMES / 2);
    int beforeKill = made(runs.ended()).size();
    scene.cluster().kill("controller");
    soon().until(() -> runs.ended().size() >= TIMES);
    soon().until(() -> made(runs.ended()).size() >= beforeKill + 2);
    job.apply(periodic);
    soon().until(() -> !runs.isScheduled() && !runs.isOpen());

    // then
    soon()
        .untilAsserted(
            () ->
                assertThat(names(scene, job, "PERIODIC,snapshot.state=COMPLETED"))
                    .containsExactlyInAnyOrderElementsOf(made(runs.ended()))
                    .isEqualTo(names(scene, job, "PERIODIC"))
                    .hasSize(job.savepoints().size() - before.size() - 1));
    List<String> made = made(runs.ended());
    assertThat(made).doesNotHaveDuplicates();
    assertThat(manual(scene, job, others)).containsExactly(manual);
    Resource unused = job.awaitReady();

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
    assertThat(kept).as("the newest").containsExactlyElementsOf(newest(made));
    assertThat(kept)
        .allSatisfy(
            it -> assertThat(new SnapshotOfJob(scene.cluster(), job, it).isOnDisk()).isTrue());
    kept.forEach(it -> new SnapshotOfJob(scene.cluster(), job, it).delete());
    taken.delete();
    withoutTheirResources(scene, job, asked);
  }

  /** As Apache's operator does it in its legacy mode. */
  private static void withoutTheirResources(Scene scene, Job job, Manifest asked) {
    // given
    Manifest legacy =
        asked
            .config(OPERATOR + "snapshot.resource.enabled", "false")
            .config(OPERATOR + "savepoint.history.max.count", "1");
    int before = job.savepoints().size();
    Set<String> manual = names(scene, job, "MANUAL");

    // when
    job.apply(legacy.savepointNonce(8));

    // then
    soon().until(() -> job.get().status(LAST + "triggerNonce").equals("8"));
    Path first = last(job);
    assertThat(first.resolve("_metadata")).exists();
    assertThat(names(scene, job, "MANUAL")).isEqualTo(manual);

    // when
    job.apply(legacy.savepointNonce(9));

    // then
    soon().until(() -> job.get().status(LAST + "triggerNonce").equals("9"));
    soon().until(() -> !Files.exists(first));
    assertThat(last(job).resolve("_metadata")).exists();
    assertThat(job.savepoints()).hasSize(before + 1);
    soon().until(() -> job.get().json().at("/status" + INFO + "savepointHistory").size() == 1);
    Resource unused = job.awaitReady();
  }

  private static Path last(Job job) {
    return Path.of(URI.create(job.get().status(LAST + "location")).getPath());
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(Patience.times(2))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions();
  }

  private static List<String> newest(List<String> made) {
    return made.subList(made.size() - 2, made.size());
  }

  /**
   * The names of the snapshots that were made. Each time has one run; one has none only if the run
   * before had not ended then, and a run makes none only if the snapshot before has not ended.
   */
  private static List<String> made(List<PeriodicRuns.Run> runs) {
    List<String> made = new ArrayList<>();
    Instant next = runs.get(0).due();
    Instant before = Instant.MIN;
    for (PeriodicRuns.Run run : runs) {
      for (; next.isBefore(run.due()); next = next.plus(INTERVAL)) {
        assertThat(before).as("end of the run before %s", next).isAfter(next);
      }
      assertThat(run.due()).isEqualTo(next);
      next = next.plus(INTERVAL);
      before = run.ended();
      if (run.result().startsWith(MADE)) {
        made.add(run.result().substring(MADE.length()));
      } else {
        assertThat(run.result())
            .matches(
                "skipped( \\d+ times in a row)?: FlinkStateSnapshot \\S+ is still being taken|ended: .*");
      }
    }
    return made;
  }

  private static Set<String> manual(Scene scene, Job job, Set<String> others) {
    Set<String> manual = names(scene, job, "MANUAL");
    manual.removeAll(others);
    return manual;
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
