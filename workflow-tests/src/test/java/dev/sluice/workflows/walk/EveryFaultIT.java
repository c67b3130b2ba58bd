package dev.sluice.workflows.walk;

/** The same, more closely: too long for {@code mvn test}. */
class EveryFaultIT extends EveryFaultTest {

  @Override
  int every() {
    return 61;
  }
}
