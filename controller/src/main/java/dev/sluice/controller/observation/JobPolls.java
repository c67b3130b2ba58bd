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
 * Asks Flink about each resource of a kind again and again. The reconciler says what to ask and
 * reads the last answer; it is called when an answer differs from the one before.
 *
 * <p>JOSDK's event source asks a resource no more once its fetcher has thrown, or once a pass was
 * at work while the resource was deleted. So the fetcher never throws, and the reconciler registers
 * each resource, and again each new instance of it.
 *
 * @param <P> the resource
 * @param <T> what is asked
 * @param <A> an answer
 */
public final class JobPolls<P extends HasMetadata, T extends JobPolls.Target, A>
    extends PerResourcePollingEventSource<JobPolls.Answer<A>, P, String> {

  private final Questions<P, T, A> questions;

  /**
   * What is asked of Flink. Questions that are not equal know nothing of each other's answers.
   *
   * <p>{@code key} tells it from other targets of the same resource, {@code subject} is what the
   * answers are about: when it changes, earlier answers are void.
   */
  public interface Target {

    String key();

    String subject();
  }

  /**
   * The last answer.
   *
   * @param key of its target
   * @param subject of its target
   */
  public record Answer<A>(String key, String subject, A said) {}

  /**
   * Asks on these threads.
   *
   * @param period from the end of one pass to the begin of the next one
   * @param question makes what asks for a target; used by one thread at a time
   * @param differs whether the second answer is news after the first one
   */
  JobPolls(
      EventSourceContext<P> context,
      ScheduledExecutorService threads,
      Supplier<Duration> period,
      Function<T, Supplier<A>> question,
      BiPredicate<A, A> differs) {
    this(context, threads, new Questions<>(period, question), differs);
  }

  @SuppressWarnings("unchecked")
  private JobPolls(
      EventSourceContext<P> context,
      ScheduledExecutorService threads,
      Questions<P, T, A> questions,
      BiPredicate<A, A> differs) {
    super(
        (Class<Answer<A>>) (Class<?>) Answer.class,
        context,
        new PerResourcePollingConfigurationBuilder<Answer<A>, P, String>(
                questions, questions.period.get())
            .withExecutorService(threads)
            .withResourceIDMapper(Answer::key)
            .withName("flink")
            .build());
    this.questions = questions;
    setOnUpdateFilter(
        (now, before) ->
            !now.subject().equals(before.subject()) || differs.test(before.said(), now.said()));
  }

  /** From now on asks for these, and for nothing else of that resource. */
  public void poll(P resource, Collection<T> targets) {
    ResourceID id = ResourceID.fromResource(resource);
    String uid = resource.getMetadata().getUid();
    Asked<T, A> known = questions.asked.get(id);
    if (known == null && targets.isEmpty()) {
      return;
    }
    if (known == null || !known.uid.equals(uid)) {
      super.onResourceDeleted(resource); // what is left of an earlier instance
      known = new Asked<>(uid);
      questions.asked.put(id, known);
    }
    known.keep(targets, questions.question);
    super.onResourceCreated(resource);
  }

  /** The last answer that is about this subject. */
  public Optional<A> answer(P resource, String key, String subject) {
    Map<String, Answer<A>> known = cache.get(ResourceID.fromResource(resource));
    return Optional.ofNullable(known == null ? null : known.get(key))
        .filter(it -> it.subject().equals(subject))
        .map(Answer::said);
  }

  /** What asks about the first target of this instance of a resource; null while nothing does. */
  @Nullable Supplier<A> question(ResourceID resource, String uid) {
    Asked<T, A> known = questions.asked.get(resource);
    return known == null || !known.uid.equals(uid)
        ? null
        : known.polls.values().stream().findFirst().map(Poll::question).orElse(null);
  }

  /** How many targets are asked. */
  int size() {
    return questions.asked.values().stream().mapToInt(it -> it.polls.size()).sum();
  }

  @Override
  public void onResourceCreated(P resource) {
    // the reconciler registers it, which knows what to ask
  }

  @Override
  public void onResourceUpdated(P resource, P before) {
    // the reconciler is called, too
  }

  @Override
  public void onResourceDeleted(P resource) {
    questions.asked.remove(ResourceID.fromResource(resource));
    super.onResourceDeleted(resource);
  }

  /** From the cache alone: JOSDK's would ask on the thread that reconciles. */
  @Override
  public Set<Answer<A>> getSecondaryResources(P resource) {
    return getSecondaryResources(ResourceID.fromResource(resource));
  }

  private static final class Questions<P extends HasMetadata, T extends Target, A>
      implements ResourceFetcher<Answer<A>, P> {

    private static final Logger LOG = LoggerFactory.getLogger(JobPolls.class);

    private final Supplier<Duration> period;
    private final Function<T, Supplier<A>> question;
    private final ConcurrentMap<ResourceID, Asked<T, A>> asked = new ConcurrentHashMap<>();

    Questions(Supplier<Duration> period, Function<T, Supplier<A>> question) {
      this.period = period;
      this.question = question;
    }

    @Override
    public Set<Answer<A>> fetchResources(P resource) {
      Asked<T, A> known = asked.get(ResourceID.fromResource(resource));
      try {
        return known == null ? Set.of() : known.ask();
      } catch (RuntimeException failed) {
        LOG.error("Cannot ask Flink about {}", ResourceID.fromResource(resource), failed);
        return Set.of();
      }
    }

    @Override
    public Optional<Duration> fetchDelay(@Nullable Set<Answer<A>> last, P resource) {
      return Optional.of(last == null ? Duration.ZERO : period.get());
    }
  }

  private record Poll<T, A>(T target, Supplier<A> question) {}

  /** What is asked about one instance of a resource. */
  private static final class Asked<T extends Target, A> {

    private final String uid;
    private volatile Map<String, Poll<T, A>> polls = Map.of();

    Asked(String uid) {
      this.uid = uid;
    }

    void keep(Collection<T> targets, Function<T, Supplier<A>> question) {
      Map<String, Poll<T, A>> now = new LinkedHashMap<>();
      for (T target : targets) {
        Poll<T, A> before = polls.get(target.key());
        now.put(
            target.key(),
            before != null && before.target.equals(target)
                ? before
                : new Poll<>(target, question.apply(target)));
      }
      polls = now;
    }

    synchronized Set<Answer<A>> ask() {
      Set<Answer<A>> answers = new LinkedHashSet<>();
      polls
          .values()
          .forEach(
              it ->
                  answers.add(
                      new Answer<>(it.target.key(), it.target.subject(), it.question.get())));
      return answers;
    }
  }
}
