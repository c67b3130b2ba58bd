package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.Wait;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;

/** What has come already of a savepoint of the live job that was asked for, or what to wait for. */
sealed interface Asked {
  /** Nothing is to be waited for. */
  record Answered(Taken taken) implements Asked {}

  /** It is under way. */
  record UnderWay(Wait<Taken> goesOn) implements Asked {}
}
