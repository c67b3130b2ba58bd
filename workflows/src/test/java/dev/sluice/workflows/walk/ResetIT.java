package dev.sluice.workflows.walk;

/** All cases: too long for {@code mvn test}. */
class ResetIT extends ResetTest {

  @Override
  int every() {
    return 1;
  }
}
