package dev.sluice.api.validation;

/** A few checks that belong together. Pure; reports everything it finds. */
@FunctionalInterface
interface Rule {
  void check(Subject subject, Report report);
}
