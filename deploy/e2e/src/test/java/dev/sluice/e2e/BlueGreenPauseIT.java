package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.BlueGreen;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.JobTimes;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how long no job writes output when a job is replaced in place, and for how long two do when
 * it is replaced by a transition: the figures of docs/blue-green.md. How long that is depends on
 * the machine; which of the two writes output twice does not.
 */
@OnTestCluster
@Tag("bench")
class BlueGreenPauseIT {

  private static final Logger LOG = LoggerFactory.getLogger(BlueGreenPauseIT.class);
  private static final int ROUNDS = Integer.getInteger("sluice.pause.rounds", 3);

  @Test
  void anUpgradeInPlacePausesAndATransitionDoesNot(Scene scene) throws Exception {
    List<Long> inPlace = inPlace(scene);
    List<Long> bothRun = duplicate(scene);

    LOG.warn("pauses in ms: in place {}; duplicate: none, both run for {}", inPlace, bothRun);
    assertThat(inPlace).allMatch(it -> it > 0);
    assertThat(bothRun).as("the new one runs before the old one ends").allMatch(it -> it > 0);
  }

  private static List<Long> inPlace(Scene scene) throws Exception {
    List<Long> pauses = new ArrayList<>();
    Job job = scene.job("in-place");
    job.deploy(job.manifest());
    for (int round = 1; round <= ROUNDS; round++) {
      String before = job.get().status("/jobStatus/jobId");
      Counts counts = job.counts();
      try (JobTimes times = JobTimes.of(job.flink())) {
        job.apply(job.manifest().restartNonce(round));
        Resource ready =
            job.await(
                "upgraded", it -> it.isReady() && !it.status("/jobStatus/jobId").equals(before));
        Counts after = job.counts();
        pauses.add(times.running(ready.status("/jobStatus/jobId")) - times.ended(before));
        assertNothingTwice(counts, times.counted(before), after);
      }
    }
    job.discard();
    return pauses;
  }

  /** For how long both run. */
  private static List<Long> duplicate(Scene scene) throws Exception {
    List<Long> bothRun = new ArrayList<>();
    List<Long> doubled = new ArrayList<>();
    BlueGreen parent = new BlueGreen(scene, "twice");
    Manifest manifest = parent.child("blue").manifest();
    parent.apply(manifest);
    parent.awaitLive("blue");
    for (int round = 1; round <= ROUNDS; round++) {
      Job old = parent.child(round % 2 == 1 ? "blue" : "green");
      String color = round % 2 == 1 ? "green" : "blue";
      Job next = parent.child(color);
      String before = old.get().status("/jobStatus/jobId");
      Counts counts = old.counts();
      try (JobTimes ofOld = JobTimes.of(old.flink());
          JobTimes ofNext = JobTimes.of(next.flink())) {
        parent.apply(manifest.restartNonce(round));
        parent.awaitLive(color);
        String after = Objects.requireNonNull(next.get().status("/jobStatus/jobId"));
        bothRun.add(ofOld.ended(before) - ofNext.running(after));
        assertThat(next.counts().problemSince(counts)).as("of the new job by itself").isEmpty();
        doubled.add(ofOld.counted(before) - next.counts().restored());
      }
    }
    LOG.warn("duplicate: {} records are processed by both jobs", doubled);
    assertThat(doubled).allMatch(it -> it > 0);
    parent.delete();
    return bothRun;
  }

  /**
   * All that the old job has processed is in the state of the new one, and so is processed by that
   * no more.
   *
   * @param before read while the old job ran
   * @param ofOld what it had counted when it was last seen
   */
  private static void assertNothingTwice(Counts before, long ofOld, Counts after) {
    assertThat(after.problemSince(before)).isEmpty();
    assertThat(after.restored()).isGreaterThanOrEqualTo(ofOld);
  }
}
