package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Flink options that become parts of pods and Services. */
final class KubernetesOptionRules implements Rule {
  private static final List<String> ROLES = List.of("jobmanager", "taskmanager");
  private static final String SECRETS = "kubernetes.secrets";
  private static final String SECRET_ENVIRONMENT = "kubernetes.env.secretKeyRef";
  private static final String EXPOSED_TYPE = "kubernetes.rest-service.exposed.type";
  private static final String HADOOP = "kubernetes.hadoop.conf.config-map.name";
  private static final Set<String> EXPOSED =
      Set.of("clusterip", "nodeport", "loadbalancer", "headless_clusterip");

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.spec().configuration();
    KubernetesOptions options = new KubernetesOptions(own);
    Stream.concat(
            SelectorLabelRules.OPTIONS.stream(),
            ROLES.stream().map(role -> "kubernetes." + role + ".node-selector"))
        .forEach(option -> checkLabels(own, options, option, report));
    Stream.of("jobmanager", "taskmanager", "rest-service", "internal-service")
        .map(part -> "kubernetes." + part + ".annotations")
        .forEach(option -> checkAnnotations(own, options, option, report));
    ROLES.forEach(role -> checkTolerations(options, "kubernetes." + role + ".tolerations", report));
    checkSecrets(own, options, report);
    checkEnvironment(own, options, report);
    own.get(HADOOP)
        .ifPresent(name -> NameRules.subdomain(Subject.keyPath(HADOOP), name, "ConfigMap", report));
    own.get(EXPOSED_TYPE)
        .filter(type -> !EXPOSED.contains(type.toLowerCase(java.util.Locale.ROOT)))
        .ifPresent(
            type ->
                report.add(
                    Subject.keyPath(EXPOSED_TYPE),
                    "must be ClusterIP, NodePort, LoadBalancer or Headless_ClusterIP, but is "
                        + Printable.quoted(type)));
  }

  private static void checkLabels(
      FlinkConfiguration own, KubernetesOptions options, String option, Report report) {
    Parsing.of(option, report, () -> options.map(option))
        .ifPresent(
            labels ->
                labels.forEach(
                    (key, value) ->
                        NameRules.labelEntry(
                            SelectorLabelRules.path(own, option, key), key, value, report)));
  }

  private static void checkAnnotations(
      FlinkConfiguration own, KubernetesOptions options, String option, Report report) {
    Parsing.of(option, report, () -> options.map(option))
        .ifPresent(
            annotations ->
                annotations
                    .keySet()
                    .forEach(
                        key ->
                            NameRules.key(SelectorLabelRules.path(own, option, key), key, report)));
  }

  private static void checkTolerations(KubernetesOptions options, String option, Report report) {
    Parsing.of(option, report, () -> options.maps(option))
        .ifPresent(
            tolerations ->
                tolerations.stream()
                    .map(toleration -> toleration.get("tolerationSeconds"))
                    .filter(seconds -> seconds != null && !isWholeNumber(seconds))
                    .forEach(
                        seconds ->
                            report.add(
                                Subject.keyPath(option),
                                "must have a whole number of tolerationSeconds, but has "
                                    + Printable.quoted(seconds))));
  }

  /** The volume is named after the Secret, and a volume has no dots in its name. */
  private static void checkSecrets(
      FlinkConfiguration own, KubernetesOptions options, Report report) {
    Parsing.of(SECRETS, report, () -> options.map(SECRETS))
        .ifPresent(
            secrets ->
                secrets.forEach(
                    (name, directory) -> {
                      String path = SelectorLabelRules.path(own, SECRETS, name);
                      NameRules.label(path, name + "-volume", "volume, made of the Secret", report);
                      if (directory.isBlank()) {
                        report.add(path, "must name a directory for each Secret, like name:/path");
                      }
                    }));
  }

  private static void checkEnvironment(
      FlinkConfiguration own, KubernetesOptions options, Report report) {
    for (String prefix : List.of("containerized.master.env.", "containerized.taskmanager.env.")) {
      options
          .prefixed(prefix)
          .keySet()
          .forEach(
              name -> NameRules.environmentVariable(Subject.keyPath(prefix + name), name, report));
    }
    Parsing.of(SECRET_ENVIRONMENT, report, () -> options.maps(SECRET_ENVIRONMENT))
        .ifPresent(
            references -> references.forEach(reference -> checkReference(reference, report)));
  }

  private static void checkReference(Map<String, String> reference, Report report) {
    String path = Subject.keyPath(SECRET_ENVIRONMENT);
    if (!reference.keySet().containsAll(Set.of("env", "secret", "key"))) {
      report.add(path, "must be items like env:NAME,secret:my-secret,key:my-key");
      return;
    }
    NameRules.environmentVariable(path, reference.getOrDefault("env", ""), report);
    NameRules.secret(path, reference.getOrDefault("secret", ""), report);
  }

  private static boolean isWholeNumber(String text) {
    try {
      Long.parseLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
