package dev.sluice.activities.cluster;

/**
 * Something that keeps a pod from running.
 *
 * @param reason Kubernetes' word for it, e.g. {@code ErrImagePull}
 * @param message for people: which pod, why, what to do
 * @param lasting nothing will change until a person does something; false for what a busy cluster
 *     may solve by itself, e.g. {@code Unschedulable}
 */
public record PodProblem(String reason, String message, boolean lasting) {}
