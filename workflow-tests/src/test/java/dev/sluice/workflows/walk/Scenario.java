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

  private static final String HOSTED = "hosted; ";

  /**
   * @param given see {@link Words}; {@code hosted} first for a job on a session cluster
   */
  static Scenario of(String name, String given, List<Reaction> person) {
    boolean hosted = given.startsWith(HOSTED);
    return new Scenario(
        name,
        Words.given(hosted ? given.substring(HOSTED.length()) : given),
        person,
        hosted ? "FlinkSessionJob" : "FlinkDeployment");
  }
}
