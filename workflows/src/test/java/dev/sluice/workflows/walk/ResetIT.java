package dev.sluice.workflows.walk;

/** All cases: too long for {@code mvn test}. */
class ResetIT extends ResetTest {

  ResetIT() {
    super(1);
  }
}
