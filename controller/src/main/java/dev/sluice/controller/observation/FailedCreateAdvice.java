package dev.sluice.controller.observation;

import java.util.Arrays;
import java.util.Locale;

/**
 * What to do about a pod that Kubernetes refuses to create. Only the message of the API server
 * tells who refuses it, and each admission plugin has words of its own. The first one that fits
 * counts.
 */
enum FailedCreateAdvice {
  WEBHOOK_AWAY(
      "failed calling webhook",
      "Bring that webhook back, or remove its configuration: it does not answer."),
  WEBHOOK("admission webhook", "Correct the pod template as that webhook wants."),
  SERVICE_ACCOUNT(
      "error looking up service account",
      "Create that service account, or correct spec.serviceAccount."),
  QUOTA("exceeded quota", "Raise the quota, or request less."),
  QUOTA_NEEDS_SIZES(
      "failed quota", "Set the resources that it names in the pod template, or change the quota."),
  POD_SECURITY(
      "violates podsecurity",
      "Set the securityContext that it names in the pod template, or relax the namespace's level."),
  PRIORITY_CLASS("no priorityclass", "Create that PriorityClass, or correct the pod template."),
  SMALLEST("minimum ", "Request as much as the LimitRange of the namespace wants."),
  LARGEST("maximum ", "Request as little as the LimitRange of the namespace allows."),
  NO_RIGHT("cannot create resource", "Grant the right that it names."),
  ANY("", "Remove what refuses it.");

  private final String words;
  private final String advice;

  FailedCreateAdvice(String words, String advice) {
    this.words = words;
    this.advice = advice;
  }

  /** One sentence, for what the API server has said. */
  static String of(String message) {
    String said = message.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(it -> said.contains(it.words))
        .findFirst()
        .orElse(ANY)
        .advice;
  }
}
