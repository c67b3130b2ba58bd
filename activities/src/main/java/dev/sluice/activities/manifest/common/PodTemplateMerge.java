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
  BY_POSITION {
    @Override
    void mergeArray(ArrayNode base, ArrayNode over) {
      for (int i = 0; i < over.size(); i++) {
        if (i < base.size()) {
          base.set(i, mergeNodes(base.get(i), over.get(i)));
        } else {
          base.add(over.get(i));
        }
      }
    }
  },

  /**
   * Over the element with the same {@code name}, others are appended. Arrays in which an element
   * has no name, such as arguments, are merged by position.
   */
  BY_NAME {
    @Override
    void mergeArray(ArrayNode base, ArrayNode over) {
      if (!named(base) || !named(over)) {
        BY_POSITION.mergeArray(base, over);
        return;
      }
      for (JsonNode element : over) {
        int same = indexOf(base, element.get(NAME));
        if (same < 0) {
          base.add(element);
        } else {
          base.set(same, mergeNodes(base.get(same), element));
        }
      }
    }
  };

  private static final String NAME = "name";

  /** {@code over} laid over {@code base}; either may be absent, and with both absent so is this. */
  public @Nullable JsonNode merge(@Nullable JsonNode base, @Nullable JsonNode over) {
    if (base == null || over == null) {
      return base == null ? over : base;
    }
    return mergeNodes(base.deepCopy(), over.deepCopy());
  }

  abstract void mergeArray(ArrayNode base, ArrayNode over);

  JsonNode mergeNodes(JsonNode base, JsonNode over) {
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

  private static int indexOf(ArrayNode array, JsonNode name) {
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i).get(NAME).equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
