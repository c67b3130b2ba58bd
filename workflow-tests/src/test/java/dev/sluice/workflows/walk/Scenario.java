package dev.sluice.workflows.walk;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is there, and what is asked for, before the controller looks.
 *
 * @param name in kebab case
 * @param setup makes it so
 * @param person what the person on call does first about a run that is held
 */
record Scenario(String name, Consumer<Environment> setup, List<Reaction> person) {

  static Scenario of(String name, Consumer<Environment> setup, Reaction... person) {
    return new Scenario(name, setup, List.of(person));
  }
}
