package dev.sluice.activities.manifest.cluster;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/** Why our objects differ from those of Flink's client, where they do. */
enum Explained {
  /** The client creates in the namespace of its connection; we say it in the object. */
  NAMESPACE(ours("metadata.namespace")),

  /**
   * The client creates the Deployment first and makes it the owner of the rest afterwards, so a
   * JobManager pod waits for its ConfigMap and a client that dies between leaves a cluster that
   * never starts. Here all are owned by the FlinkDeployment, which is there before any of them.
   */
  OWNER(oursBelow("metadata.ownerReferences")),

  /** Whose it is, for people and for selectors; not part of any selector of Flink's. */
  MANAGED_BY(ours("metadata.labels." + Labels.MANAGED_BY)),

  /** Which spec the cluster was made from, under our name. */
  GENERATION(ours("metadata.annotations." + Annotations.GENERATION)),

  /** The same under the name Apache's operator uses, so that either can take over. */
  APACHE_GENERATION(ours("metadata.annotations." + Annotations.APACHE_GENERATION)),

  /** Which job the cluster was made for, so that a retried step knows its own work. */
  JOB_ID(ours("metadata.annotations." + Annotations.JOB_ID)),

  /** The Deployment is to be available when the REST API answers, not when the process is there. */
  STARTUP_PROBE(
      difference ->
          difference.isOurs()
              && difference
                  .path()
                  .matches("spec\\.template\\.spec\\.containers\\[\\d+]\\.startupProbe\\..*")),

  /** A rolling update, by a person's rollout restart, would run two JobManagers at once. */
  STRATEGY(ours("spec.strategy.type")),

  /**
   * Files on the client's machine. In the pod they mean nothing: the JobManager looks for the
   * template at a path of its own (KubernetesUtils.getTaskManagerPodTemplateFileInPod).
   */
  TEMPLATE_FILES(
      difference ->
          difference.isFlinks()
              && difference.path().startsWith("config.yaml kubernetes.pod-template-file."));

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
  private final Predicate<Difference> covers;

  Explained(Predicate<Difference> covers) {
    this.covers = covers;
  }

  static Optional<Explained> of(Difference difference) {
    return Arrays.stream(values()).filter(why -> why.covers.test(difference)).findFirst();
  }

  private static Predicate<Difference> ours(String path) {
    return difference -> difference.isOurs() && difference.path().equals(path);
  }

  private static Predicate<Difference> oursBelow(String path) {
    return difference -> difference.isOurs() && difference.path().startsWith(path);
  }
}
