package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the value of a key of the Flink configuration must be. */
@FunctionalInterface
interface ValueType {

  /**
   * Reads the value of that key; without the key there is none.
   *
   * @throws IllegalArgumentException saying what it must be, and what it is
   */
  Object read(FlinkConfiguration configuration, String key);

  /** A whole number from 1 on. */
  static ValueType whole(int most) {
    String range = most == Integer.MAX_VALUE ? "at least 1" : "between 1 and " + most;
    return (own, key) -> {
      require(
          own.get(key).filter(String::isBlank).isEmpty(),
          "must be a whole number, but is empty. Remove it");
      return own.integer(key)
          .map(it -> require(it >= 1 && it <= most, "must be " + range + ", but is " + it));
    };
  }

  /** A decimal number from 0 on. */
  static ValueType decimal(double most, String shown) {
    return (own, key) -> {
      double number = new KubernetesOptions(own).number(key, 0);
      return require(
          number >= 0 && number <= most,
          "must be between 0 and %s, but is %s".formatted(shown, number));
    };
  }

  /** One of these words, in any case. */
  static ValueType oneOf(String... words) {
    String last = words[words.length - 1];
    String others = String.join(", ", List.of(words).subList(0, words.length - 1));
    return (own, key) ->
        own.get(key)
            .map(
                text ->
                    require(
                        Arrays.asList(words).contains(text.trim().toUpperCase(Locale.ROOT)),
                        "must be " + others + " or " + last + ", but is " + quoted(own, key)));
  }

  static ValueType time(Duration least, Duration most, String shownLeast) {
    return (own, key) ->
        own.duration(key)
            .map(
                it ->
                    require(
                        it.compareTo(least) >= 0 && it.compareTo(most) <= 0,
                        "must be %s and at most %d days, but is %s"
                            .formatted(shownLeast, most.toDays(), quoted(own, key))));
  }

  static ValueType memory(long least, String range) {
    return (own, key) ->
        own.memoryBytes(key)
            .map(
                it ->
                    require(
                        it >= least && it <= MemoryRules.MOST_BYTES,
                        "must be " + range + ", but is " + quoted(own, key)));
  }

  private static String quoted(FlinkConfiguration own, String key) {
    return Printable.quoted(own.getOrDefault(key, ""));
  }

  private static boolean require(boolean fits, String problem) {
    if (!fits) {
      throw new IllegalArgumentException(problem);
    }
    return true;
  }
}
