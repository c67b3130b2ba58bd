package dev.sluice.api.snapshot;

import dev.sluice.api.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What is wrong with a FlinkStateSnapshot, as far as it says itself. */
public final class SnapshotValidation {

  private static final String REFERENCE = "spec.jobReference";

  private final FlinkStateSnapshotSpec spec;
  private final List<Violation> found = new ArrayList<>();

  private SnapshotValidation(FlinkStateSnapshotSpec spec) {
    this.spec = spec;
  }

  /** Every rule that it breaks; empty when it can be taken. */
  public static List<Violation> validate(FlinkStateSnapshot snapshot) {
    SnapshotValidation validation = new SnapshotValidation(snapshot.getSpec());
    validation.validate();
    return List.copyOf(validation.found);
  }

  private void validate() {
    if ((spec.savepoint() == null) == (spec.checkpoint() == null)) {
      add("spec", FlinkStateSnapshotSpec.ONE_OF_MESSAGE);
    }
    if (spec.failuresAllowed() < FlinkStateSnapshotSpec.UNLIMITED) {
      add(
          "spec.backoffLimit",
          "must be -1 for any number of attempts, or at least 0, but is " + spec.failuresAllowed());
    }
    reference();
    savepoint();
  }

  private void reference() {
    JobReference reference = spec.jobReference();
    if (spec.isOfExisting()) {
      return; // nothing is asked of a job
    }
    if (reference == null) {
      add(REFERENCE, FlinkStateSnapshotSpec.REFERENCE_MESSAGE);
      return;
    }
    if (reference.kind() == null) {
      add(REFERENCE + ".kind", "must be FlinkDeployment or FlinkSessionJob");
    }
    if (Objects.requireNonNullElse(reference.name(), "").isBlank()) {
      add(REFERENCE + ".name", "must name the resource, in the same namespace, that runs the job");
    }
  }

  private void savepoint() {
    SavepointSpec savepoint = spec.savepoint();
    if (savepoint == null) {
      return;
    }
    if (savepoint.exists() && savepoint.pathOrNull() == null) {
      add("spec.savepoint.path", "must say where the savepoint is, because alreadyExists is true");
    }
    if (savepoint.format() == SavepointFormatType.UNKNOWN) {
      add("spec.savepoint.formatType", "must be CANONICAL or NATIVE, but is UNKNOWN");
    }
  }

  private void add(String path, String message) {
    found.add(new Violation(path, message));
  }
}
