package dev.sluice.controller.observation;

import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides when one job is asked for its exceptions, and remembers them: only after its overview has
 * changed in a way that a failure explains. A healthy job is never asked.
 *
 * <p>Flink answers for exceptions from a cache of some seconds, so it is asked with each poll until
 * it tells a new one, at most five times after each change. A job that restarts all the time is
 * asked with each tenth poll; the answer holds what happened in between.
 */
final class ExceptionWatch {

  static final String CAUSE_UNKNOWN = "Flink does not say why";

  /** With a poll each second, longer than {@code web.refresh-interval} (3 s). */
  private static final int MOST_TRIES = 5;

  /** In tenths of a question; each poll gives one back. */
  private static final int QUESTION = 10;

  private static final int MOST_QUESTIONS = 10 * QUESTION;

  private static final Set<FlinkJobState> FAILING =
      EnumSet.of(FlinkJobState.FAILING, FlinkJobState.FAILED, FlinkJobState.RESTARTING);

  private @Nullable JobOverview last;
  private List<Failure> failures = List.of();
  private @Nullable Instant newest;

  /** The newest one when all tasks ran last: what the job has got over. */
  private @Nullable Instant gotOver;

  /** The newest one when the last change was seen. */
  private @Nullable Instant before;

  private int tries;
  private int questions = MOST_QUESTIONS;

  /** Another life of the job, or another job. */
  void forget() {
    last = null;
    failures = List.of();
    newest = null;
    gotOver = null;
    before = null;
    tries = 0;
  }

  /** Notes an overview of the job; returns whether to ask for its exceptions now. */
  boolean isDue(JobOverview now) {
    questions = Math.min(questions + 1, MOST_QUESTIONS);
    if (hints(last, now)) {
      before = newest == null ? toldUntil(last, now) : newest;
      gotOver = newest == null ? before : gotOver;
      tries = MOST_TRIES;
    }
    last = now;
    if (now.isUp() && tries == 0) {
      gotOver = newest;
    }
    boolean failed = now.state() == FlinkJobState.FAILED;
    if (tries == 0 || (!failed && questions < QUESTION)) {
      return false;
    }
    questions = Math.max(0, questions - QUESTION);
    tries--;
    return true;
  }

  /** What happened up to then is no news, although none of it is known: it was up again. */
  private Instant toldUntil(@Nullable JobOverview from, JobOverview to) {
    if (from == null) {
      return to.times().start().minusMillis(1);
    }
    return from.isUp() || before == null ? from.times().lastModification() : before;
  }

  /** Flink has answered, or has not. */
  void learn(@Nullable JobExceptions answer) {
    if (answer == null || answer.latest().isEmpty()) {
      return;
    }
    failures = answer.newestFirst();
    newest = failures.get(0).at();
    if (before == null || newest.isAfter(before)) {
      tries = 0;
    }
  }

  /** What is known of its exceptions, newest first; also those that it got over. */
  List<Failure> failures() {
    return failures;
  }

  /** Why the job does not run; empty while it does, and until Flink has said so. */
  Optional<String> cause() {
    if (last == null || last.isUp()) {
      return Optional.empty();
    }
    boolean failed = last.state() == FlinkJobState.FAILED;
    boolean fresh = newest != null && (gotOver == null || newest.isAfter(gotOver));
    if (fresh || (failed && tries == 0 && newest != null)) {
      return Optional.of(failures.get(0).summary());
    }
    return failed && tries == 0 ? Optional.of(CAUSE_UNKNOWN) : Optional.empty();
  }

  /** Whether a failure explains how the job got from one overview to the next. */
  private static boolean hints(@Nullable JobOverview from, JobOverview to) {
    if (FAILING.contains(to.state())) {
      return from == null || from.state() != to.state();
    }
    if (from == null || !from.isUp()) {
      return false;
    }
    // it may have gone down and come back between two polls; tasks that finish are no failure
    return !to.isUp()
        || (to.times().lastModification().isAfter(from.times().lastModification())
            && to.tasks().in(TaskState.FINISHED) == from.tasks().in(TaskState.FINISHED));
  }
}
