package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.List;

/** Every pod of the cluster runs with a service account. */
final class ServiceAccountRules implements Rule {
  private static final String PATH = "spec.serviceAccount";
  private static final List<String> KEYS =
      List.of(
          "kubernetes.service-account",
          "kubernetes.jobmanager.service-account",
          "kubernetes.taskmanager.service-account");

  @Override
  public void check(Subject subject, Report report) {
    String name = subject.spec().serviceAccount();
    if (name == null || name.isBlank()) {
      report.add(
          PATH, "must be given. Set it to a service account that may create pods and ConfigMaps");
    } else {
      NameRules.serviceAccount(PATH, name, report);
    }
    FlinkConfiguration own = subject.spec().configuration();
    for (String key : KEYS) {
      own.get(key)
          .ifPresent(value -> NameRules.serviceAccount(Subject.keyPath(key), value, report));
    }
  }
}
