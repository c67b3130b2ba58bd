package dev.sluice.e2e.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A step of an operation.
 *
 * @param type its activity type
 * @param time the how manieth of that type in the operation it is, from 1
 */
record Step(String type, int time) {

  /** In that order; a type that comes again is the next one of its type. */
  static List<Step> of(List<String> types) {
    Map<String, Integer> times = new HashMap<>();
    List<Step> steps = new ArrayList<>();
    types.forEach(it -> steps.add(new Step(it, times.merge(it, 1, Integer::sum))));
    return List.copyOf(steps);
  }

  /** As in reports. */
  @Override
  public String toString() {
    return time == 1 ? type : type + " " + time;
  }
}
