package dev.sluice.api.common;

/**
 * What the deletion of a session cluster waits for.
 *
 * @param onSessionJobs its FlinkSessionJobs
 * @param onUnmanagedJobs live jobs that belong to no FlinkSessionJob
 */
public record SessionDeletion(boolean onSessionJobs, boolean onUnmanagedJobs) {

  /** The key of {@code onSessionJobs}; true where it is not set. */
  public static final String BLOCK_ON_SESSION_JOBS =
      "kubernetes.operator.session.deletion.block-on-session-jobs";

  /** The key of {@code onUnmanagedJobs}; true where it is not set. */
  public static final String BLOCK_ON_UNMANAGED_JOBS =
      "kubernetes.operator.session.deletion.block-on-unmanaged-jobs";

  /** As the configuration says; a typing error counts as yes. */
  public static SessionDeletion of(FlinkConfiguration configuration) {
    return new SessionDeletion(
        configuration.isOn(BLOCK_ON_SESSION_JOBS, true),
        configuration.isOn(BLOCK_ON_UNMANAGED_JOBS, true));
  }
}
