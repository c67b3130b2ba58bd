package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationActivities.FreezeVersionRequest;
import dev.sluice.workflows.application.ApplicationDecision.Adopt;
import dev.sluice.workflows.application.ApplicationDecision.Begin;
import dev.sluice.workflows.application.ApplicationDecision.GoOn;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationMemory.GivingUp;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way of a version: freeze it, make its cluster and wait for that, take the state of the old
 * job, start the new one from it, wait until it is up, point the Service at it, remove the old
 * cluster. Each call does one of these.
 */
final class VersionDeployment {

  private final OperationContext context;
  private final StepRunner steps;
  private final ApplicationLog log;
  private final ApplicationMemory memory;
  private final VersionSteps clusters;
  private final StateTaking state;
  private final JobStart start;

  VersionDeployment(
      OperationContext context,
      StepRunner steps,
      ApplicationLog log,
      ApplicationMemory memory,
      VersionSteps clusters) {
    this.context = context;
    this.steps = steps;
    this.log = log;
    this.memory = memory;
    this.clusters = clusters;
    this.state = new StateTaking(context, log, memory, clusters);
    this.start = new JobStart(log, memory, clusters);
  }

  /** Makes what Lyft's operator has deployed the deployed version. */
  void adopt(Adopt adopt) {
    FreezeVersionResult result = freeze(Step.ADOPT_VERSION, Kind.FIRST, adopt.why(), null);
    if (result instanceof FreezeVersionResult.Frozen) {
      log.done(adopt.why());
    }
  }

  /** Makes the newest spec the target, in place of one that is there. */
  void begin(Begin begin) {
    ApplicationRecord known = log.known();
    ApplicationLook look = new ApplicationLook(log.seen(), memory.asked(), 0);
    if (look.leavesUnseen() && !clusters.isDown(log.deployed())) {
      return;
    }
    if (known.target() != null && !removeForAnother(begin.kind())) {
      return;
    }
    context.generations(
        known.deployed() == null ? null : Long.valueOf(known.deployed().generation()),
        log.seen().generation());
    FreezeVersionResult result =
        freeze(
            Step.FREEZE_VERSION,
            begin.kind(),
            begin.why(),
            begin.kind() == Kind.IN_PLACE
                ? ApplicationEvents.CLUSTER_SCALE_UP
                : ApplicationEvents.CREATING_CLUSTER);
    if (result instanceof FreezeVersionResult.Frozen frozen) {
      memory.begun();
      log.done("Frozen: " + frozen.summary());
    } else if (result instanceof FreezeVersionResult.Invalid invalid) {
      log.parked(Step.FREEZE_VERSION, Reasons.INVALID_SPEC, invalid.problem());
    }
  }

  private boolean removeForAnother(Kind kind) {
    boolean scalesOn =
        kind == Kind.IN_PLACE
            && ApplicationLook.isInPlace(log.known())
            && log.target().jobId() == null;
    return scalesOn || clusters.removeTarget();
  }

  private FreezeVersionResult freeze(Step step, Kind kind, String why, @Nullable String event) {
    OperationReport report = context.report(OperationState.RUNNING, step, null, why, event);
    FreezeVersionRequest request =
        new FreezeVersionRequest(report, log.seen().generation(), kind, log.known());
    FreezeVersionResult result =
        steps.run(
            step,
            why,
            ApplicationActivities.class,
            a -> step == Step.ADOPT_VERSION ? a.adopt(request) : a.freeze(request));
    if (result instanceof FreezeVersionResult.Frozen frozen) {
      steps.goesOnUntold(step, why);
      log.frozen(frozen.record(), frozen.limits());
    }
    return result;
  }

  /** Does one step; the result where it was the last one. */
  @Nullable OperationResult goOn(GoOn next) {
    switch (next.stage()) {
      case CREATE -> create();
      case AWAIT_CLUSTER -> awaitCluster();
      case CONFIRM_DOWN -> {
        boolean unused = clusters.isDown(log.deployed());
      }
      case TAKE_STATE -> state.take(Objects.requireNonNull(next.from()));
      case SUBMIT -> submit();
      case AWAIT_JOB -> givesUp(start.await(log.target()));
      case CUT_OVER -> {
        return cutOver();
      }
      case REMOVE_OLD -> {
        return removeOld();
      }
    }
    return null;
  }

  private void create() {
    if (ApplicationLook.isInPlace(log.known())) {
      clusters.scale(log.target());
    } else {
      clusters.create(log.target());
    }
    if (log.known().phase() != ApplicationPhase.CLUSTER_STARTING) {
      log.write(
          log.known().in(ApplicationPhase.CLUSTER_STARTING),
          Step.AWAIT_VERSION,
          "Wait for the cluster " + log.target().display(),
          null);
    }
  }

