package dev.sluice.workflows.application;

import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.workflows.application.ApplicationSeen.ParallelismChange;
import dev.sluice.workflows.application.ApplicationSeen.PromotionGates;
import dev.sluice.workflows.application.ApplicationSeen.Requests;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import dev.sluice.workflows.application.ApplicationSeen.Wanted;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A spec, as far as the operations depend on it. Image, parallelism and nonce are in its hash. */
record ModelSpec(
    int image,
    int parallelism,
    int nonce,
    Works works,
    DeploymentMode mode,
    DeleteMode deleteMode,
    boolean inPlace,
    StatePolicy state,
    Requests requests,
    @Nullable String problem) {

  /** What becomes of what is made from it. */
  enum Works {
    /** Its job runs, and says that it was restored from something else. */
    RESTORES_ELSEWHERE,
    WELL,
    CLUSTER_NEVER,
    REFUSED,
    FAILS,
    NEVER_UP,
    /** Its JobManager comes down with it, again and again. */
    CRASHES,
    /** Its JobManager comes down when it is asked, and is there again each time. */
    NEVER_TOLD,
    FINISHES
  }

  static final StatePolicy USUAL = new StatePolicy(false, false, 3_600_000, null, null);
  static final Requests NOTHING = new Requests(false, null, null);
  static final ModelSpec FIRST =
      new ModelSpec(
          1,
          2,
          0,
          Works.WELL,
          DeploymentMode.DUAL,
          DeleteMode.SAVEPOINT,
          false,
          USUAL,
          NOTHING,
          null);

  String fullHash() {
    return "%02d%02d%02d0000".formatted(image, parallelism, nonce) + "f".repeat(54);
  }

  String hash() {
    return fullHash().substring(0, 10);
  }

  ModelSpec image(int other) {
    return new ModelSpec(
        other, parallelism, nonce, works, mode, deleteMode, inPlace, state, requests, problem);
  }

  ModelSpec parallelism(int other) {
    return new ModelSpec(
        image, other, nonce, works, mode, deleteMode, inPlace, state, requests, problem);
  }

  ModelSpec works(Works other) {
    return new ModelSpec(
        image, parallelism, nonce, other, mode, deleteMode, inPlace, state, requests, problem);
  }

  ModelSpec blueGreen() {
    return new ModelSpec(
        image,
        parallelism,
        nonce,
        works,
        DeploymentMode.BLUE_GREEN,
        deleteMode,
        inPlace,
        state,
        requests,
        problem);
  }

  ModelSpec deletes(DeleteMode other) {
    return new ModelSpec(
        image, parallelism, nonce, works, mode, other, inPlace, state, requests, problem);
  }

  ModelSpec scalesInPlace() {
    return new ModelSpec(
        image, parallelism, nonce, works, mode, deleteMode, true, state, requests, problem);
  }

  ModelSpec with(StatePolicy other) {
    return new ModelSpec(
        image, parallelism, nonce, works, mode, deleteMode, inPlace, other, requests, problem);
  }

  ModelSpec with(Requests other) {
    return new ModelSpec(
        image, parallelism, nonce, works, mode, deleteMode, inPlace, state, other, problem);
  }

  ModelSpec invalid() {
    return new ModelSpec(
        image,
        parallelism,
        nonce,
        works,
        mode,
        deleteMode,
        inPlace,
        state,
        requests,
        "spec.parallelism: must be at least 1");
  }

  ModelSpec valid() {
    return new ModelSpec(
        image, parallelism, nonce, works, mode, deleteMode, inPlace, state, requests, null);
  }

  @Nullable Long redeployNonce() {
    return nonce == 0 ? null : Long.valueOf(nonce);
  }

  /** The new job starts from that savepoint. */
  ModelSpec redeployed(String path) {
    return new ModelSpec(
        image,
        parallelism,
        nonce + 1,
        works,
        mode,
        deleteMode,
        inPlace,
        new StatePolicy(false, false, state.maxCheckpointAgeMs(), path, null),
        requests,
        problem);
  }

  ModelSpec disablesSavepoints() {
    return with(new StatePolicy(true, false, 3_600_000, null, null));
  }

  ModelSpec fallsBack() {
    return with(new StatePolicy(false, true, 3_600_000, null, null));
  }

  ModelSpec forcesRollback() {
    return with(new Requests(true, null, null));
  }

  ModelSpec tearsDown(String hash) {
    return with(new Requests(false, hash, null));
  }

  ModelSpec promotes() {
    return with(new Requests(false, null, new PromotionGates(1000, 1)));
  }

  /**
   * @param used the nonce that was used last; null for none
   */
  Wanted wanted(@Nullable ModelSpec deployed, @Nullable Long used) {
    boolean onlyParallelism =
        deployed != null
            && !deployed.fullHash().equals(fullHash())
            && deployed.parallelism(1).fullHash().equals(parallelism(1).fullHash());
    StatePolicy policy =
        new StatePolicy(
            state.savepointDisabled(),
            state.fallbackWithoutState(),
            state.maxCheckpointAgeMs(),
            state.named(),
            deployed == null
                    || nonce == 0
                    || deployed.nonce == nonce
                    || Objects.equals(used, (long) nonce)
                ? null
                : Long.valueOf(nonce));
    return new Wanted(
        fullHash(),
        mode,
        deleteMode,
        onlyParallelism ? new ParallelismChange(deployed.parallelism, parallelism) : null,
        inPlace,
        policy,
        requests);
  }
}
