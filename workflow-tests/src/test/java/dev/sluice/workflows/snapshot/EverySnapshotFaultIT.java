package dev.sluice.workflows.snapshot;

/** All of them: too long for {@code mvn test}. */
class EverySnapshotFaultIT extends EverySnapshotFaultTest {

  @Override
  int every() {
    return 1;
  }
}
