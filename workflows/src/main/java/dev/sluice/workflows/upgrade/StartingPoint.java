package dev.sluice.workflows.upgrade;

import dev.sluice.workflows.resource.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What the job of a target starts from, in words for people: a first deployment has no state of
 * before, neither to record nor to give up.
 *
 * @param path of the savepoint or checkpoint; null to start empty
 * @param first nothing was ever stable before
 * @param initial the path is the one that the spec names for the very first start
 */
record StartingPoint(@Nullable String path, boolean first, boolean initial) {

  static StartingPoint of(Observation seen, @Nullable String path) {
    return new StartingPoint(
        path, seen.firstDeployment(), path != null && path.equals(seen.initialSavepointPath()));
  }

  /** What the step RecordState is about to do. */
  String summary() {
    if (path == null) {
      return first
          ? "record that the job starts with empty state"
          : "record that the state of the job is given up";
    }
    return first && initial ? "record that the job starts from " + path : "record " + path;
  }

  /** What it came to. */
  String result() {
    if (path == null) {
      return first
          ? "the job starts with empty state"
          : "the state of the job is given up: upgradeMode is stateless";
    }
    return first && initial
        ? "the job starts from spec.job.initialSavepointPath"
        : "the state of the job is recorded";
  }

  /** For the status, which stands by itself. */
  String message() {
    return first && (path == null || initial) ? "first deployment: " + result() : result();
  }
}
