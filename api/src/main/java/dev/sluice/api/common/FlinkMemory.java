package dev.sluice.api.common;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of memory as Flink spells them (Flink's {@code MemorySize}). */
public final class FlinkMemory {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d+)\\s*([a-z]*)");

  /** As the Kubernetes API writes them; longer exponents are beyond what it can hold. */
  private static final Pattern QUANTITY =
      Pattern.compile(
          "[+-]?([0-9]{1,25}(\\.[0-9]{0,25})?|\\.[0-9]{1,25})([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?");

  private FlinkMemory() {}

  /**
   * Bytes of {@code 1024m}, {@code 1 gb}, {@code 512 mebibytes}; units are powers of 1024, a bare
   * number is bytes.
   *
   * @throws IllegalArgumentException when it is none of these, or more than a long can hold
   */
  public static long parse(String text) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw invalid();
    }
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
    } catch (ArithmeticException | NumberFormatException e) {
      throw invalid();
    }
  }

  /**
   * Bytes of {@code spec.*.resource.memory}: Flink's spelling first, so {@code 2G} is 2 GiB, and
   * otherwise a Kubernetes quantity ({@code 2Gi}, {@code 2.5G}), in the order Apache's operator
   * tries them.
   *
   * @throws IllegalArgumentException when it is neither
   */
  public static long parseFlinkOrKubernetes(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException notFlink) {
      try {
        if (QUANTITY.matcher(text.trim()).matches()) {
          return Quantity.getAmountInBytes(new Quantity(text.trim())).longValueExact();
        }
      } catch (ArithmeticException fractionOrTooLarge) {
        notFlink.addSuppressed(fractionOrTooLarge);
      }
      throw new IllegalArgumentException(
          "must be an amount of memory like '2048m' or '2Gi'", notFlink);
    }
  }

  private static long unit(String label) {
    return switch (label) {
      case "", "b", "bytes" -> 1L;
      case "k", "kb", "kibibytes" -> 1L << 10;
      case "m", "mb", "mebibytes" -> 1L << 20;
      case "g", "gb", "gibibytes" -> 1L << 30;
      case "t", "tb", "tebibytes" -> 1L << 40;
      default -> throw invalid();
    };
  }

  private static IllegalArgumentException invalid() {
    return new IllegalArgumentException("must be an amount of memory like '1024m' or '1 gb'");
  }
}
