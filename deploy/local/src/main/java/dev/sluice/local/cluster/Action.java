package dev.sluice.local.cluster;

import java.util.Map;
import java.util.TreeMap;

/** What has to be done with a part. */
enum Action {
  KEEP,
  START,
  RESTART;

  /**
   * The plan for bringing a cluster up, first part first.
   *
   * @param observed every part there is
   */
  static Map<PartName, Action> plan(Map<PartName, Observation> observed) {
    Map<PartName, Action> plan = new TreeMap<>();
    observed.forEach((part, observation) -> plan.put(part, of(observation)));
    return plan;
  }

  private static Action of(Observation observation) {
    return switch (observation) {
      case READY -> KEEP;
      case NEVER_STARTED, ENDED -> START;
      case OUTDATED, UNREADY -> RESTART;
    };
  }
}
