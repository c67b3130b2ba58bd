package dev.sluice.e2e.crash;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.crash.Result.Outcome;
import dev.sluice.e2e.job.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One operation of one job: it is held at each of its points, one after the other, and let go. */
final class Track {

  /** So long an operation may take from one step to the next, whatever was killed. */
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  private static final Duration LOOK_AT_RESOURCE = Duration.ofMillis(500);
  private static final int MOST_RETRIES = 3;

  private final Survivor survivor;
  private final Round.Share share;
  private final Verification verification;
  private final Map<Point, Breakpoint> ahead = new LinkedHashMap<>();
  private final List<Result> results = new ArrayList<>();
  private final List<String> retries = new ArrayList<>();
  private @Nullable Point held;
  private @Nullable Hit hit;
  private long since;
  private long looked;
  private boolean over;
  private @Nullable Throwable failure;

  private record Hit(Point point, long at) {}

  Track(Survivor survivor, Round.Share share, Verification verification) {
    this.survivor = survivor;
    this.share = share;
    this.verification = verification;
  }

  Survivor survivor() {
    return survivor;
  }

  Operation operation() {
    return share.operation();
  }

  KillMoment moment() {
    return share.moment();
  }

  /** Makes what the operation needs. */
  void prepare() {
    attempt(
        () -> {
          survivor.prepare(operation());
          verification.begin();
        });
  }

  /** Begins the operation, which is held at its first point. */
  void begin() {
    Moment side = moment() == KillMoment.AFTER ? Moment.AFTER : Moment.BEFORE;
    attempt(
        () -> {
          share.points().stream()
              .filter(it -> isFirstOfType(it.step()))
              .forEach(it -> ahead.put(it, survivor.hold(side, it.step().type())));
          survivor.begin(operation());
          progressed();
        });
  }

  /** Whether it goes on, that is, may still come to a point. */
  boolean isGoing() {
    return !over;
  }

  /** Where it is held; empty while it goes on by itself. */
  Optional<Point> held() {
    return Optional.ofNullable(held);
  }

  /** How long nothing has happened. */
  Duration sinceProgress() {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  /** Looks how far it has come. */
  void look() {
    if (over || held != null) {
      return;
    }
    ahead.entrySet().stream()
        .filter(it -> it.getValue().isReached())
        .findFirst()
        .ifPresentOrElse(it -> arrived(it.getKey()), () -> attempt(this::lookAtResource));
  }

  private void arrived(Point point) {
    settle();
    held = point;
    progressed();
  }

  private void lookAtResource() {
    if (System.nanoTime() - looked < LOOK_AT_RESOURCE.toNanos()) {
      return;
    }
    looked = System.nanoTime();
    Optional<Resource> now;
    try {
      if (survivor.isOver(operation())) {
        settle();
        over = true;
        // a step that it did not take is not to be held in the next operation
        survivor.release();
        return;
      }
      now = survivor.find();
    } catch (KubernetesClientException away) {
      now = Optional.empty();
    }
    now.filter(it -> it.status("/operation/state").equals("Parked")).ifPresent(this::retry);
    if (sinceProgress().compareTo(PATIENCE) > 0) {
      throw new AssertionError(
          "after %s nothing more happens: %s"
              .formatted(
                  PATIENCE, now.map(Resource::toString).orElse("the resource is not there")));
    }
  }

  /** As a person would who reads the message. */
  private void retry(Resource parked) {
    String why = parked.status("/operation/reason");
    String request = parked.status("/operation/message");
    if (!retries.contains(request) && retries.size() < MOST_RETRIES) {
      retries.add(request);
      survivor.annotate("sluice.dev/retry", why + "-" + retries.size());
    }
  }

  /** Lets the step go on, and waits until it does. */
  void release() {
    if (held != null) {
      breakpoint(held).release();
    }
  }

  /** Whether the worker has gone on from where it was held. */
  boolean isPassed() {
    return held == null || breakpoint(held).isPassed();
  }

  /** The process was killed, at this moment. */
  void killed() {
    if (held != null) {
      hit = new Hit(held, System.nanoTime());
      leave();
    }
  }

  /** There was nothing to kill. */
  void notThere() {
    if (held != null) {
      results.add(new Result(held, Outcome.NOT_THERE, 0, ""));
      leave();
    }
  }

  /** The next step of the same type is held instead, if it has a point. */
  private void leave() {
    if (held != null) {
      Breakpoint here = breakpoint(held);
      ahead.remove(held);
      next(held.step())
          .ifPresentOrElse(
              point -> {
                Breakpoint again = here.again();
                again.set();
                ahead.put(point, again);
              },
              here::release);
      held = null;
    }
    progressed();
  }

  private boolean isFirstOfType(Step step) {
    return share.points().stream()
        .map(Point::step)
        .noneMatch(it -> it.type().equals(step.type()) && it.time() < step.time());
  }

  private Optional<Point> next(Step step) {
    return share.points().stream()
        .filter(it -> it.step().type().equals(step.type()) && it.step().time() > step.time())
        .min(Comparator.comparing(it -> it.step().time()));
  }

  private void settle() {
    if (hit != null) {
      long millis = Duration.ofNanos(System.nanoTime() - hit.at()).toMillis();
      Outcome outcome = retries.isEmpty() ? Outcome.PASSED : Outcome.ASKED;
      results.add(new Result(hit.point(), outcome, millis, String.join("; ", retries)));
      retries.clear();
      hit = null;
    }
  }

  /** Checks what is left of it, once nothing is held any more. */
  void verify() {
    attempt(() -> verification.verify());
    verification.close();
  }

  /** Why it did not end as it must; empty when it did. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * What came of its points, each once. All of which something was killed at are in question when
   * it failed; if it failed before anything was killed, all of them.
   *
   * @param evidence where logs and histories are
   */
  List<Result> results(String evidence) {
    if (hit != null) {
      results.add(new Result(hit.point(), Outcome.PASSED, 0, ""));
      hit = null;
    }
    boolean killed = results.stream().anyMatch(Result::killed);
    String note = failure == null ? "" : note(failure, evidence);
    return share.points().stream()
        .map(
            point -> {
              Result known =
                  results.stream()
                      .filter(it -> it.point().equals(point))
                      .findFirst()
                      .orElse(new Result(point, Outcome.NOT_REACHED, 0, ""));
              boolean inQuestion = failure != null && (known.killed() || !killed);
              return inQuestion
                  ? new Result(point, Outcome.IN_QUESTION, known.millis(), note)
                  : known;
            })
        .toList();
  }

  private String note(Throwable why, String evidence) {
    return "%s, %s, %s: %s\n%s"
        .formatted(
            operation(), share.points().get(0).victim(), moment(), why.getMessage(), evidence);
  }

  private Breakpoint breakpoint(Point point) {
    Breakpoint found = ahead.get(point);
    if (found == null) {
      throw new IllegalStateException(point + " is over");
    }
    return found;
  }

  private void progressed() {
    since = System.nanoTime();
  }

  private void attempt(Runnable work) {
    if (failure != null) {
      return;
    }
    try {
      work.run();
    } catch (RuntimeException | AssertionError e) {
      failure = e;
      over = true;
      survivor.release();
    }
  }
}
