package dev.sluice.workflows.application;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.operation.OperationInput;
import io.temporal.workflow.Workflow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run knows beyond what the status says. */
final class ApplicationMemory {

  private final Map<String, Long> deadlines = new HashMap<>();
  private final Map<String, Integer> silences = new HashMap<>();
  private boolean again;
  private boolean patient;
  private boolean settles;
  private boolean promotionFailed;
  private boolean stuck;
  private boolean cancelGivenUp;
  private @Nullable GivingUp givingUp;
  private @Nullable String savepointFailed;
  private @Nullable String down;
  private @Nullable String submitted;
  private @Nullable String verified;

  /**
   * Why the target is given up.
   *
   * @param state how the operation ends
   * @param reason a documented constant
   * @param why in words
   */
  record GivingUp(OperationState state, String reason, String why) {

    /** A person wants it. */
    static GivingUp asked(String why) {
      return new GivingUp(OperationState.ABORTED, Reasons.ABORTED, why);
    }
  }

  ApplicationMemory(OperationInput input) {
    again = input.retry();
    stuck = input.lostJob() != null;
    givingUp = input.aborts() == null ? null : GivingUp.asked(input.aborts());
  }

  ApplicationAsked asked() {
    return new ApplicationAsked(
        again,
        givingUp == null ? null : givingUp.why(),
        patient,
        savepointFailed,
        down,
        submitted,
        verified,
        promotionFailed,
        stuck);
  }

  /** Null while nothing is given up. */
  @Nullable GivingUp givingUp() {
    return givingUp;
  }

  /** From now on the target is given up; the first reason counts. */
  void givesUp(GivingUp why) {
    givingUp = givingUp == null ? why : givingUp;
  }

  /** It cannot be given up any more. */
  void goesOn() {
    givingUp = null;
  }

  boolean wantsAgain() {
    return again;
  }

  void retryAsked() {
    again = true;
    cancelGivenUp = true;
  }

  /** The run was held, and looks again. */
  void held(boolean retryRequested) {
    again |= retryRequested;
    cancelGivenUp |= retryRequested;
    deadlines.clear();
    if (retryRequested) {
      silences.clear();
    }
  }

  /** The next look waits while something is not known. */
  void settles() {
    settles = true;
  }

  /** Whether this look waits. */
  boolean takesPatience() {
    boolean now = settles;
    settles = false;
    patient |= now;
    return now;
  }

  /** Something was done: what is seen next may have to settle again. */
  void progressed() {
    patient = false;
    settles = false;
  }

  void savepointFailed(String job) {
    savepointFailed = job;
  }

  /** It does not run, and does not come back by itself. */
  void down(@Nullable String job) {
    down = job;
  }

  void submitted(@Nullable String job) {
    submitted = job;
  }

  void verified(String job) {
    verified = job;
  }

  void promotionFailed() {
    promotionFailed = true;
  }

  /** It stays so until the operation has ended: what is tried again may fail again. */
  void stuck() {
    stuck = true;
  }

  /** How often nothing could be found out of that job, this time included. */
  int silent(String job) {
    return silences.merge(job, 1, Integer::sum);
  }

  /** Whether a version is removed whose job cannot be cancelled, because that was requested. */
  boolean removesWithoutCancel() {
    return cancelGivenUp;
  }

  /** A version is frozen: what is known of others is void. */
  void begun() {
    String whose = savepointFailed;
    ended();
    savepointFailed = whose;
  }

  /** The operation has ended: what is asked for from here on is for another one. */
  void ended() {
    progressed();
    stuck = false;
    silences.clear();
    again = false;
    promotionFailed = false;
    cancelGivenUp = false;
    givingUp = null;
    savepointFailed = null;
    down = null;
    submitted = null;
    verified = null;
    deadlines.clear();
  }

  /** An id that no other job or savepoint has, and the same one when the history is replayed. */
  static String newId() {
    return Workflow.randomUUID().toString().replace("-", "");
  }

  /** When that wait is over, however often it is interrupted; ms since the epoch. */
  long deadline(String wait, long limitMs) {
    long now = Workflow.currentTimeMillis();
    return deadlines.computeIfAbsent(wait, it -> now + limitMs);
  }
}
