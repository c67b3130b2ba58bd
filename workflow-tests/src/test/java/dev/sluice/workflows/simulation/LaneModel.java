package dev.sluice.workflows.simulation;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One resource and its world, which the activities of its lane act on. */
public abstract class LaneModel extends ScriptedCalls {

  /** What runs have said of themselves. */
  public final List<OperationReport> reports = new ArrayList<>();

  /** Ms since the epoch. */
  public LongSupplier clock = () -> 0;

  /** The newest one. */
  public long generation = 1;

  public boolean exists = true;
  public boolean deleting;

  /** A person asked to try again. */
  public boolean retryAsked;

  /** The next effect is carried out twice. */
  public boolean twice;

  /** The next effect is carried out once more, after two others. */
  public boolean onceMore;

  private final List<Runnable> later = new ArrayList<>();
  private int owed;

  /** Before an effect. */
  protected abstract void passTime();

  /** After it: the rules that hold at any time. */
  protected abstract void checkAlways();

  /** A worker that was thought to be lost carries an effect out. */
  protected abstract void comesLate();

  /** An effect, and what the test does at its moments. */
  protected final <T> T effect(String step, Supplier<T> effect) {
    return call(
        step,
        () -> {
          passTime();
          if (!later.isEmpty() && --owed == 0) {
            comesLate();
            later.forEach(Runnable::run);
            later.clear();
          }
          T result = effect.get();
          if (twice) {
            twice = false;
            unlessRefused(effect);
          }
          if (onceMore) {
            onceMore = false;
            owed = 3;
            later.add(() -> unlessRefused(effect));
          }
          checkAlways();
          return result;
        });
  }

  /** An effect without a result. */
  protected final void run(String step, Runnable effect) {
    boolean unused =
        effect(
            step,
            () -> {
              effect.run();
              return true;
            });
  }

  private static <T> void unlessRefused(Supplier<T> effect) {
    try {
      T unused = effect.get();
    } catch (ApplicationFailure refused) {
      // which is right, too
    }
  }

  /** The resource must be there. */
  protected final void requireExists() {
    if (!exists) {
      throw ApplicationFailure.newNonRetryableFailure("gone", FailureType.RESOURCE_GONE);
    }
  }

  /** What was planned for is not there. */
  public static ApplicationFailure outdated(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, FailureType.OUTDATED);
  }

  /** How the newest report says that the operation stands; null before the first. */
  public final @Nullable OperationState operation() {
    return reports.isEmpty() ? null : reports.get(reports.size() - 1).state();
  }

  public final boolean isOperationOpen() {
    OperationState state = operation();
    return state != null && state.isOpen();
  }

  public final String lastMessage() {
    return reports.isEmpty() ? "" : reports.get(reports.size() - 1).message();
  }

  /** Whether the finalizer may go. */
  final boolean isRemoved() {
    return !reports.isEmpty()
        && reports.get(reports.size() - 1).run().operation().equals("Delete")
        && operation() == OperationState.SUCCEEDED;
  }
}
