package dev.sluice.controller.admission;

import dev.sluice.api.validation.Violation;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusCauseBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponseBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReviewBuilder;
import java.util.List;
import java.util.Locale;

/**
 * What the API server is told.
 *
 * @param outcome whether the object may be stored, and why
 * @param violations why it may not; empty when it may
 * @param warnings for whoever sent it
 */
record Answer(Outcome outcome, List<Violation> violations, List<String> warnings) {

  /** Whether an object may be stored, and why. */
  enum Outcome {
    /** Its spec is valid. */
    ALLOWED,
    /** Its spec is not valid. */
    DENIED,
    /** Only its metadata changes. */
    UNCHANGED,
    /** It is being deleted. */
    DELETING,
    /** Sluice itself writes it. */
    OWN,
    /** It is not looked after by this controller. */
    FOREIGN;

    /** For metrics. */
    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int UNPROCESSABLE = 422;
  private static final int MOST_CAUSES = 20;

  Answer {
    violations = List.copyOf(violations);
    warnings = List.copyOf(warnings);
  }

  /** It may be stored, and nothing is said about it. */
  static Answer of(Outcome outcome) {
    return new Answer(outcome, List.of(), List.of());
  }

  static Answer of(Verdict verdict) {
    return new Answer(
        verdict.violations().isEmpty() ? Outcome.ALLOWED : Outcome.DENIED,
        verdict.violations(),
        verdict.warnings());
  }

  boolean isDenied() {
    return outcome == Outcome.DENIED;
  }

  /** The first violations, each with its path, in one line. */
  String why() {
    int left = violations.size() - MOST_CAUSES;
    return Violation.joined(named()) + (left > 0 ? "; and " + left + " more" : "");
  }

  /** As the API server reads it. */
  AdmissionReview to(Review review) {
    AdmissionResponseBuilder response =
        new AdmissionResponseBuilder()
            .withUid(review.uid())
            .withAllowed(!isDenied())
            .withWarnings(warnings);
    if (isDenied()) {
      response.withStatus(status(review));
    }
    return new AdmissionReviewBuilder().withResponse(response.build()).build();
  }

  /** As of the API server's own validation, so that clients show each field. */
  private Status status(Review review) {
    return new StatusBuilder()
        .withStatus("Failure")
        .withCode(UNPROCESSABLE)
        .withReason("Invalid")
        .withMessage(why())
        .withNewDetails()
        .withGroup(review.group())
        .withKind(review.kind())
        .withName(review.name())
        .withCauses(named().stream().map(Answer::cause).toList())
        .endDetails()
        .build();
  }

  private List<Violation> named() {
    return violations.subList(0, Math.min(MOST_CAUSES, violations.size()));
  }

  private static StatusCause cause(Violation violation) {
    return new StatusCauseBuilder()
        .withReason("FieldValueInvalid")
        .withField(violation.path())
        .withMessage(violation.message())
        .build();
  }
}
