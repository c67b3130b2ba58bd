package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ImageReference;
import dev.sluice.api.common.KubernetesOptions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Images and how they are pulled. */
final class ImageRules implements Rule {
  static final String PULL_SECRETS = "kubernetes.container.image.pull-secrets";

  private static final String PULL_POLICY = "kubernetes.container.image.pull-policy";
  private static final List<String> IMAGES =
      List.of("kubernetes.container.image.ref", "kubernetes.container.image");
  private static final Set<String> POLICIES = Set.of("Always", "IfNotPresent", "Never");

  @Override
  public void check(Subject subject, Report report) {
    checkImage("spec.image", subject.spec().image(), report);
    checkPolicy("spec.imagePullPolicy", subject.spec().imagePullPolicy(), report);
    FlinkConfiguration own = subject.spec().configuration();
    IMAGES.forEach(key -> checkImage(Subject.keyPath(key), own.get(key).orElse(null), report));
    checkPolicy(Subject.keyPath(PULL_POLICY), own.get(PULL_POLICY).orElse(null), report);
    Parsing.of(PULL_SECRETS, report, () -> new KubernetesOptions(own).list(PULL_SECRETS))
        .ifPresent(
            names ->
                names.forEach(
                    name -> NameRules.secret(Subject.keyPath(PULL_SECRETS), name, report)));
  }

  static void checkImage(String path, @Nullable String image, Report report) {
    if (image == null) {
      return;
    }
    if (image.isBlank()) {
      report.add(path, "must not be empty. Set it to an image such as flink:1.20, or remove it");
    } else if (!ImageReference.isValid(image)) {
      report.add(
          path,
          "must be an image such as flink:1.20 or registry.example.com/team/job:1.0, but is "
              + Printable.quoted(image));
    }
  }

  private static void checkPolicy(String path, @Nullable String policy, Report report) {
    if (policy != null && !POLICIES.contains(policy)) {
      report.add(path, "must be Always, IfNotPresent or Never, but is " + Printable.quoted(policy));
    }
  }
}
