package dev.sluice.controller.operation;

import org.jspecify.annotations.Nullable;

/** What to do about a resource now. Doing it twice is harmless. */
public sealed interface ReconcileAction {

  /** Whether Temporal is called for it. */
  default boolean needsTemporal() {
    return this instanceof EnsureOpen || this instanceof Signal;
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
  record EnsureOpen(NewRun run, long newest, boolean unlessOpen, @Nullable Request request)
      implements ReconcileAction {}

  /**
   * Hand a request to the open run.
   *
   * @param otherwise what is started, with the request, when none is open although one should be;
   *     null when nothing should be started for it
   * @param newest generation, which the run has to know before the request; null when it does
   */
  record Signal(Request request, @Nullable NewRun otherwise, @Nullable Long newest)
      implements ReconcileAction {

    /** To a run that knows the newest generation. */
    public Signal(Request request, @Nullable NewRun otherwise) {
      this(request, otherwise, null);
    }
  }

  /**
   * Remove the finalizer.
   *
   * @param forced requested with {@code sluice.dev/force-delete}, whatever may be left
   */
  record RemoveFinalizer(boolean forced) implements ReconcileAction {}
}
