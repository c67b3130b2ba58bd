package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A scenario in which several things happen. What happens at which call depends on the seed alone,
 * so the same seed walks the same way.
 */
final class RandomWalk {

  private static final int MOST_ACTS = 3;
  private static final int CALLS = 24;

  private RandomWalk() {}

  /** The walk of a seed. */
  static Todo of(long seed) {
    Random random = new Random(seed);
    List<Scenario> scenarios = Scenarios.all();
    Scenario scenario = scenarios.get(random.nextInt(scenarios.size()));
    Map<Integer, List<Planned>> planned = new HashMap<>();
    int acts = 1 + random.nextInt(MOST_ACTS);
    for (int i = 0; i < acts; i++) {
      Act act = Act.values()[random.nextInt(Act.values().length)];
      Point.Moment moment = moment(act, random);
      planned
          .computeIfAbsent(1 + random.nextInt(CALLS), call -> new ArrayList<>())
          .add(new Planned(moment, act));
    }
    String name = "walk-%d (%s)".formatted(seed, scenario.name());
    return new Todo(name, scenario, script(planned));
  }

  private record Planned(Point.Moment moment, Act act) {}

  private static Point.Moment moment(Act act, Random random) {
    while (true) {
      Point.Moment moment = Point.Moment.values()[random.nextInt(Point.Moment.values().length)];
      if (act.fits(moment)) {
        return moment;
      }
    }
  }

  private static Script script(Map<Integer, List<Planned>> planned) {
    return (lane, point) -> {
      for (Planned it : planned.getOrDefault(point.call(), List.of())) {
        if (it.moment() == point.moment()) {
          it.act().happen(lane, point);
        }
      }
    };
  }
}
