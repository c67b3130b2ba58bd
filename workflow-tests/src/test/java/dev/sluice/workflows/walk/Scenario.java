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
 * @param kind of the resource
 */
record Scenario(String name, Consumer<Environment> setup, List<Reaction> person, String kind) {

  static Scenario of(String name, Consumer<Environment> setup, Reaction... person) {
    return new Scenario(name, setup, List.of(person), "FlinkDeployment");
  }

  /** The same of a job on a session cluster. */
  Scenario onSessionCluster() {
    return new Scenario(name, setup, person, "FlinkSessionJob");
  }
}
