package dev.sluice.api.validation;

/** Checks that belong together. Pure; reports everything that it finds. */
@FunctionalInterface
interface Rule {
  void check(Subject subject, Report report);
}
