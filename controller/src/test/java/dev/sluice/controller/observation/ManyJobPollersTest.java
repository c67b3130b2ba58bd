package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 200 jobs of one controller, ten times as fast as with the defaults: each every 200 ms. */
@Tag("timing")
class ManyJobPollersTest {

  private static final int JOBS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final PollInterval INTERVAL = new PollInterval(Duration.ofMillis(100), 1_000, 3);

  private final FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3);
  private final JobPollers pollers = new JobPollers(flink.client(), INTERVAL);

  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger askedWhenAllHadFailed = new AtomicInteger();

  @AfterEach
  void close() {
    pollers.close();
  }

  @Test
  void each_failed_job_is_told_with_its_next_question() {
    pollAll();
    await().atMost(PATIENCE).until(() -> flink.jobsAsked() >= 3 * JOBS);

    flink.job("job-1", FlinkJobState.FAILED, 0, 3);
    final int asked = flink.jobsAsked();
    await().atMost(PATIENCE).until(() -> askedWhenAllHadFailed.get() > 0);

    // a pause differs by a tenth at most, so none is asked a third time before another's turn
    assertThat(askedWhenAllHadFailed.get() - asked).isLessThanOrEqualTo(2 * JOBS);
  }

  private void pollAll() {
    IntStream.range(0, JOBS)
        .mapToObj(i -> "orders-" + i)
        .forEach(
            key ->
                pollers.poll(
                    key,
                    new PollTarget(
                        Endpoint.of(new ClusterRef("default", key)), "job-1", "subject", "pods"),
                    () -> noteFailure(key)));
  }

  private void noteFailure(String key) {
    if (pollers.observed(key, "subject") instanceof ObservedJob.Answered answered
        && answered.job().orElseThrow().state() == FlinkJobState.FAILED) {
      if (failed.add(key) && failed.size() == JOBS) {
        askedWhenAllHadFailed.set(flink.jobsAsked());
      }
    }
  }
}
