package dev.sluice.workflows.operation;

import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * When a wait is left before its end.
 *
 * @param interrupts what interrupts it
 * @param ends what ends it, while it is so
 */
record Leaving(Predicate<Interrupt> interrupts, BooleanSupplier ends) {

  static Leaving when(Predicate<Interrupt> interrupts) {
    return new Leaving(interrupts, () -> false);
  }

  boolean isDue(@Nullable Interrupt asked) {
    return ends.getAsBoolean() || interrupts(asked);
  }

  boolean interrupts(@Nullable Interrupt asked) {
    return asked != null && interrupts.test(asked);
  }
}
