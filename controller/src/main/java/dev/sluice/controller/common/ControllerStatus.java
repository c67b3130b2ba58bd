package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * What a {@link StatusWriter} has to know of the status of a kind.
 *
 * @param <R> the resource
 * @param <S> its status
 */
public interface ControllerStatus<R extends HasMetadata, S> {

  /** The status of a resource, without the fields that are the workflow's. */
  S owned(R resource);

  /**
   * The same without the fields that follow cluster and job, whose change may be written later.
   * While no operation is at work, a job that has ended stays in it.
   */
  S withoutLive(S status);

  /** The same without the times at which conditions changed, which differ with each projection. */
  S withoutTimes(S status);

  /**
   * What is written instead of a status that the API server refuses: as little as possible, with
   * the reason in condition Ready.
   *
   * @param refused the status that was refused
   * @param why what the API server said
   */
  S minimal(R resource, S refused, String why);
}
