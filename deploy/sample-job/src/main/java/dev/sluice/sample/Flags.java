package dev.sluice.sample;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * {@code --flag value} pairs. Each reader names the flag, its value and what is allowed in the
 * {@link IllegalArgumentException} it throws.
 *
 * @param left the flags not read yet
 * @param known every flag that was asked for
 */
record Flags(Map<String, String> left, TreeSet<String> known) {

  static Flags of(String... args) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || i + 1 == args.length) {
        throw new IllegalArgumentException(
            "Expected pairs of --flag value, and got: " + String.join(" ", args));
      }
      values.put(args[i].substring(2), args[i + 1]);
    }
    return new Flags(values, new TreeSet<>());
  }

  String text(String flag, String otherwise) {
    known.add("--" + flag);
    String value = left.remove(flag);
    return value == null ? otherwise : value;
  }

  long number(String flag, long otherwise, long min, long max) {
    String value = text(flag, Long.toString(otherwise));
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number out of range
    }
    throw wrong(flag, value, "a whole number from " + min + " to " + max);
  }

  <E extends Enum<E>> E choice(String flag, E otherwise) {
    String value = text(flag, otherwise.name());
    E[] choices = otherwise.getDeclaringClass().getEnumConstants();
    return Arrays.stream(choices)
        .filter(choice -> choice.name().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(flag, value, "one of " + Arrays.toString(choices).toLowerCase(Locale.ROOT)));
  }

  /** False unless the flag says true. */
  boolean yes(String flag) {
    String value = text(flag, "false");
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(flag, value, "one of [true, false]");
    };
  }

  void requireNoneLeft() {
    if (!left.isEmpty()) {
      throw new IllegalArgumentException("Unknown flags " + left.keySet() + "; known are " + known);
    }
  }

  private static IllegalArgumentException wrong(String flag, String value, String allowed) {
    return new IllegalArgumentException("--" + flag + " is '" + value + "'; allowed is " + allowed);
  }
}