  private void awaitCluster() {
    Optional<VersionReady> ready = clusters.await(log.target());
    if (ready.isEmpty()) {
      return;
    }
    if (ready.get() instanceof VersionReady.NotReady not) {
      String why = "The cluster %s is not ready: %s".formatted(log.target().display(), not.why());
      context.done(why);
      memory.givesUp(new GivingUp(OperationState.FAILED, not.reason(), why));
    } else {
      log.goesOn(
          Step.AWAIT_VERSION,
          ready.get() instanceof VersionReady.Ready is
              ? "The cluster is ready: " + is.how()
              : "The cluster is gone: " + ((VersionReady.Missing) ready.get()).why());
    }
  }

  private void submit() {
    if (Objects.requireNonNull(log.known().start()).startedJob() == null) {
      state.recordAgain();
    } else {
      givesUp(start.submit(log.target()));
    }
  }

  private void givesUp(JobStart.@Nullable Failed failed) {
    if (failed != null) {
      String why = "The job of %s does not run: %s".formatted(log.target().display(), failed.why());
      context.done(why);
      memory.givesUp(new GivingUp(OperationState.FAILED, failed.reason(), why));
    }
  }

  private @Nullable OperationResult cutOver() {
    ApplicationRecord known = log.known();
    VersionRef target = log.target();
    VersionRef deployed = known.deployed();
    boolean beside = ApplicationLook.isBeside(known);
    boolean inPlace = ApplicationLook.isInPlace(known);
    clusters.cutOver(target);
    if (deployed == null) {
      clusters.deleteLeftovers();
    }
    long generation = generation(target);
    ApplicationRecord up = known.starting(null).with(Recoveries.NONE).settled(generation);
    memory.ended();
    if (deployed != null && beside) {
      return beside(
          up.in(ApplicationPhase.DUAL_RUNNING).with(SettledPlanner.withoutFailed(known.hashes())),
          "%s runs beside %s".formatted(target.display(), deployed.display()));
    }
    ApplicationRecord running =
        up.in(ApplicationPhase.RUNNING)
            .with(target, null)
            .with(
                new Hashes(
                    null,
                    known.hashes().tornDown(),
                    deployed != null && inPlace ? deployed.hash() : null));
    if (deployed != null && !inPlace) {
      log.write(
          running.leaving(deployed),
          Step.DELETE_VERSION,
          "%s runs; remove %s".formatted(target.display(), deployed.display()),
          null);
      return null;
    }
    return end(
        running,
        "%s runs".formatted(target.display()),
        inPlace ? OperationResult.RESCALED : OperationResult.DEPLOYED);
  }

  /** The run goes on where it waits until the target has proved itself. */
  private @Nullable OperationResult beside(ApplicationRecord record, String message) {
    if (log.seen().wanted().requests().promotion() == null) {
      return end(record, message, OperationResult.UPGRADED);
    }
    log.write(record, Step.AWAIT_PROMOTION, message, null);
    return null;
  }

  /** One that differs in nothing that counts is reached, too. */
  private long generation(VersionRef version) {
    ApplicationSeen seen = log.seen();
    boolean same = seen.problem() == null && seen.wanted().fullHash().equals(version.fullHash());
    return same ? seen.generation() : version.generation();
  }

  private OperationResult removeOld() {
    VersionRef old = Objects.requireNonNull(log.known().leaving());
    clusters.delete(old);
    log.report(
        context.report(
            OperationState.RUNNING,
            Step.DELETE_VERSION,
            null,
            "The cluster %s is gone".formatted(old.display()),
            ApplicationEvents.TORE_DOWN_CLUSTER));
    clusters.deleteLeftovers();
    memory.ended();
    return end(
        log.known().leaving(null),
        "%s runs in place of what was deployed before".formatted(log.deployed().display()),
        OperationResult.UPGRADED);
  }

  private OperationResult end(ApplicationRecord record, String message, String result) {
    VersionRef version = record.target() == null ? record.deployed() : record.target();
    context.signals().forgetRetry();
    context.generations(null, Math.max(record.settledGeneration(), context.target()));
    log.write(
        record,
        context.report(
            OperationState.SUCCEEDED,
            Step.RECORD_VERSIONS,
            null,
            message,
            record.leaving() == null && record.phase() == ApplicationPhase.RUNNING
                ? EventReasons.SUBMIT
                : null));
    return new OperationResult(
        result, version == null ? context.target() : version.generation(), message);
  }
}
