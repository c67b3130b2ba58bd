package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.operation.OperationInput;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run was asked for and has found out, beyond what can be seen; see {@link TransitionAsked}.
 */
final class TransitionMemory {

  private boolean again;
  private boolean retry;
  private boolean patient;
  private @Nullable String gatesPassed;
  private @Nullable Color ingressAt;
  private boolean wentBack;
  private @Nullable String suspended;
  private boolean delayOver;
  private @Nullable GivingUp givingUp;

  /**
   * Why a transition is given up.
   *
   * @param state how the operation ends
   * @param reason a documented constant
   * @param why in words
   * @param of the transition that it was decided for, as it stood; null when a person wants it,
   *     whatever is under way
   */
  record GivingUp(OperationState state, String reason, String why, @Nullable Begun of) {

    /** A person wants it. */
    static GivingUp asked(String why) {
      return new GivingUp(OperationState.ABORTED, Reasons.ABORTED, why, null);
    }

    /** It cannot succeed. */
    static GivingUp failed(String reason, String why, @Nullable Begun of) {
      return new GivingUp(OperationState.FAILED, reason, why, of);
    }
  }

  TransitionMemory(OperationInput input) {
    again = input.retry();
    retry = input.retry();
    givingUp = input.aborts() == null ? null : GivingUp.asked(input.aborts());
  }

  TransitionAsked asked() {
    return new TransitionAsked(
        again,
        retry,
        givingUp != null,
        patient,
        gatesPassed,
        ingressAt,
        wentBack,
        suspended,
        delayOver);
  }

  /** Null while nothing is given up. */
  @Nullable GivingUp givingUp() {
    return givingUp;
  }

  /** From now on the transition is given up; the first reason counts. */
  void givesUp(GivingUp why) {
    givingUp = givingUp == null ? why : givingUp;
  }

  /**
   * What a run that was reset has decided from what it saw long ago is not true of a transition
   * that has gone on since. A job that is not ready any more has to pass its gates again.
   */
  void sees(BlueGreenSeen seen) {
    Begun begun = seen.standing().transition();
    if (givingUp != null && givingUp.of() != null && !isOf(givingUp.of(), begun)) {
      givingUp = null;
    }
    boolean ready =
        begun != null
            && seen.child(begun.to()).filter(it -> it.phase() instanceof Phase.Ready).isPresent();
    if (!ready) {
      gatesPassed = null;
    }
  }

  /** A stop of the live job is noted meanwhile; a switch is more. */
  private static boolean isOf(Begun decided, @Nullable Begun now) {
    return now != null
        && decided.isSame(now)
        && Objects.equals(decided.switchedMs(), now.switchedMs());
  }

  /** Something is not as it was seen: so the gates are looked at again. */
  void outdated() {
    gatesPassed = null;
  }

  /** It cannot be given up any more. */
  void goesOn() {
    givingUp = null;
  }

  /** Whether a spec that was given up is wanted again. */
  boolean wantsAgain() {
    return again;
  }

  /** A retry was requested just now. */
  void retryAsked() {
    again = true;
    retry = true;
  }

  /** The run was held; a retry from before counts no more. */
  void held(boolean retryRequested) {
    again |= retryRequested;
    retry = retryRequested;
  }

  void settled() {
    patient = true;
  }

  /** Something was done: what is seen next may have to settle again. */
  void progressed() {
    patient = false;
  }

  void gatesPassed(String uid) {
    gatesPassed = uid;
  }

  void ingressAt(Color child) {
    ingressAt = child;
  }

  void switched(boolean back) {
    ingressAt = null;
    wentBack = back;
    delayOver = false;
  }

  void suspended(String uid) {
    suspended = uid;
  }

  void delayIsOver() {
    delayOver = true;
  }

  /** A transition has begun. */
  void begun() {
    ended();
  }

  /** It has ended: what is asked for from here on is for another one. */
  void ended() {
    again = false;
    retry = false;
    patient = false;
    gatesPassed = null;
    ingressAt = null;
    wentBack = false;
    suspended = null;
    delayOver = false;
    givingUp = null;
  }
}
