package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.AbortAction;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a spec says, as far as transitions depend on it.
 *
 * @param image a change of it needs a new child
 * @param patch a change of it does not
 * @param nonce {@code savepointRedeployNonce}
 * @param running whether the job is to run
 * @param works what becomes of a job of it
 * @param problem why it is not valid; null when it is
 */
record ModelSpec(
    int image,
    int patch,
    int nonce,
    boolean running,
    Works works,
    Options options,
    @Nullable String problem) {

  /** What becomes of the job. */
  enum Works {
    /** It comes up. */
    WELL,
    /** It fails. */
    FAILS,
    /** It never comes up. */
    NEVER,
    /** It comes up, and is never through a gate. */
    NOT_THROUGH_GATES,
    /** It comes up, and the gate says that it cannot be passed. */
    FAILS_AT_GATES,
    /** It is bounded, and ends. */
    FINISHES
  }

  /** {@code spec.configuration}, and what a child sees without a change of the job. */
  record Options(
      boolean stateless,
      long graceMs,
      long delayMs,
      AbortAction onAbort,
      boolean gated,
      CutOver cutOver) {
    static final Options USUAL =
        new Options(false, 4_000, 0, AbortAction.SUSPEND, false, CutOver.DUPLICATE);

    Options asStateless() {
      return new Options(true, graceMs, delayMs, onAbort, gated, cutOver);
    }

    Options delayed() {
      return new Options(stateless, graceMs, 20_000, onAbort, gated, cutOver);
    }

    Options deleting() {
      return new Options(stateless, graceMs, delayMs, AbortAction.DELETE, gated, cutOver);
    }

    Options patient() {
      return new Options(stateless, graceMs * 2, delayMs, onAbort, gated, cutOver);
    }

    Options asGated() {
      return new Options(stateless, graceMs, delayMs, onAbort, true, cutOver);
    }

    Options exactlyOnce() {
      return new Options(stateless, graceMs, delayMs, onAbort, gated, CutOver.EXACTLY_ONCE);
    }
  }

  static final ModelSpec FIRST = new ModelSpec(1, 1, 0, true, Works.WELL, Options.USUAL, null);

  ModelSpec image(int next) {
    return new ModelSpec(next, patch, nonce, running, works, options, null);
  }

  ModelSpec patched() {
    return new ModelSpec(image, patch + 1, nonce, running, works, options, null);
  }

  ModelSpec redeployed() {
    return new ModelSpec(image, patch, nonce + 1, running, works, options, null);
  }

  ModelSpec running(boolean runs) {
    return new ModelSpec(image, patch, nonce, runs, works, options, null);
  }

  ModelSpec works(Works how) {
    return new ModelSpec(image, patch, nonce, running, how, options, null);
  }

  ModelSpec with(Options other) {
    return new ModelSpec(image, patch, nonce, running, works, other, null);
  }

  ModelSpec invalid() {
    return new ModelSpec(image, patch, nonce, running, works, options, "spec.template: wrong");
  }

  /** How it differs from the one that was reached last. */
  Change from(@Nullable ModelSpec reached) {
    if (reached == null) {
      return Change.FIRST;
    }
    if (nonce != reached.nonce) {
      return Change.SAVEPOINT_REDEPLOY;
    }
    if (image != reached.image) {
      return Change.TRANSITION;
    }
    if (running != reached.running) {
      return running ? Change.RESUME : Change.SUSPEND;
    }
    return patch == reached.patch ? Change.NONE : Change.PATCH;
  }

  TransitionSettings settings() {
    return new TransitionSettings(
        options.stateless(),
        options.graceMs(),
        options.delayMs(),
        options.onAbort(),
        options.gated(),
        running,
        options.cutOver(),
        "image " + image);
  }

  /** Whether a child sees no difference. */
  boolean sameAs(ModelSpec other) {
    return image == other.image
        && patch == other.patch
        && nonce == other.nonce
        && running == other.running
        && Objects.equals(works, other.works);
  }
}
