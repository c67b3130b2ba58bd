package dev.sluice.activities.flink;

/** Flink's answer to a cancellation. */
public enum CancelAnswer {
  /** Accepted, or the job is cancelled already. */
  ACCEPTED,
  /** Flink answered 409: the job ended in another way before. */
  ALREADY_ENDED
}
