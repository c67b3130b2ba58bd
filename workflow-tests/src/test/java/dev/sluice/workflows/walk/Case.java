package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.Point.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One act at one moment of one scenario.
 *
 * @param scenario what goes on
 * @param point when it happens; null when nothing does
 * @param act what happens; null when nothing does
 */
record Case(Scenario scenario, @Nullable Point point, @Nullable Act act) {

  /** The scenario as it is. */
  static Case undisturbed(Scenario scenario) {
    return new Case(scenario, null, null);
  }

  /** The name under which it is reported and can be run again. */
  String name() {
    return point == null
        ? scenario.name()
        : "%s/%02d-%s/%s/%s"
            .formatted(scenario.name(), point.call(), point.step(), point.moment(), act);
  }

  /** The case of that name. */
  static Case parse(String name) {
    String[] parts = name.split("/");
    Scenario scenario = Scenarios.named(parts[0]);
    if (parts.length == 1) {
      return undisturbed(scenario);
    }
    List<String> call = List.of(parts[1].split("-", 2));
    return new Case(
        scenario,
        new Point(Integer.parseInt(call.get(0)), call.get(1), Moment.valueOf(parts[2])),
        Act.valueOf(parts[3]));
  }

  Script script() {
    return (lane, now) -> {
      if (now.equals(point) && act != null) {
        act.happen(lane, now);
      }
    };
  }
}
