package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressAddress;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.ReactiveMode;
import java.util.Objects;
import java.util.regex.Pattern;

/** Name, version, mode and size of the cluster. */
final class ClusterRules {
  /** Flink derives names and labels of at most 63 characters from it by adding up to 18. */
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z\\d]{0,43}[a-z\\d])?");

  private static final String INGRESS = "spec.ingress.template";
  private static final String HOST = "{{name}}.{{namespace}}.flink.example.com";

  private ClusterRules() {}

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  static void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    if (!isName(subject.name())) {
      report.add(
          "metadata.name",
          "must be at most 45 characters: lower-case letters, digits and '-', beginning with a"
              + " letter and not ending with '-', but is "
              + Printable.quoted(subject.name())
              + ". Create the resource under another name");
    }
    FlinkVersion version = spec.flinkVersion();
    if (version == null) {
      report.add(
          "spec.flinkVersion",
          "must be given. Set it to the Flink version in the image, for example v1_20");
    } else if (!version.isSupported()) {
      report.add(
          "spec.flinkVersion",
          "must be v1_15 or later, but is " + version + ". Use a later Flink version");
    }
    String account = spec.serviceAccount();
    if (account == null || account.isBlank()) {
      report.add(
          "spec.serviceAccount",
          "must be given. Set it to a service account that may create pods and ConfigMaps");
    }
    checkMode(subject, report);
    checkSize(subject, report);
    checkIngress(subject, report);
  }

  private static void checkMode(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    if (!ReactiveMode.isOn(subject.configuration())) {
      return;
    }
    if (spec.mode() != KubernetesDeploymentMode.STANDALONE) {
      report.addKey(
          ReactiveMode.KEY,
          "reactive works with spec.mode standalone only: in native mode the JobManager decides how"
              + " many TaskManagers there are. Remove the key");
    } else if (!spec.isApplication()) {
      report.addKey(
          ReactiveMode.KEY, "reactive works with one job only, that of spec.job. Remove the key");
    }
  }

  private static void checkSize(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    int jobManagers = spec.jobManager().replicas();
    if (jobManagers > 1
        && HighAvailabilityMode.of(subject.configuration()) == HighAvailabilityMode.NONE) {
      report.add(
          "spec.jobManager.replicas",
          "must be 1 without high availability, but is "
              + jobManagers
              + ". Set high-availability.type: kubernetes and high-availability.storageDir");
    }
    Integer replicas = spec.taskManager().replicas();
    ClusterSize size = ClusterSize.of(spec);
    if (replicas != null && size.parallelism() > ClusterSize.MAX_PARALLELISM) {
      report.add(
          "spec.taskManager.replicas",
          "times %s must be at most %d, Flink's largest parallelism, but is %d times %d"
              .formatted(ClusterSize.SLOTS, ClusterSize.MAX_PARALLELISM, replicas, size.slots()));
    }
  }

  /** Its other fields are the API server's to check, when the Ingress is written. */
  static void checkIngress(Subject subject, Report report) {
    if (subject.spec().ingress() == null) {
      return;
    }
    String template = Objects.requireNonNullElse(subject.spec().ingress().template(), "");
    String namespace = subject.namespace().isEmpty() ? "default" : subject.namespace();
    try {
      Integer port = IngressAddress.of(template, subject.name(), namespace).port();
      if (port != null) {
        report.warn(
            INGRESS,
            "its port " + port + " has no effect: the Ingress controller decides. Remove it");
      }
    } catch (IllegalArgumentException e) {
      report.add(
          INGRESS,
          "must be a host, host/path or URL such as "
              + HOST
              + ", but is "
              + Printable.quoted(template));
    }
  }
}
