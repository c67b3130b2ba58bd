package dev.sluice.controller.admission;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.validation.Violation;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponseBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReviewBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * One question of the API server: an {@code AdmissionReview}. Its objects are not read further than
 * they must be, because one that cannot be read may still have to lose its finalizer.
 */
final class Review {

  static final String API_VERSION = "admission.k8s.io/v1";
  static final String KIND = "AdmissionReview";

  private static final int UNPROCESSABLE = 422;
  private static final int MOST_CAUSES = 20;
  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);

  private final JsonNode request;

  private Review(JsonNode request) {
    this.request = request;
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when it is none, with what is wrong
   * @throws IOException when it does not come in
   */
  static Review read(InputStream body) throws IOException {
    JsonNode review;
    try {
      review = JSON.readTree(body);
    } catch (JacksonException wrong) {
      throw new IllegalArgumentException("is no JSON: " + wrong.getOriginalMessage(), wrong);
    }
    if (!KIND.equals(review.path("kind").asText())
        || !API_VERSION.equals(review.path("apiVersion").asText())) {
      throw new IllegalArgumentException("is no " + KIND + " of " + API_VERSION);
    }
    JsonNode request = review.path("request");
    if (request.path("uid").asText().isEmpty()) {
      throw new IllegalArgumentException("has no request with a uid");
    }
    return new Review(request);
  }

  /** The answer must carry it. */
  String uid() {
    return text("uid");
  }

  String group() {
    return request.path("kind").path("group").asText();
  }

  String kind() {
    return request.path("kind").path("kind").asText();
  }

  String namespace() {
    return text("namespace");
  }

  /** Empty of an object that is to be named by the API server. */
  String name() {
    String name = text("name");
    return name.isEmpty() ? object().path("metadata").path("name").asText() : name;
  }

  String user() {
    return request.path("userInfo").path("username").asText();
  }

  String operation() {
    return text("operation");
  }

  /** Whether it is about an object as a whole that is to be stored. */
  boolean isOfWholeObject() {
    return text("subResource").isEmpty()
        && (operation().equals("CREATE") || operation().equals("UPDATE"))
        && object().isObject();
  }

  boolean isOfObjectThatGoes() {
    return object().path("metadata").hasNonNull("deletionTimestamp");
  }

  /** Whether the spec is the one that is stored already, so that only metadata changes. */
  boolean keepsSpec() {
    JsonNode old = request.path("oldObject");
    return old.isObject() && old.path("spec").equals(object().path("spec"));
  }

  /** As it would be stored. */
  JsonNode object() {
    return request.path("object");
  }

  /**
   * The answer that the API server reads.
   *
   * @param verdict of the rules; empty where they do not count
   */
  AdmissionReview answer(Optional<Verdict> verdict) {
    List<Violation> violations = verdict.map(Verdict::violations).orElse(List.of());
    AdmissionResponseBuilder response =
        new AdmissionResponseBuilder()
            .withUid(uid())
            .withAllowed(violations.isEmpty())
            .withWarnings(verdict.map(Verdict::warnings).orElse(List.of()));
    if (!violations.isEmpty()) {
      response.withStatus(status(violations));
    }
    return new AdmissionReviewBuilder().withResponse(response.build()).build();
  }

  /** As of the API server's own validation, so that clients show each field. */
  private Status status(List<Violation> violations) {
    List<Violation> named = violations.subList(0, Math.min(MOST_CAUSES, violations.size()));
    int left = violations.size() - named.size();
    return new StatusBuilder()
        .withStatus("Failure")
        .withCode(UNPROCESSABLE)
        .withReason("Invalid")
        .withMessage(Violation.joined(named) + (left > 0 ? "; and " + left + " more" : ""))
        .withNewDetails()
        .withGroup(group())
        .withKind(kind())
        .withName(name())
        .withCauses(
            named.stream()
                .map(it -> new StatusCause(it.path(), it.message(), "FieldValueInvalid"))
                .toList())
        .endDetails()
        .build();
  }

  private String text(String field) {
    return request.path(field).asText("");
  }
}
