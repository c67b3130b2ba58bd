package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The polling of many clusters, on threads of its own. */
class JobPollsTest {

  private static final int JOBS = 200;
  private static final int HANGING = 20;

  private final FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3);
  private final FakeFlink silent = new FakeFlink();
  private final Set<ResourceID> resources = ConcurrentHashMap.newKeySet();
  private final Map<ResourceID, AtomicInteger> events = new ConcurrentHashMap<>();
  private final JobPollers pollers =
      new JobPollers(flink.client(), new JobPollers.Interval(Duration.ofMillis(10), 10_000));
  private final AtomicBoolean throwing = new AtomicBoolean();
  private final JobPolls<PollTarget, ObservedJob> polls =
      pollers.of(this::poller, (before, now) -> now.differsFrom(before), new Reconciler());
  private final FlinkDeployment orders = resource("orders", "uid-1");

  @AfterEach
  void close() {
    pollers.close();
  }

  @Test
  void an_answer_calls_the_reconciler_once_and_again_when_it_differs() {
    poll(orders, "a");

    soon().until(() -> flink.jobsAsked() > 5);
    assertThat(events(orders)).isEqualTo(1);
    assertThat(answer(orders, "a").orElseThrow().state()).isEqualTo(FlinkJobState.RUNNING);

    flink.job("job-1", FlinkJobState.FAILED, 0, 3);
    soon().until(() -> events(orders) >= 2); // its cause may be an answer of its own
    assertThat(answer(orders, "a").orElseThrow().state()).isEqualTo(FlinkJobState.FAILED);
  }

  @Test
  void an_answer_about_another_subject_is_void() {
    poll(orders, "a");
    soon().until(() -> answer(orders, "a").isPresent());

    assertThat(answer(orders, "b")).isEmpty();
    poll(orders, "b");
    soon().until(() -> answer(orders, "b").isPresent());
    assertThat(events(orders)).isEqualTo(2);
  }

  @Test
  void a_poller_that_throws_is_called_again() {
    throwing.set(true);
    poll(orders, "a");
    soon().until(() -> flink.jobsAsked() > 3);

    throwing.set(false);

    soon().until(() -> answer(orders, "a").isPresent());
  }

  @Test
  void what_is_not_wanted_any_more_is_not_asked_and_forgotten() {
    FlinkDeployment other = resource("hangs-not", "uid-2");
    poll(orders, "a");
    poll(other, "a");
    soon().until(() -> answer(orders, "a").isPresent());

    polls.poll(orders, List.of());
    assertThat(answer(orders, "a")).isEmpty();
    resources.remove(ResourceID.fromResource(other)); // deleted, and nobody says so
    soon().until(() -> pollers.size() == 0);

    FlinkDeployment again = resource("orders", "uid-3");
    poll(again, "a");
    soon().until(() -> answer(again, "a").isPresent());
    assertThat(answer(orders, "a")).as("an earlier instance").isEmpty();
  }

  @Test
  void each_of_200_failed_jobs_is_told_although_20_others_hang() {
    silent.holds();
    List<FlinkDeployment> hanging =
        IntStream.range(0, HANGING).mapToObj(i -> resource("hangs-" + i, "uid-h-" + i)).toList();
    List<FlinkDeployment> others =
        IntStream.range(0, JOBS - HANGING)
            .mapToObj(i -> resource("answers-" + i, "uid-a-" + i))
            .toList();
    Stream.concat(hanging.stream(), others.stream()).forEach(it -> poll(it, "a"));
    soon().until(() -> silent.jobsAsked() >= HANGING && flink.jobsAsked() >= 3 * others.size());

    flink.job("job-1", FlinkJobState.FAILED, 0, 3);

    soon()
        .until(
            () ->
                others.stream()
                    .allMatch(it -> answer(it, "a").orElseThrow().state() == FlinkJobState.FAILED));
    assertThat(hanging).noneMatch(it -> answer(it, "a").isPresent());
    assertThat(pollers.size()).isEqualTo(JOBS);
  }

  /** A failed job is told within 2 s: the rest is for the answers and for the status. */
  @ParameterizedTest(name = "{0} clusters, {1} requests per second: each {2} ms")
  @CsvSource({
    "0, 150, 1000",
    "150, 150, 1000",
    "200, 150, 1333",
    "7500, 150, 50000",
    "400, 1, 400000",
    "400, 10000, 1000"
  })
  void the_interval_grows_with_the_number_of_clusters(int clusters, int budget, long millis) {
    assertThat(new JobPollers.Interval(Duration.ofSeconds(1), budget).among(clusters).toMillis())
        .isEqualTo(millis);
    assertThat(JobPollers.Interval.defaults().requestsPerSecond()).isEqualTo(150);
  }

  private Supplier<ObservedJob> poller(PollTarget target) {
    FakeFlink asked = target.endpoint().cluster().clusterId().startsWith("hangs") ? silent : flink;
    ClusterPoll poll = new ClusterPoll(asked.client(), target, new LongAdder());
    return () -> {
      ObservedJob said = poll.get();
      if (throwing.get()) {
        throw new IllegalStateException("a defect");
      }
      return said;
    };
  }

  private final class Reconciler implements JobPolls.Listener {
    @Override
    public boolean exists(ResourceID resource) {
      return resources.contains(resource);
    }

    @Override
    public void changed(ResourceID resource) {
      events.computeIfAbsent(resource, id -> new AtomicInteger()).incrementAndGet();
    }
  }

  private FlinkDeployment resource(String name, String uid) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName(name).withUid(uid).build());
    resources.add(ResourceID.fromResource(resource));
    return resource;
  }

  private void poll(FlinkDeployment resource, String subject) {
    Endpoint endpoint = Endpoint.of(new ClusterRef("default", resource.getMetadata().getName()));
    polls.poll(resource, List.of(new PollTarget(endpoint, "job-1", subject, null, false)));
  }

  private Optional<Job> answer(FlinkDeployment resource, String subject) {
    return polls
        .answer(resource, it -> it.subject().equals(subject))
        .filter(Answered.class::isInstance)
        .flatMap(it -> ((Answered) it).job());
  }

  private int events(FlinkDeployment resource) {
    return events.getOrDefault(ResourceID.fromResource(resource), new AtomicInteger()).get();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(5));
  }
}
