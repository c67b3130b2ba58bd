package dev.sluice.api.validation;

import java.util.Set;

/** What every pod of the cluster needs. */
final class ImageRules implements Rule {
  private static final Set<String> POLICIES = Set.of("Always", "IfNotPresent", "Never");

  @Override
  public void check(Subject subject, Report report) {
    String serviceAccount = subject.spec().serviceAccount();
    if (serviceAccount == null || serviceAccount.isBlank()) {
      report.add(
          "spec.serviceAccount",
          "must be given. Set it to a service account that may create pods and config maps");
    }
    String policy = subject.spec().imagePullPolicy();
    if (policy != null && !POLICIES.contains(policy)) {
      report.add(
          "spec.imagePullPolicy", "must be Always, IfNotPresent or Never, is '" + policy + "'");
    }
  }
}
