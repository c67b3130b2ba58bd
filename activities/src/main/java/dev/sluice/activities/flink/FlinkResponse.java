package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.sluice.activities.flink.FlinkRestException.MalformedAnswer;
import dev.sluice.activities.flink.FlinkRestException.NotFound;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came back over HTTP, and what it means. Flink's success is 200 or 202, whichever the handler
 * likes; its refusals are {@code {"errors": [...]}}, where an entry is a sentence or a whole stack
 * trace.
 *
 * @param call the cluster and the call, for messages
 * @param status HTTP status
 * @param body as received
 */
record FlinkResponse(String call, int status, String body) {

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .annotationIntrospector(new RequiredIsNotNull())
          .build();

  private static final String JOB_NOT_FOUND = "FlinkJobNotFoundException";

  /** The first entry of an "errors" that has the error in its second one. */
  private static final String INTERNAL = "Internal server error.";

  /**
   * "Checkpointing is not enabled for this job (id)." and "Checkpointing has not been enabled.":
   * the job has no checkpoint coordinator.
   */
  private static final Pattern NO_CHECKPOINTING =
      Pattern.compile("Checkpointing (?:is not|has not been) enabled");

  /** Flink's answer to a path it has no handler for, from the handler of its web pages. */
  private static final String NO_SUCH_PAGE = "Unable to load requested file";

  private static final String NOT_SUPPORTED =
      "does not support changing the parallelism without a job restart";

  /**
   * The answer of a call that went well. Fields that are not asked for are ignored, so that a newer
   * Flink may add some.
   *
   * @throws FlinkRestException that says how the call did not go well, or that a field is not there
   *     or has another type
   */
  <T> T as(Class<T> type) {
    if (status / 100 != 2) {
      throw failure();
    }
    try {
      return Objects.requireNonNull(JSON.readValue(body, type), "null");
    } catch (JsonProcessingException e) {
      throw malformed(
          "no answer of Flink's: "
              + field(e)
              + Redaction.redact(StackTrace.bounded(e.getOriginalMessage())));
    }
  }

  /** Jackson's message does not always name the field. */
  private static String field(JsonProcessingException wrong) {
    return wrong instanceof JsonMappingException mapping
        ? mapping.getPath().stream()
            .flatMap(step -> Stream.ofNullable(step.getFieldName()))
            .map(name -> "'" + name + "': ")
            .collect(Collectors.joining())
        : "";
  }

  /**
   * True for the answer of a call that went well.
   *
   * @throws FlinkRestException as {@link #as}
   */
  boolean isOk() {
    return as(ObjectNode.class) != null;
  }

  /** Whether Flink answered that it knows no such operation or job. */
  boolean notFound() {
    return status / 100 != 2 && failure() instanceof NotFound;
  }

  /** Whether Flink answered that the job, which it knows, cannot take checkpoints at all. */
  boolean saysNoCheckpointing() {
    return status == 404
        && firstError().filter(error -> NO_CHECKPOINTING.matcher(error).find()).isPresent();
  }

  MalformedAnswer malformed(String why) {
    return new MalformedAnswer(call + " answered " + status + " with " + why, null);
  }

  /** How the call did not go well; only for a status that is no 2xx. */
  FlinkRestException failure() {
    Optional<String> error = firstError();
    String message = call + " answered " + status + error.map(e -> ": " + words(e)).orElse("");
    if (error.isEmpty()) {
      return status / 100 == 5 ? new Unreachable(message, null) : malformed("no error of Flink's");
    }
    // GET /jobs/:id/status answers 500, the others 404, for a job that is not there
    if (error.get().contains(JOB_NOT_FOUND)) {
      return new NotFound(message);
    }
    if (status == 404) {
      return error.get().startsWith(NO_SUCH_PAGE)
          ? new MalformedAnswer(message, null)
          : new NotFound(message);
    }
    // Flink answers 500 permanently where a scheduler has no such function
    boolean passing = status / 100 == 5 && !error.get().contains(NOT_SUPPORTED);
    return passing ? new Unreachable(message, null) : new Rejected(message);
  }

  private Optional<String> firstError() {
    return json()
        .map(node -> node.path("errors"))
        .filter(errors -> errors.isArray() && !errors.isEmpty())
        .map(errors -> errors.get(isInternal(errors) ? 1 : 0).asText())
        .map(FlinkResponse::unframed);
  }

  private static boolean isInternal(JsonNode errors) {
    return errors.size() > 1 && errors.get(0).asText().equals(INTERNAL);
  }

  private static String unframed(String error) {
    return error
        .replaceFirst("^<Exception on server side:\\n", "")
        .replaceFirst("\\n?End of exception on server side>\\s*$", "");
  }

  private static String words(String error) {
    FlinkCause cause = StackTrace.shorten(error);
    boolean nameless = cause.type().equals("Error") || StackTrace.isWrapper(cause.type());
    return nameless ? cause.message() : cause.summary();
  }

  /** Jackson takes null for what is required. */
  private static final class RequiredIsNotNull extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonSetter.Value findSetterInfo(Annotated field) {
      return field instanceof AnnotatedMember member
              && Boolean.TRUE.equals(hasRequiredMarker(member))
          ? JsonSetter.Value.forValueNulls(Nulls.FAIL)
          : super.findSetterInfo(field);
    }
  }

  private Optional<JsonNode> json() {
    try {
      return Optional.ofNullable(JSON.readTree(body));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
