package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The deadline of a wait for a JobManager: a look after it that decides nothing, or gets no answer,
 * ends the wait. One instance for each attempt of the activity.
 *
 * @param <T> what the activity returns
 */
public final class LookDeadline<T> {

  private final Function<String, ProbeResult<T>> tooLate;
  private String progress = "the job was not observed yet";

  /**
   * @param tooLate makes the result of what was seen last
   */
  public LookDeadline(Function<String, ProbeResult<T>> tooLate) {
    this.tooLate = tooLate;
  }

  /**
   * Takes one look.
   *
   * @param late whether the deadline is over
   * @throws FlinkRestException before the deadline, when the JobManager gives no answer
   */
  public ProbeResult<T> look(boolean late, Supplier<ProbeResult<T>> look) {
    try {
      ProbeResult<T> seen = look.get();
      if (!(seen instanceof ProbeResult.NotYet<T> undecided)) {
        return seen;
      }
      progress = undecided.progress();
      return late ? tooLate.apply(progress) : seen;
    } catch (FlinkRestException silent) {
      if (late) {
        return tooLate.apply("the JobManager does not answer; before, " + progress);
      }
      throw silent;
    }
  }
}
