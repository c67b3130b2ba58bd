package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each act at each moment of each activity call of each scenario. A build takes every 61st case:
 * {@code -Dsluice.walk.every=1} takes all, {@code -Dsluice.walk.only} those whose name matches,
 * {@code -Dsluice.walk.case} the one of that name.
 */
@Tag("model")
class EveryFaultTest {

  private static final Pattern ONLY = Pattern.compile(System.getProperty("sluice.walk.only", ".*"));

  /** Of so many neighbouring cases one is taken. */
  private static final int EVERY = Integer.getInteger("sluice.walk.every", 61);

  @Test
  void noRuleIsBroken() {
    WalkReport report = new WalkReport("faults");

    try (Cases cases = new Cases()) {
      cases.run(todo(cases), report::add);
    }

    assertThat(report.broken()).as(report.summary()).isEmpty();
  }

  private List<Todo> todo(Cases cases) {
    String one = System.getProperty("sluice.walk.case");
    if (one != null) {
      return List.of(Todo.of(Case.parse(one)));
    }
    List<Case> all = FaultCases.all(cases);
    assertThat(all).hasSizeGreaterThan(50_000);
    List<Todo> todo = new ArrayList<>();
    for (int i = 0; i < all.size(); i += EVERY) {
      if (ONLY.matcher(all.get(i).name()).matches()) {
        todo.add(Todo.of(all.get(i)));
      }
    }
    return todo;
  }
}
