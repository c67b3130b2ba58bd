package dev.sluice.controller.observation;

import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** A cluster that cannot even be asked, because its address is none. */
class ImpossibleQuestionTest {

  @Test
  void it_counts_as_not_answered_and_is_asked_again() {
    FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3).refusesToAsk(true);
    PollInterval often = new PollInterval(Duration.ofMillis(10), 1_000, 2);
    try (JobPollers pollers = new JobPollers(flink.client(), often)) {
      Endpoint endpoint = Endpoint.of(new ClusterRef("default", "orders"));
      pollers.poll("uid-1", new PollTarget(endpoint, "job-1", "a", "p"), () -> {});
      soon().until(() -> pollers.observed("uid-1", "a") instanceof ObservedJob.Unreachable);

      flink.refusesToAsk(false);

      soon().until(() -> pollers.observed("uid-1", "a") instanceof ObservedJob.Answered);
    }
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(5));
  }
}
