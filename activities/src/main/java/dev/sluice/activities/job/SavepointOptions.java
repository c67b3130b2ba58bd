package dev.sluice.activities.job;

import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.api.common.FlinkConfiguration;
import java.util.Locale;

/**
 * How a savepoint of a job is taken.
 *
 * @param format how it is written
 * @param stops whether the job ends with it
 * @param drain whether sources end and windows fire first: the job is given up permanently
 */
record SavepointOptions(SavepointFormat format, boolean stops, boolean drain) {

  private static final String FORMAT = "kubernetes.operator.savepoint.format.type";
  private static final String DRAIN = "kubernetes.operator.job.drain-on-savepoint-deletion";

  /**
   * What a spec asks for. Apache's operator drains before each savepoint, also that of an upgrade,
   * whose job then begins again with its windows fired; here it is for deletions alone.
   *
   * @param spec configuration of the spec that the operation is for, which may not be valid
   * @param last whether the job is given up permanently
   */
  static SavepointOptions of(FlinkConfiguration spec, boolean last) {
    return new SavepointOptions(
        is(spec, FORMAT, SavepointFormat.NATIVE.name())
            ? SavepointFormat.NATIVE
            : SavepointFormat.CANONICAL,
        true,
        last && is(spec, DRAIN, "TRUE"));
  }

  private static boolean is(FlinkConfiguration spec, String key, String value) {
    return spec.getOrDefault(key, "").trim().toUpperCase(Locale.ROOT).equals(value);
  }
}
