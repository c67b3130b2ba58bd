package dev.sluice.controller.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** AdmissionReviews as the API server sends them. */
final class ReviewJson {

  static final String UID = "705ab4f5-6393-11e8-b7cc-42010a800002";

  private ReviewJson() {}

  static String create(String manifest) {
    return of("CREATE", yaml(manifest), null, request -> {});
  }

  static String update(String before, String after) {
    return of("UPDATE", yaml(after), yaml(before), request -> {});
  }

  static String of(
      String operation, JsonNode object, @Nullable JsonNode old, Consumer<ObjectNode> more) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode request = review.putObject("request");
    String apiVersion = object.path("apiVersion").asText();
    request
        .putObject("kind")
        .put("group", apiVersion.split("/", 2)[0])
        .put("version", apiVersion.replaceFirst(".*/", ""))
        .put("kind", object.path("kind").asText());
    request.put("uid", UID).put("operation", operation);
    request.put("name", object.path("metadata").path("name").asText()).put("namespace", "streams");
    request.putObject("userInfo").put("username", "somebody");
    request.set("object", object);
    request.set("oldObject", old == null ? JsonNodeFactory.instance.nullNode() : old);
    more.accept(request);
    return review.toString();
  }

  static ObjectNode yaml(String manifest) {
    try {
      return (ObjectNode) new YAMLMapper().readTree(manifest);
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(wrong);
    }
  }

  static Review read(String json) {
    try {
      return Review.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
