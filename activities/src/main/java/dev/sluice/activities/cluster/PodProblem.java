package dev.sluice.activities.cluster;

import dev.sluice.workflows.activity.FailureType;
import java.util.Set;

/**
 * Something that keeps a pod from running.
 *
 * @param reason Kubernetes' word for it, e.g. {@code ErrImagePull}
 * @param message which pod, why, what to do
 * @param lasting nothing will change soon; false for what a busy cluster may solve by itself, e.g.
 *     {@code Unschedulable}
 */
public record PodProblem(String reason, String message, boolean lasting) {

  static final Set<String> NO_IMAGE =
      Set.of("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull");

  /**
   * The type of the failure of a step that it ends: {@code ImagePullFailed}, {@code FailedMount} or
   * {@code PodFailed}.
   */
  public String failureType() {
    if (NO_IMAGE.contains(reason)) {
      return FailureType.IMAGE_PULL_FAILED;
    }
    return reason.equals(FailureType.FAILED_MOUNT)
        ? FailureType.FAILED_MOUNT
        : FailureType.POD_FAILED;
  }

  /** The same, where it is not sure that it is still so. */
  PodProblem mayPass() {
    return new PodProblem(reason, message, false);
  }
}
