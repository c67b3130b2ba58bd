package dev.sluice.activities.manifest.common;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lays one pod template over another: objects field by field, values replaced, arrays element by
 * element. Neither input is changed. The rules are those of Apache's operator.
 */
public enum PodTemplateMerge {
  /** The first element over the first, the second over the second, more are appended. */
  BY_POSITION,

  /**
   * Over the element with the same {@code name}, others are appended. Arrays in which an element
   * has no name, such as arguments, are merged by position.
   */
  BY_NAME;

  private static final String NAME = "name";

  /** {@code over} laid over {@code base}; either may be absent, and with both absent so is this. */
  public @Nullable JsonNode merge(@Nullable JsonNode base, @Nullable JsonNode over) {
    if (base == null || over == null) {
      return base == null ? over : base;
    }
    return mergeNodes(base.deepCopy(), over.deepCopy());
  }

  private void mergeArray(ArrayNode base, ArrayNode over) {
    boolean byName = this == BY_NAME && named(base) && named(over);
    for (int i = 0; i < over.size(); i++) {
      int at = byName ? indexOf(base, over.get(i).get(NAME)) : i;
      if (at < base.size()) {
        base.set(at, mergeNodes(base.get(at), over.get(i)));
      } else {
        base.add(over.get(i));
      }
    }
  }

  private JsonNode mergeNodes(JsonNode base, JsonNode over) {
    if (base instanceof ObjectNode baseObject && over instanceof ObjectNode overObject) {
      overObject
          .properties()
          .forEach(field -> mergeField(baseObject, field.getKey(), field.getValue()));
      return base;
    }
    if (base instanceof ArrayNode baseArray && over instanceof ArrayNode overArray) {
      mergeArray(baseArray, overArray);
      return base;
    }
    return over.isNull() ? base : over;
  }

  private void mergeField(ObjectNode base, String name, JsonNode over) {
    JsonNode there = base.get(name);
    if (!over.isNull()) {
      base.set(name, there == null ? over : mergeNodes(there, over));
    }
  }

  private static boolean named(ArrayNode array) {
    return StreamSupport.stream(array.spliterator(), false).allMatch(element -> element.has(NAME));
  }

  /** Its size when there is none of that name. */
  private static int indexOf(ArrayNode array, JsonNode name) {
    int at = 0;
    while (at < array.size() && !array.get(at).get(NAME).equals(name)) {
      at++;
    }
    return at;
  }
}
