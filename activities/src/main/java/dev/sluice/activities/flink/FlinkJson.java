package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * A JSON object of Flink's. Fields it does not ask for are ignored, so that a newer Flink may add
 * some; a field it needs and does not find, or finds with another type, is an {@link
 * IllegalArgumentException} naming it.
 */
record FlinkJson(JsonNode node) {

  String text(String field) {
    return required(field, JsonNode::isTextual, "a text").textValue();
  }

  long number(String field) {
    return required(field, JsonNode::isIntegralNumber, "a number").longValue();
  }

  int count(String field) {
    return Math.toIntExact(number(field));
  }

  /** A number that some Flink versions leave out. */
  int countOr(String field, int missing) {
    return node.hasNonNull(field) ? count(field) : missing;
  }

  boolean flag(String field) {
    return required(field, JsonNode::isBoolean, "true or false").booleanValue();
  }

  Instant instant(String field) {
    return Instant.ofEpochMilli(number(field));
  }

  FlinkJson object(String field) {
    return new FlinkJson(required(field, JsonNode::isObject, "an object"));
  }

  Optional<FlinkJson> optionalObject(String field) {
    return node.hasNonNull(field) ? Optional.of(object(field)) : Optional.empty();
  }

  Optional<String> optionalText(String field) {
    return node.hasNonNull(field) ? Optional.of(text(field)) : Optional.empty();
  }

  <T> List<T> list(String field, Function<FlinkJson, T> item) {
    JsonNode array = required(field, JsonNode::isArray, "a list");
    return StreamSupport.stream(array.spliterator(), false)
        .map(element -> item.apply(new FlinkJson(element)))
        .toList();
  }

  private JsonNode required(String field, Function<JsonNode, Boolean> fits, String kind) {
    JsonNode value = node.path(field);
    if (!fits.apply(value)) {
      String found = value.isMissingNode() ? "not there" : value.getNodeType().toString();
      throw new IllegalArgumentException("field '" + field + "' is " + found + ", not " + kind);
    }
    return value;
  }
}
