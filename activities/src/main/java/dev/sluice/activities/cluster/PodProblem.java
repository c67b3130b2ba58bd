package dev.sluice.activities.cluster;

import dev.sluice.workflows.activity.FailureType;
import java.util.Set;

/**
 * Something that keeps a pod from running.
 *
 * @param reason Kubernetes' word for it, e.g. {@code ErrImagePull}
 * @param message for people: which pod, why, what to do
 * @param lasting nothing will change until a person does something; false for what a busy cluster
 *     may solve by itself, e.g. {@code Unschedulable}
 */
public record PodProblem(String reason, String message, boolean lasting) {

  private static final Set<String> IMAGE =
      Set.of("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull");

  /** The failure type of a wait that ends because of it. */
  public String failureType() {
    return IMAGE.contains(reason) ? FailureType.IMAGE_PULL_FAILED : FailureType.POD_FAILED;
  }
}
