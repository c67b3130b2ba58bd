package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import dev.sluice.workflows.walk.Point.Moment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each act at each moment of each activity call of each scenario. */
@Tag("walk")
class EveryFaultTest {

  private static final Path REPORT = Path.of("target/walk");

  @Test
  void noRuleIsBroken() throws Exception {
    List<Outcome> broken = new ArrayList<>();
    long start = System.nanoTime();
    int[] count = new int[1];
    try (Cases cases = new Cases()) {
      List<Todo> todo = new ArrayList<>();
      String only = System.getProperty("sluice.walk.case");
      if (only != null) {
        todo.add(Todo.of(Case.parse(only)));
      } else {
        String filter = System.getProperty("sluice.walk.only", "");
        int every = Integer.getInteger("sluice.walk.every", 1);
        List<Case> all = generate(cases);
        for (int i = 0; i < all.size(); i++) {
          if (i % every == 0 && all.get(i).name().matches(filter.isEmpty() ? ".*" : filter)) {
            todo.add(Todo.of(all.get(i)));
          }
        }
      }
      System.out.println(todo.size() + " cases");
      cases.run(
          todo,
          outcome -> {
            count[0]++;
            if (!outcome.violations().isEmpty() || only != null) {
              broken.add(outcome);
              System.out.println(outcome.display());
            }
            if (count[0] % 500 == 0) {
              System.out.printf(
                  "%d cases, %d broken, %d s%n",
                  count[0], broken.size(), (System.nanoTime() - start) / 1_000_000_000);
            }
          });
    }
    System.out.printf(
        "%d cases, %d broken, %d s%n",
        count[0], broken.size(), (System.nanoTime() - start) / 1_000_000_000);
    write(broken);
    assertThat(broken.stream().filter(o -> !o.violations().isEmpty()).map(Outcome::display))
        .isEmpty();
  }

  static List<Case> generate(Cases cases) {
    List<Outcome> undisturbed = new ArrayList<>();
    List<Scenario> scenarios = Scenarios.all();
    cases.run(scenarios.stream().map(Case::undisturbed).map(Todo::of).toList(), undisturbed::add);
    List<Case> all = new ArrayList<>();
    for (int s = 0; s < scenarios.size(); s++) {
      Outcome outcome = undisturbed.get(s);
      for (int call = 1; call <= outcome.steps().size(); call++) {
        for (Moment moment : Moment.values()) {
          String step = outcome.steps().get(call - 1);
          if (moment == Moment.DURING && !HAS_A_MIDDLE.contains(step)) {
            continue;
          }
          for (Act act : Act.values()) {
            if (act.fits(moment)) {
              all.add(new Case(scenarios.get(s), new Point(call, step, moment), act));
            }
          }
        }
      }
    }
    return all;
  }

  private static final List<String> HAS_A_MIDDLE =
      List.of(
          "StopWithSavepoint",
          "CancelJob",
          "DeleteCluster",
          "CreateCluster",
          "AwaitJobManager",
          "AwaitRunning",
          "StopJobManager");

  private static void write(List<Outcome> broken) throws Exception {
    Files.createDirectories(REPORT);
    var byRule = new TreeMap<String, List<String>>();
    StringBuilder text = new StringBuilder();
    broken.sort(Comparator.comparing(Outcome::name));
    for (Outcome outcome : broken) {
      String rule = outcome.violations().toString().replaceAll("[0-9a-f]{32}", "ID");
      byRule
          .computeIfAbsent(rule.substring(0, Math.min(60, rule.length())), r -> new ArrayList<>())
          .add(outcome.name());
      text.append("== ").append(outcome.display()).append("\n");
      outcome.trace().forEach(line -> text.append("      ").append(line).append("\n"));
    }
    Files.writeString(REPORT.resolve("broken.txt"), text);
    StringBuilder rules = new StringBuilder();
    byRule.forEach(
        (rule, names) ->
            rules.append(
                names.size() + "  " + rule + "\n    " + String.join("\n    ", names) + "\n"));
    Files.writeString(REPORT.resolve("rules.txt"), rules);
  }
}
