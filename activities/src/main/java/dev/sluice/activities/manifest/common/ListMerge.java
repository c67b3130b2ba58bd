package dev.sluice.activities.manifest.common;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Lists whose elements have a key, such as environment variables by name. A server-side apply
 * refuses a list with one key twice, so what the cluster needs replaces what the template says.
 */
public final class ListMerge {
  private ListMerge() {}

  /** Theirs in their order, then ours; of two with one key only ours. */
  public static <T> List<T> over(List<T> theirs, List<T> ours, Function<T, ?> key) {
    Map<Object, T> elements = new LinkedHashMap<>();
    theirs.forEach(element -> elements.put(key.apply(element), element));
    ours.forEach(
        element -> {
          elements.remove(key.apply(element));
          elements.put(key.apply(element), element);
        });
    return List.copyOf(elements.values());
  }
}
