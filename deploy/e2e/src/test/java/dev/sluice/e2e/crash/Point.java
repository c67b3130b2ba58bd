package dev.sluice.e2e.crash;

/**
 * One kill that an operation must survive.
 *
 * @param operation what is under way
 * @param step of it
 * @param victim what is killed
 * @param moment when, seen from the step
 */
record Point(Operation operation, Step step, Victim victim, KillMoment moment) {

  /** The command that repeats it, alone or with the other steps of its type. */
  String command(long seed) {
    return ("mvn verify -Pcrash-matrix -Dcrash.operation=%s -Dcrash.process=%s -Dcrash.moment=%s"
            + " -Dcrash.step=%s -Dcrash.seed=%d")
        .formatted(operation, victim, moment, step.type(), seed);
  }

  @Override
  public String toString() {
    return "%s, %s killed %s %s".formatted(operation, victim, moment, step);
  }
}
