package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import org.jspecify.annotations.Nullable;

/**
 * How far the operations on an application have come, as its status says. Each effect names the one
 * that it was planned for, and does nothing where the status says another: a run that was reset
 * remembers an older one.
 *
 * @param phase what is being done
 * @param deployed the deployed version; null when there is none
 * @param target the version that is being deployed, or runs next to it; null when there is none
 * @param leaving the version whose cluster is still to be deleted; null when there is none
 * @param startedJob the job that is recorded to be started; null when none is
 */
public record ApplicationStanding(
    ApplicationPhase phase,
    @Nullable VersionRef deployed,
    @Nullable VersionRef target,
    @Nullable VersionRef leaving,
    @Nullable String startedJob) {}
