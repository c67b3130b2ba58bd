package dev.sluice.workflows.walk;

/** More of them: too long for {@code mvn test}. */
class RandomWalkIT extends RandomWalkTest {

  @Override
  int walks() {
    return 1_000;
  }
}
