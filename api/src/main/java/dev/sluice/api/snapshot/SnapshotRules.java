package dev.sluice.api.snapshot;

/** Rules that the API server checks itself, in CEL, and the words for who breaks them. */
final class SnapshotRules {

  static final String ONE_OF = "has(self.savepoint) != has(self.checkpoint)";

  static final String ONE_OF_MESSAGE = "exactly one of savepoint and checkpoint must be given";

  static final String REFERENCE =
      "has(self.jobReference)"
          + " || (has(self.savepoint) && self.savepoint.?alreadyExists.orValue(false))";

  static final String REFERENCE_MESSAGE =
      "jobReference must be given, unless savepoint.alreadyExists is true";

  private SnapshotRules() {}
}
