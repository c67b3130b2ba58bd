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
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The event source, with the threads of JOSDK's. */
class JobPollsTest {

  private static final int JOBS = 200;
  private static final int HANGING = 20;

  private final FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3);
  private final FakeFlink silent = new FakeFlink();
  private final Map<ResourceID, FlinkDeployment> resources = new ConcurrentHashMap<>();
  private final Map<ResourceID, AtomicInteger> events = new ConcurrentHashMap<>();
  private final JobPollers pollers =
      new JobPollers(flink.client(), new JobPollers.Interval(Duration.ofMillis(10), 10_000));
  private final AtomicBoolean throwing = new AtomicBoolean();
  private final JobPolls<FlinkDeployment, PollTarget, ObservedJob> polls = polls(this::question);
  private final FlinkDeployment orders = resource("orders", "uid-1");

  @AfterEach
  void close() {
    polls.stop();
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
  void reading_asks_nothing() {
    assertThat(polls.getSecondaryResources(orders)).isEmpty();
    assertThat(answer(orders, "a")).isEmpty();

    assertThat(flink.jobsAsked()).isZero();
  }

  @Test
  void a_question_that_throws_is_asked_again() {
    throwing.set(true);
    poll(orders, "a");
    soon().until(() -> flink.jobsAsked() > 3);

    throwing.set(false);

    soon().until(() -> answer(orders, "a").isPresent());
  }

  @Test
  void what_is_not_wanted_any_more_is_not_asked_and_forgotten() {
    poll(orders, "a");
    soon().until(() -> answer(orders, "a").isPresent());

    polls.poll(orders, List.of());

    assertThat(pollers.size()).isZero();
    soon().until(() -> answer(orders, "a").isEmpty());
    int asked = flink.jobsAsked();
    poll(resource("hangs-not", "uid-2"), "a");
    soon().until(() -> silent.jobsAsked() > 5);
    assertThat(flink.jobsAsked()).isEqualTo(asked);
  }

  @Test
  void a_resource_that_was_deleted_and_made_again_is_asked() {
    flink.holds();
    poll(orders, "a");
    soon().until(() -> flink.jobsAsked() == 1);
    resources.remove(ResourceID.fromResource(orders));
    polls.onResourceDeleted(orders);
    flink.release();
    FlinkDeployment again = resource("orders", "uid-2");

    poll(again, "a");

    soon().until(() -> answer(again, "a").isPresent());
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 3);
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
    assertThat(hanging)
        .noneMatch(it -> polls.answer(it, "", "a").filter(Answered.class::isInstance).isPresent());
    assertThat(pollers.size()).isEqualTo(JOBS);
  }

  private Supplier<ObservedJob> question(PollTarget target) {
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

  private JobPolls<FlinkDeployment, PollTarget, ObservedJob> polls(
      Function<PollTarget, Supplier<ObservedJob>> question) {
    var made =
        pollers.of(
            new EventSourceContext<>(cache(), null, null, FlinkDeployment.class),
            question,
            (before, now) -> now.differsFrom(before));
    made.setEventHandler(
        event ->
            events
                .computeIfAbsent(event.getRelatedCustomResourceID(), id -> new AtomicInteger())
                .incrementAndGet());
    made.start();
    return made;
  }

  @SuppressWarnings("unchecked") // of a proxy the type argument is not known
  private IndexerResourceCache<FlinkDeployment> cache() {
    return (IndexerResourceCache<FlinkDeployment>)
        Proxy.newProxyInstance(
            IndexerResourceCache.class.getClassLoader(),
            new Class<?>[] {IndexerResourceCache.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("get");
              return Optional.ofNullable(resources.get((ResourceID) arguments[0]));
            });
  }

  private FlinkDeployment resource(String name, String uid) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName(name).withUid(uid).build());
    resources.put(ResourceID.fromResource(resource), resource);
    return resource;
  }

  private void poll(FlinkDeployment resource, String subject) {
    polls.poll(
        resource,
        List.of(
            new PollTarget(
                "",
                Endpoint.of(new ClusterRef("default", resource.getMetadata().getName())),
                "job-1",
                subject,
                null,
                false)));
  }

  /** The job of the newest answer; a question that was interrupted found the job unreachable. */
  private Optional<Job> answer(FlinkDeployment resource, String subject) {
    return polls
        .answer(resource, "", subject)
        .filter(Answered.class::isInstance)
        .flatMap(it -> ((Answered) it).job());
  }

  private int events(FlinkDeployment resource) {
    return Objects.requireNonNullElse(
            events.get(ResourceID.fromResource(resource)), new AtomicInteger())
        .get();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(5));
  }
}
