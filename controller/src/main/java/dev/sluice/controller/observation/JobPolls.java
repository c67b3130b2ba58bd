package dev.sluice.controller.observation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls Flink for the resources of one kind. The reconciler sets the targets of a resource and
 * reads the newest answers; it is called when an answer differs from the one before.
 *
 * @param <T> a target; one that changes in any way is polled anew
 * @param <A> an answer
 */
public final class JobPolls<T, A> {

  private static final Logger LOG = LoggerFactory.getLogger(JobPolls.class);

  private final ScheduledExecutorService threads;
  private final Supplier<Duration> pause;
  private final Function<T, Supplier<A>> poller;
  private final BiPredicate<A, A> differs;
  private final Listener listener;
  private final ConcurrentMap<ResourceID, Instance> all = new ConcurrentHashMap<>();

  /** The reconciler of the resources. */
  public interface Listener {

    boolean exists(ResourceID resource);

    /** An answer is the first one of its target, or differs visibly. */
    void changed(ResourceID resource);
  }

  /**
   * @param threads run the passes
   * @param pause from the end of one pass over a target to the begin of the next one
   * @param poller of a target: each call is one pass; used by one thread at a time
   * @param differs whether the second answer differs visibly from the first one
   */
  JobPolls(
      ScheduledExecutorService threads,
      Supplier<Duration> pause,
      Function<T, Supplier<A>> poller,
      BiPredicate<A, A> differs,
      Listener listener) {
    this.threads = threads;
    this.pause = pause;
    this.poller = poller;
    this.differs = differs;
    this.listener = listener;
  }

  /** Replaces the targets of a resource; without any it is not polled. */
  public void poll(HasMetadata resource, Collection<T> targets) {
    String uid = resource.getMetadata().getUid();
    all.compute(
        ResourceID.fromResource(resource),
        (id, known) -> {
          List<Poll> before = known == null ? List.of() : known.polls;
          boolean same = known != null && known.uid.equals(uid);
          List<Poll> now =
              targets.stream()
                  .map(
                      target ->
                          before.stream()
                              .filter(it -> same && it.target.equals(target))
                              .findFirst()
                              .orElseGet(() -> new Poll(id, target)))
                  .toList();
          before.stream().filter(it -> !now.contains(it)).forEach(Poll::end);
          now.stream().filter(it -> !before.contains(it)).forEach(threads::execute);
          return now.isEmpty() ? null : new Instance(uid, now);
        });
  }

  /** The newest answer of the target that matches; empty before there is one. */
  public Optional<A> answer(HasMetadata resource, Predicate<T> target) {
    ResourceID id = ResourceID.fromResource(resource);
    return polls(id, resource.getMetadata().getUid())
        .filter(it -> target.test(it.target))
        .flatMap(it -> Stream.ofNullable(it.answer))
        .findFirst();
  }

  /** The poller of the first target of this instance of a resource; null without a target. */
  @Nullable Supplier<A> poller(ResourceID resource, String uid) {
    return polls(resource, uid).map(it -> it.pass).findFirst().orElse(null);
  }

  private Stream<Poll> polls(ResourceID resource, String uid) {
    Instance known = all.get(resource);
    return known == null || !known.uid.equals(uid) ? Stream.empty() : known.polls.stream();
  }

  /** The resource is gone. */
  public void forget(ResourceID resource) {
    Instance known = all.remove(resource);
    if (known != null) {
      known.polls.forEach(Poll::end);
    }
  }

  /** Number of targets. */
  int size() {
    return all.values().stream().mapToInt(it -> it.polls.size()).sum();
  }

  /** The targets of one instance of a resource. */
  private final class Instance {

    private final String uid;
    private final List<Poll> polls;

    Instance(String uid, List<Poll> polls) {
      this.uid = uid;
      this.polls = polls;
    }
  }

  /** The polling of one target: runs again and again until it is ended. */
  private final class Poll implements Runnable {

    private final ResourceID resource;
    private final T target;
    private final Supplier<A> pass;
    private volatile boolean ended;
    private volatile @Nullable A answer;

    Poll(ResourceID resource, T target) {
      this.resource = resource;
      this.target = target;
      this.pass = poller.apply(target);
    }

    void end() {
      ended = true;
    }

    @Override
    public void run() {
      try {
        if (!ended && !listener.exists(resource)) {
          forget(resource); // deleted while a reconciliation set its targets
        }
        if (ended) {
          return;
        }
        A before = answer;
        A now = pass.get();
        answer = now;
        if (!ended && (before == null || differs.test(before, now))) {
          listener.changed(resource);
        }
      } catch (RuntimeException failed) {
        LOG.error("Cannot poll Flink for {}", resource, failed);
      } finally {
        if (!ended) {
          var unused = threads.schedule(this, pause.get().toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    }
  }
}
