package dev.sluice.workflows.application;

import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Calls of activities in their order, and what a test does at each moment of each. */
abstract class ModelCalls extends ModelWorld {

  /** What a test does at each moment of each call. */
  interface Script {
    void at(int call, String step, boolean after);
  }

  Script script = (call, step, after) -> {};

  /** The next effect is carried out twice. */
  boolean twice;

  /** The next effect is carried out once more, after two others. */
  boolean onceMore;

  /** It was. */
  boolean hadLate;

  private final List<Runnable> later = new ArrayList<>();
  private int owed;

  final <T> T effect(String step, Supplier<T> effect) {
    steps.add(step);
    int number = steps.size();
    script.at(number, step, false);
    passTime();
    late();
    requireExists();
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
    passTime();
    script.at(number, step, true);
    return result;
  }

  /** A worker that was thought to be lost. */
  private void late() {
    if (!later.isEmpty() && --owed == 0) {
      later.forEach(Runnable::run);
      hadLate = true;
      later.clear();
    }
  }

  final void run(String step, Runnable effect) {
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

  private void requireExists() {
    if (!exists) {
      throw ApplicationFailure.newNonRetryableFailure("gone", FailureType.RESOURCE_GONE);
    }
  }

  static ApplicationFailure outdated(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, FailureType.OUTDATED);
  }

  final void requireStanding(ApplicationActivities.VersionRequest request) {
    if (!record.standing().equals(request.plannedFor())) {
      throw outdated("the status stands as " + record.standing());
    }
  }

  /** What is read from the Deployment of the JobManager must be there. */
  final void requireJobManager(VersionRef version) {
    ModelCluster cluster = cluster(version);
    if (cluster != null && cluster.orphaned) {
      throw outdated("its JobManager has no Deployment");
    }
  }
}
