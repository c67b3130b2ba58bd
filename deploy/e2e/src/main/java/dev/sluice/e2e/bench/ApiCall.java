package dev.sluice.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/**
 * A call to the API server.
 *
 * @param program who made it: {@code sluice-controller} or {@code sluice-worker}
 * @param verb as Kubernetes says it: {@code get}, {@code patch}, ...; {@code dry-run patch} for one
 *     that changes nothing
 * @param resource plural name, with the subresource after a slash where there is one
 * @param code HTTP status of the answer
 */
public record ApiCall(String program, String verb, String resource, int code) {

  private static final String USERS = "system:serviceaccount:sluice-system:";
  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");

  /**
   * Reads an audit event.
   *
   * @param event of {@code audit.k8s.io/v1}
   * @return empty when it is not a call of Sluice's to a resource
   */
  static Optional<ApiCall> of(JsonNode event) {
    String user = event.at("/user/username").asText();
    JsonNode object = event.path("objectRef");
    if (!user.startsWith(USERS) || object.isMissingNode()) {
      return Optional.empty();
    }
    String subresource = object.path("subresource").asText();
    return Optional.of(
        new ApiCall(
            user.substring(USERS.length()),
            verb(event),
            object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
            event.at("/responseStatus/code").asInt()));
  }

  /** A dry run is a question: it is called a patch, and changes nothing. */
  private static String verb(JsonNode event) {
    String verb = event.path("verb").asText();
    return event.path("requestURI").asText().contains("dryRun=All") ? "dry-run " + verb : verb;
  }

  /** Whether it changes something, or tried to. */
  public boolean isWrite() {
    return WRITES.contains(verb) && !isLease() && !isReview();
  }

  /** Whether it is about leader election, which goes on whatever else happens. */
  public boolean isLease() {
    return resource.equals("leases");
  }

  /** Asking what one may do is called "create", and creates nothing. */
  private boolean isReview() {
    return resource.endsWith("reviews");
  }
}
