package dev.sluice.workflows.operation;

import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has been asked of a run by signals and is not yet carried out. */
public final class PendingSignals {

  private boolean abortable;
  private long known;
  private long wanted;
  private long ignored;
  private boolean deleteTaken;
  private boolean delete;
  private boolean retry;
  private boolean abortHeld;
  private boolean rollback;
  private @Nullable String abort;

  /**
   * @param known the generation that the run was started for
   * @param abortable false where an abort has no meaning: a rollback is one already
   */
  public PendingSignals(long known, boolean abortable) {
    this.known = known;
    this.wanted = known;
    this.abortable = abortable;
  }

  /** Whether an abort has a meaning from now on. */
  public void abortable(boolean has) {
    abortable = has;
  }

  /** A newer generation counts, an older or equal one does not. */
  public void retarget(long generation) {
    wanted = Math.max(wanted, generation);
  }

  /** The first reason given is kept. */
  public void abort(String reason) {
    if (abort == null) {
      abort = reason.isBlank() ? "no reason given" : reason;
    }
  }

  /** An abort that stays asked for when the operation has reached its target. */
  public void rollback(String reason) {
    abort(reason);
    rollback = true;
  }

  /** Whether a rollback was asked for that no abort has answered. */
  public boolean rollbackAsked() {
    return rollback;
  }

  /** Counts only while the run is held, see {@link #forgetRetry()}. */
  public void retry() {
    retry = true;
  }

  /** The abort is being carried out: from here on it is not asked for any more. */
  public void abortTaken() {
    abort = null;
    rollback = false;
  }

  /** Wins over everything else. */
  public void delete() {
    delete = !deleteTaken;
  }

  /** It is looked at whether the resource is being deleted. */
  public void forgetDelete() {
    delete = false;
  }

  /** The deletion is being carried out. */
  public void deleteTaken() {
    delete = false;
    deleteTaken = true;
  }

  /**
   * The newest spec was observed.
   *
   * @param wantedBefore {@link #wanted()} from before the observation: what was asked for meanwhile
   *     may be newer still
   * @param generation of the newest spec; what was asked for by hand need not exist
   */
  public void observed(long wantedBefore, long generation) {
    wanted = wanted == wantedBefore ? generation : Math.max(wanted, generation);
    known = generation;
  }

  /** The newest generation that was observed, or that the run was started for. */
  public long known() {
    return known;
  }

  /** The newest generation that was asked for. */
  public long wanted() {
    return wanted;
  }

  /**
   * While held, an abort stays asked for but is not answered: the old job may have stopped and its
   * state is not recorded yet, so there is nothing safe to go back to.
   */
  public void holdAbort(boolean hold) {
    abortHeld = hold;
  }

  /** What to do at a safe point, the strongest first; null to go on. */
  public @Nullable Interrupt interrupt() {
    if (delete) {
      return new Interrupt.Delete();
    }
    if (abortable && abort != null) {
      // one that cannot be answered yet still comes before a newer generation
      return abortHeld ? null : new Interrupt.Abort(abort);
    }
    return wanted > known && wanted != ignored ? new Interrupt.Newer(wanted) : null;
  }

  /** The generation that is wanted now is not worth an interruption. */
  public void ignoreNewer() {
    ignored = wanted;
  }

  /** Whether an abort would be answered. */
  public boolean answersAbort() {
    return abortable && !abortHeld;
  }

  /** Whether an abort was asked for and is not answered yet. */
  public boolean abortAsked() {
    return abortable && abort != null;
  }

  /** A retry that came before it was waited for is void. */
  public void forgetRetry() {
    retry = false;
  }

  /** Whether a retry was asked for since {@link #forgetRetry()}. */
  public boolean retryAsked() {
    return retry;
  }

  /** What was requested and is not done yet, as text. */
  public List<String> pending() {
    List<String> pending = new ArrayList<>();
    if (delete) {
      pending.add("delete");
    }
    if (abortable && abort != null) {
      pending.add("abort: " + abort);
    }
    if (wanted > known) {
      pending.add("upgrade to generation " + wanted);
    }
    return pending;
  }
}
