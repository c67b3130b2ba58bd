package dev.sluice.controller.operation;

import org.jspecify.annotations.Nullable;

/** What to do about a resource now. Doing it twice is harmless. */
public sealed interface ReconcileAction {

  /**
   * Whether it only makes sure that an open run is still there: what people ask for comes first.
   */
  default boolean isCheck() {
    return this instanceof Start start && start.unlessOpen();
  }

  /** Nothing. */
  record Nothing() implements ReconcileAction {}

  /**
   * Make sure that a run is open and knows the newest generation: an open run gets a signal, else a
   * new one is started.
   *
   * @param run what is started when none is open
   * @param newest generation, sent with the signal
   * @param unlessOpen an open run knows all this already: only make sure that there is one
   * @param request the request that this answers; null when the spec asks for it
   */
  record Start(NewRun run, long newest, boolean unlessOpen, @Nullable Request request)
      implements ReconcileAction {}

  /**
   * Hand a request to the open run.
   *
   * @param otherwise what is started, with the request, when none is open although one should be;
   *     null when nothing should be started for it
   */
  record Signal(Request request, @Nullable NewRun otherwise) implements ReconcileAction {}

  /**
   * Remove the finalizer.
   *
   * @param forced requested with {@code sluice.dev/force-delete}, whatever may be left
   */
  record RemoveFinalizer(boolean forced) implements ReconcileAction {}
}
