package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationDecision.Adopt;
import dev.sluice.workflows.application.ApplicationDecision.GoOn;
import dev.sluice.workflows.application.ApplicationDecision.Hold;
import dev.sluice.workflows.application.ApplicationDecision.Invalid;
import dev.sluice.workflows.application.ApplicationDecision.Settled;
import dev.sluice.workflows.application.ApplicationDecision.Stage;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Decides how an application gets to its newest spec, one step at a time, from what its status says
 * and what is there. Pure. Run again after any interruption it picks up where things stand. Two
 * rules stand above all others: a job is given up only after its state is recorded, and no job is
 * started for it before it has surely ended.
 */
final class ApplicationPlanner {

  private static final Set<String> LYFT_AT_REST = Set.of("Running", "DeployFailed", "DualRunning");

  private final SettledPlanner settled = new SettledPlanner();
  private final NewVersionPlanner underway = new NewVersionPlanner();
  private final RecoveryPlanner recovery = new RecoveryPlanner();

  /**
   * @param seen what the application says, and what was observed of its versions
   * @param asked what was asked of the run
   * @param nowMs ms since the epoch
   */
  ApplicationDecision decide(ApplicationSeen seen, ApplicationAsked asked, long nowMs) {
    ApplicationLook look = new ApplicationLook(seen, asked, nowMs);
    return OtherJobs.unless(look, decide(look));
  }

  private ApplicationDecision decide(ApplicationLook look) {
    ApplicationSeen seen = look.seen();
    ApplicationRecord record = seen.record();
    LyftLeft lyft = seen.lyft();
    if (lyft != null && record.deployed() == null) {
      return adoption(look, lyft);
    }
    if (record.phase() == ApplicationPhase.DELETING) {
      return new Invalid("It is being deleted");
    }
    List<VersionRef> unnamed = seen.lyftsUnnamed();
    if (!unnamed.isEmpty()) {
      return unnamed(unnamed);
    }
    if (record.leaving() != null) {
      return leaves(record, record.leaving());
    }
    if (record.phase().isSettled()) {
      return settled.decide(look);
    }
    if (RecoveryPlanner.isRecovery(record)) {
      return recovery.decide(look);
    }
    return record.target() == null ? nothingBegun(record) : underway.decide(look);
  }

  private static ApplicationDecision adoption(ApplicationLook look, LyftLeft lyft) {
    if (!lyft.running()) {
      return look.seen().leftovers().isEmpty() ? withoutCluster(look, lyft) : notWhole(look, lyft);
    }
    return LYFT_AT_REST.contains(lyft.phase())
        ? new Adopt("Take %s over from Lyft's operator".formatted(lyft.deployHash()))
        : new Hold(
            true,
            Reasons.WAITING_FOR_OPERATOR,
            "Lyft's operator has left it in phase %s. Let that operator come to an end, or set status.phase to Running once the job of %s runs"
                .formatted(lyft.phase(), lyft.deployHash()));
  }

  private static ApplicationDecision withoutCluster(ApplicationLook look, LyftLeft lyft) {
    StatePolicy state = look.seen().wanted().state();
    return state.redeploys() && state.named() != null && look.seen().problem() == null
        ? look.begin("Lyft's operator has left no cluster; start from " + state.named())
        : new Hold(
            false,
            Reasons.STATE_NOT_FOUND,
            "Lyft's operator has deployed %s, whose cluster is not there. To start from a savepoint set savepointPath and savepointRedeployNonce"
                .formatted(lyft.deployHash()));
  }

  /** A job may be there, or come back: none is started next to it. */
  private static ApplicationDecision notWhole(ApplicationLook look, LyftLeft lyft) {
    return new Hold(
        true,
        Reasons.WAITING_FOR_OPERATOR,
        "Lyft's operator has deployed %s, which lacks a Deployment, and Deployments are there of: %s. Make the missing one again, or stop what runs there with a savepoint and delete those Deployments"
            .formatted(lyft.deployHash(), VersionRef.display(look.seen().leftovers())));
  }

  /** Their jobs may run: none is started next to them, and none of them is deleted. */
  private static ApplicationDecision unnamed(List<VersionRef> clusters) {
    return new Hold(
        true,
        Reasons.WAITING_FOR_OPERATOR,
        "Lyft's operator has made %s, and the status names none as deployed. Stop what runs there with a savepoint and delete the Deployments; or remove status.deployment, and set status.deployHash to the flink-app-hash of one and status.phase to Running"
            .formatted(VersionRef.display(clusters)));
  }

  private static ApplicationDecision leaves(ApplicationRecord record, VersionRef leaving) {
    return record.phase() == ApplicationPhase.DUAL_RUNNING
        ? new TearDown(
            leaving,
            Objects.requireNonNull(record.deployed()),
            leaving.display() + " is being torn down")
        : new GoOn(Stage.REMOVE_OLD, null, "Remove " + leaving.display() + ", which was replaced");
  }

  /** A phase that only a target has, without one: somebody has edited the status. */
  private static ApplicationDecision nothingBegun(ApplicationRecord record) {
    ApplicationPhase rest =
        record.deployed() == null ? ApplicationPhase.NEW : ApplicationPhase.RUNNING;
    return new Settled(
        record.in(rest).starting(null).taking(null),
        "The status says %s, and names no version that is being deployed"
            .formatted(record.phase()));
  }
}
