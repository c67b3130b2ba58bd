package dev.sluice.workflows.operation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has been asked of a run by signals and is not yet carried out. */
public final class PendingSignals {

  private final boolean abortable;
  private long target;
  private long wanted;
  private boolean delete;
  private boolean retry;
  private boolean abortHeld;
  private @Nullable String abort;

  /**
   * @param target the generation that the run goes for
   * @param abortable false where an abort has no meaning: a rollback is one already
   */
  public PendingSignals(long target, boolean abortable) {
    this.target = target;
    this.wanted = target;
    this.abortable = abortable;
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

  /** Counts only while the run is parked, see {@link #forgetRetry()}. */
  public void retry() {
    retry = true;
  }

  /** The abort is being carried out: from here on it is not asked for any more. */
  public void abortTaken() {
    abort = null;
  }

  /** Wins over everything else. */
  public void delete() {
    delete = true;
  }

  /**
   * The spec that the run found and goes for. It may be newer than the one that it was started for,
   * and older when that one was never there: what was asked for by hand need not exist.
   */
  public void targetIs(long generation) {
    wanted = wanted == target ? generation : Math.max(wanted, generation);
    target = generation;
  }

  /**
   * While held, an abort stays asked for but is not answered: the old job has stopped and its state
   * is not recorded yet, so there is nothing safe to go back to.
   */
  public void holdAbort(boolean hold) {
    abortHeld = hold;
  }

  /** What to do at a safe point, the strongest first; null to go on. */
  public @Nullable Interrupt interrupt() {
    if (delete) {
      return new Interrupt.Delete();
    }
    if (abortable && !abortHeld && abort != null) {
      return new Interrupt.Abort(abort);
    }
    if (wanted > target) {
      return new Interrupt.Newer(wanted);
    }
    return null;
  }

  /**
   * Whether the resource is being deleted: honoured also where it is not safe to stop otherwise.
   */
  public boolean deleteAsked() {
    return delete;
  }

  /** A retry that came before it was waited for is void. */
  public void forgetRetry() {
    retry = false;
  }

  /** Whether a retry was asked for since {@link #forgetRetry()}. */
  public boolean retryAsked() {
    return retry;
  }

  /** For people: what is asked and not yet done. */
  public List<String> pending() {
    List<String> pending = new ArrayList<>();
    if (delete) {
      pending.add("delete");
    }
    if (abortable && abort != null) {
      pending.add("abort: " + abort);
    }
    if (wanted > target) {
      pending.add("go for generation " + wanted);
    }
    return pending;
  }
}
