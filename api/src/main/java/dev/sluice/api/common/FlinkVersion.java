package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/**
 * Flink versions a manifest can name, spelled {@code v<major>_<minor>}.
 *
 * <p>All that Apache's schema knows are known here, so that every existing manifest can be read;
 * only {@link #isSupported() supported} ones can be deployed.
 */
public enum FlinkVersion {
  V1_13(1, 13),
  V1_14(1, 14),
  V1_15(1, 15),
  V1_16(1, 16),
  V1_17(1, 17),
  V1_18(1, 18),
  V1_19(1, 19),
  V1_20(1, 20),
  V2_0(2, 0),
  V2_1(2, 1),
  V2_2(2, 2),
  V2_3(2, 3),
  V2_4(2, 4);

  private final String wire;
  private final int major;
  private final int minor;

  FlinkVersion(int major, int minor) {
    this.wire = "v" + major + "_" + minor;
    this.major = major;
    this.minor = minor;
  }

  /** The one that is spelled so; empty when there is none. */
  public static Optional<FlinkVersion> of(String wire) {
    return Arrays.stream(values()).filter(it -> it.wire.equals(wire)).findFirst();
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }

  /** Whether it can be deployed: 1.15 and later, as in Apache's operator since its release 1.7. */
  public boolean isSupported() {
    return isAtLeast(V1_15);
  }

  /** Whether a checkpoint can be asked for. */
  public boolean takesCheckpoints() {
    return isAtLeast(V1_17);
  }

  /** Whether this is {@code other} or a later version. */
  public boolean isAtLeast(FlinkVersion other) {
    return compareTo(other) >= 0;
  }

  /** The number before the dot. */
  public int major() {
    return major;
  }

  /** As Flink writes it: {@code 1.20}. */
  public String dotted() {
    return major + "." + minor;
  }

  @Override
  public String toString() {
    return wire;
  }
}
