package dev.sluice.api.common;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What Jackson leaves to do: absent and null fields, and where a document cannot be read. */
public final class Json {
  private Json() {}

  /** An explicit {@code null} in the document means the same as leaving the field out. */
  public static @Nullable JsonNode nullToAbsent(@Nullable JsonNode node) {
    return node == null || node.isNull() || node.isMissingNode() ? null : node;
  }

  /**
   * A copy in which no field of an object is null, however deep: to leave a field out says the
   * same, and models made from the copy have empty lists where they would have none. Items of
   * arrays stay, because their positions matter.
   */
  public static @Nullable JsonNode withoutNullFields(@Nullable JsonNode node) {
    JsonNode present = nullToAbsent(node);
    return present == null ? null : stripped(present);
  }

  private static JsonNode stripped(JsonNode node) {
    if (node.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      node.properties()
          .forEach(
              field -> {
                if (!field.getValue().isNull()) {
                  copy.set(field.getKey(), stripped(field.getValue()));
                }
              });
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode(node.size());
      node.forEach(item -> copy.add(stripped(item)));
      return copy;
    }
    return node;
  }

  /**
   * Where in a document it could not be read: {@code .spec.containers[0].env[1]}, without what
   * stands there, which may be a secret; empty when that is not known.
   */
  public static String place(IllegalArgumentException unreadable) {
    return unreadable.getCause() instanceof JsonMappingException unfit
        ? unfit.getPath().stream()
            .map(
                step ->
                    step.getFieldName() == null
                        ? "[" + step.getIndex() + "]"
                        : "." + step.getFieldName())
            .collect(Collectors.joining())
        : "";
  }

  /** A copy with empty lists and maps in place of null ones, and without null values. */
  public static @Nullable ResourceRequirements withoutNulls(
      @Nullable ResourceRequirements resources) {
    if (resources == null) {
      return null;
    }
    return new ResourceRequirementsBuilder()
        .withClaims(copyOrEmpty(resources.getClaims()))
        .withLimits(amounts(resources.getLimits()))
        .withRequests(amounts(resources.getRequests()))
        .withAdditionalProperties(resources.getAdditionalProperties())
        .build();
  }

  private static Map<String, Quantity> amounts(@Nullable Map<String, Quantity> amounts) {
    TreeMap<String, Quantity> copy = new TreeMap<>(amounts == null ? Map.of() : amounts);
    copy.values().removeIf(Objects::isNull);
    return copy;
  }

  /** A copy without null items; empty for null. */
  public static <T> List<T> copyOrEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list.stream().filter(Objects::nonNull).toList();
  }

  /** Sorted, so that the JSON made from it is always the same; without null values. */
  public static Map<String, String> copyOrEmpty(@Nullable Map<String, String> map) {
    if (map == null) {
      return Map.of();
    }
    TreeMap<String, String> copy = new TreeMap<>(map);
    copy.values().removeIf(Objects::isNull);
    return Collections.unmodifiableMap(copy);
  }
}
