package dev.sluice.testing.fuzz;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A resource made from a good one by a few changes.
 *
 * @param seed what all cases were made from
 * @param number of this one, from 0
 * @param changes what was changed, in words
 * @param original the good resource
 * @param mutated the same after the changes
 */
public record FuzzCase(
    long seed, int number, List<String> changes, ObjectNode original, ObjectNode mutated) {

  /** How to make this case again, and what it is. */
  @Override
  public String toString() {
    return "-D%s=%d -D%s=%d: %s"
        .formatted(FuzzCases.SEED, seed, FuzzCases.NUMBER, number, String.join("; ", changes));
  }
}
