package dev.sluice.controller.observation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.polling.PerResourcePollingConfigurationBuilder;
import io.javaoperatorsdk.operator.processing.event.source.polling.PerResourcePollingEventSource;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls Flink for the resources of one kind. The reconciler sets the targets of a resource and
 * reads the newest answers; it is called when an answer differs from the one before.
 *
 * <p>JOSDK's event source stops polling a resource once its fetcher has thrown, or once the
 * resource was deleted during a pass. So the fetcher never throws, and each new instance of a
 * resource is registered again.
 *
 * @param <P> the resource
 * @param <T> a target
 * @param <A> an answer
 */
public final class JobPolls<P extends HasMetadata, T extends JobPolls.Target, A>
    extends PerResourcePollingEventSource<JobPolls.Answer<A>, P, String> {

  private final Fetcher<P, T, A> fetcher;

  /**
   * One cluster, or one job. The poller of a target is replaced when the target changes in any way.
   *
   * <p>{@code key} distinguishes the targets of one resource. {@code subject} identifies what the
   * answers describe: answers with another subject are not returned.
   */
  public interface Target {

    String key();

    String subject();
  }

  /**
   * The newest answer.
   *
   * @param key of its target
   * @param subject of its target
   */
  public record Answer<A>(String key, String subject, A value) {}

  /**
   * @param threads run the passes
   * @param period from the end of one pass to the begin of the next one
   * @param poller of a target; used by one thread at a time
   * @param differs whether the second answer differs visibly from the first one
   */
  JobPolls(
      EventSourceContext<P> context,
      ScheduledExecutorService threads,
      Supplier<Duration> period,
      Function<T, Supplier<A>> poller,
      BiPredicate<A, A> differs) {
    this(context, threads, new Fetcher<>(period, poller), differs);
  }

  @SuppressWarnings("unchecked") // a class object has no type argument
  private JobPolls(
      EventSourceContext<P> context,
      ScheduledExecutorService threads,
      Fetcher<P, T, A> fetcher,
      BiPredicate<A, A> differs) {
    super(
        (Class<Answer<A>>) (Class<?>) Answer.class,
        context,
        new PerResourcePollingConfigurationBuilder<Answer<A>, P, String>(
                fetcher, fetcher.period.get())
            .withExecutorService(threads)
            .withResourceIDMapper(Answer::key)
            .withName("flink")
            .build());
    this.fetcher = fetcher;
    setOnUpdateFilter(
        (now, before) ->
            !now.subject().equals(before.subject()) || differs.test(before.value(), now.value()));
  }

  /** Replaces the targets of a resource; without any it is not polled. */
  public void poll(P resource, Collection<T> targets) {
    ResourceID id = ResourceID.fromResource(resource);
    String uid = resource.getMetadata().getUid();
    Targets<T, A> known = fetcher.targets.get(id);
    if (known == null && targets.isEmpty()) {
      return;
    }
    if (known == null || !known.uid.equals(uid)) {
      super.onResourceDeleted(resource); // registration of an earlier instance
      known = new Targets<>(uid);
      fetcher.targets.put(id, known);
    }
    known.keep(targets, fetcher.poller);
    super.onResourceCreated(resource);
  }

  /** The newest answer with this subject; empty before there is one. */
  public Optional<A> answer(P resource, String key, String subject) {
    Map<String, Answer<A>> known = cache.get(ResourceID.fromResource(resource));
    return Optional.ofNullable(known == null ? null : known.get(key))
        .filter(it -> it.subject().equals(subject))
        .map(Answer::value);
  }

  /** The poller of the first target of this instance of a resource; null without a target. */
  @Nullable Supplier<A> poller(ResourceID resource, String uid) {
    Targets<T, A> known = fetcher.targets.get(resource);
    return known == null || !known.uid.equals(uid)
        ? null
        : known.polls.values().stream().findFirst().map(Poll::poller).orElse(null);
  }

  /** Number of targets. */
  int size() {
    return fetcher.targets.values().stream().mapToInt(it -> it.polls.size()).sum();
  }

  @Override
  public void onResourceCreated(P resource) {
    // registered by poll(), with its targets
  }

  @Override
  public void onResourceUpdated(P resource, P before) {
    // registered by poll(), with its targets
  }

  @Override
  public void onResourceDeleted(P resource) {
    fetcher.targets.remove(ResourceID.fromResource(resource));
    super.onResourceDeleted(resource);
  }

  /** From the cache alone: JOSDK's method would fetch on the thread that reconciles. */
  @Override
  public Set<Answer<A>> getSecondaryResources(P resource) {
    return getSecondaryResources(ResourceID.fromResource(resource));
  }

  private static final class Fetcher<P extends HasMetadata, T extends Target, A>
      implements ResourceFetcher<Answer<A>, P> {

    private static final Logger LOG = LoggerFactory.getLogger(JobPolls.class);

    private final Supplier<Duration> period;
    private final Function<T, Supplier<A>> poller;
    private final ConcurrentMap<ResourceID, Targets<T, A>> targets = new ConcurrentHashMap<>();

    Fetcher(Supplier<Duration> period, Function<T, Supplier<A>> poller) {
      this.period = period;
      this.poller = poller;
    }

    @Override
    public Set<Answer<A>> fetchResources(P resource) {
      Targets<T, A> known = targets.get(ResourceID.fromResource(resource));
      try {
        return known == null ? Set.of() : known.poll();
      } catch (RuntimeException failed) {
        LOG.error("Cannot poll Flink for {}", ResourceID.fromResource(resource), failed);
        return Set.of();
      }
    }

    @Override
    public Optional<Duration> fetchDelay(@Nullable Set<Answer<A>> last, P resource) {
      return Optional.of(last == null ? Duration.ZERO : period.get());
    }
  }

  private record Poll<T, A>(T target, Supplier<A> poller) {}

  /** The targets of one instance of a resource. */
  private static final class Targets<T extends Target, A> {

    private final String uid;
    private volatile Map<String, Poll<T, A>> polls = Map.of();

    Targets(String uid) {
      this.uid = uid;
    }

    void keep(Collection<T> targets, Function<T, Supplier<A>> poller) {
      Map<String, Poll<T, A>> now = new LinkedHashMap<>();
      for (T target : targets) {
        Poll<T, A> before = polls.get(target.key());
        now.put(
            target.key(),
            before != null && before.target.equals(target)
                ? before
                : new Poll<>(target, poller.apply(target)));
      }
      polls = now;
    }

    synchronized Set<Answer<A>> poll() {
      Set<Answer<A>> answers = new LinkedHashSet<>();
      polls
          .values()
          .forEach(
              it ->
                  answers.add(new Answer<>(it.target.key(), it.target.subject(), it.poller.get())));
      return answers;
    }
  }
}
