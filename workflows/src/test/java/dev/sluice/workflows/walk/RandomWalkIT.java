package dev.sluice.workflows.walk;

/** More of them: too long for {@code mvn test}. */
class RandomWalkIT extends RandomWalkTest {

  RandomWalkIT() {
    super(1_000);
  }
}
