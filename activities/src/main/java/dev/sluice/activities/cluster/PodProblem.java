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
   * The type of the failure of a step that it ends: {@code ImagePullFailed} or {@code PodFailed}.
   */
  public String failureType() {
    return NO_IMAGE.contains(reason) ? FailureType.IMAGE_PULL_FAILED : FailureType.POD_FAILED;
  }
}
