package dev.sluice.api.common;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Amounts as the Kubernetes API writes them: {@code 500m}, {@code 2Gi}, {@code 1e3}. */
public final class KubernetesQuantity {
  /** The syntax; exponents of three digits are beyond what the API server can hold. */
  public static final String SYNTAX =
      "[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?";

  private static final Pattern QUANTITY = Pattern.compile(SYNTAX);
  private static final int LONGEST = 60;

  /** The API server cuts off what is above an int64. */
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private KubernetesQuantity() {}

  /**
   * The amount in units: bytes, cores, pieces.
   *
   * @throws IllegalArgumentException when the text is no quantity, or is too large for Kubernetes
   */
  public static BigDecimal parse(String text) {
    if (text.length() > LONGEST || !QUANTITY.matcher(text).matches()) {
      throw new IllegalArgumentException("must be a quantity like '500m' or '2Gi'");
    }
    BigDecimal amount = Quantity.getAmountInBytes(new Quantity(text));
    if (amount.abs().compareTo(LARGEST) > 0) {
      throw new IllegalArgumentException("must be a quantity below 2^63");
    }
    return amount;
  }
}
