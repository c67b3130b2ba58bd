package dev.sluice.activities.manifest.application;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Names, labels and annotations of the objects of a version. Pure. */
final class VersionLabels {

  /** Of tools and of operators, about the resource alone. */
  private static final List<String> ABOUT_THE_RESOURCE =
      List.of("kubectl.kubernetes.io/", "sluice.dev/");

  private final VersionTarget target;

  VersionLabels(VersionTarget target) {
    this.target = target;
  }

  /** Of a Deployment. */
  ObjectMeta deployment(String name, String type) {
    Map<String, String> labels = podLabels(type);
    labels.put(ApplicationLabels.FLINK_APP_HASH, target.version().hash());
    labels.put(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    Map<String, String> annotations = annotations();
    annotations.put(Annotations.GENERATION, Long.toString(target.version().generation()));
    String fullHash = target.version().fullHash();
    if (fullHash != null) {
      annotations.put(ApplicationLabels.FULL_HASH, fullHash);
    }
    return owned(name, labels, annotations);
  }

  /** Of its pods. */
  ObjectMeta pod(String name, String type, String selector) {
    Map<String, String> labels = podLabels(type);
    labels.put(ApplicationLabels.POD_DEPLOYMENT_SELECTOR, selector);
    Map<String, String> annotations = annotations();
    annotations.put(ApplicationLabels.FLINK_APP_HASH, clusterHash());
    return new ObjectMetaBuilder()
        .withName(name)
        .withLabels(labels)
        .withAnnotations(annotations)
        .build();
  }

  /** Of the Service of the version. */
  ObjectMeta versionedService() {
    Map<String, String> labels = common();
    labels.put(ApplicationLabels.FLINK_APP_HASH, target.version().hash());
    labels.put(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    return owned(
        target.version().cluster(),
        labels,
        Map.of(ApplicationLabels.CLUSTER, target.version().cluster()));
  }

  /** Of what belongs to the application, or to the colour. */
  ObjectMeta generic() {
    Map<String, String> labels = common();
    labels.put(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    return owned(
        VersionNames.generic(target.application().name(), target.version().colour()),
        labels,
        Map.of());
  }

  /** How pods of that Deployment are selected. */
  Map<String, String> selector(String type, String selector) {
    return new TreeMap<>(
        Map.of(
            ApplicationLabels.FLINK_APP,
            target.application().name(),
            Labels.FLINK_DEPLOYMENT_TYPE,
            type,
            ApplicationLabels.POD_DEPLOYMENT_SELECTOR,
            selector));
  }

  private ObjectMeta owned(
      String name, Map<String, String> labels, Map<String, String> annotations) {
    return new ObjectMetaBuilder()
        .withNamespace(target.application().namespace())
        .withName(name)
        .withLabels(labels)
        .withAnnotations(annotations)
        .withOwnerReferences(owner())
        .build();
  }

  private OwnerReference owner() {
    return new OwnerReferenceBuilder()
        .withApiVersion(FlinkApplication.API_VERSION)
        .withKind(FlinkApplication.KIND)
        .withName(target.application().name())
        .withUid(target.application().uid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  private Map<String, String> podLabels(String type) {
    Map<String, String> labels = new TreeMap<>(target.labels());
    labels.putAll(common());
    labels.put(Labels.FLINK_DEPLOYMENT_TYPE, type);
    return labels;
  }

  private Map<String, String> common() {
    Map<String, String> labels = new TreeMap<>();
    labels.put(ApplicationLabels.FLINK_APP, target.application().name());
    Colour colour = target.version().colour();
    if (colour != null) {
      labels.put(ApplicationLabels.FLINK_APPLICATION_VERSION, colour.wire());
    }
    return labels;
  }

  private Map<String, String> annotations() {
    Map<String, String> annotations = new TreeMap<>(target.annotations());
    annotations.keySet().removeIf(key -> ABOUT_THE_RESOURCE.stream().anyMatch(key::startsWith));
    annotations.put("flink-job-properties", jobProperties(target.spec()));
    String nonce = target.spec().restartNonce();
    if (nonce != null && !nonce.isEmpty()) {
      annotations.put("restart-nonce", nonce);
    }
    Colour colour = target.version().colour();
    if (colour != null) {
      annotations.put(ApplicationLabels.FLINK_APPLICATION_VERSION, colour.wire());
    }
    return annotations;
  }

  /** The form is that of the operator of Lyft. */
  static String jobProperties(FlinkApplicationSpec spec) {
    return "jarName: %s\nparallelism: %s\nentryClass:%s\nprogramArgs:\"%s\""
        .formatted(
            spec.jarName(),
            spec.parallelism(),
            spec.entryClass(),
            spec.programArgs() == null ? "" : spec.programArgs());
  }

  /** The hash in the name of the cluster: that of the version that it was made for. */
  private String clusterHash() {
    return target.version().cluster().substring(target.application().name().length() + 1);
  }
}
