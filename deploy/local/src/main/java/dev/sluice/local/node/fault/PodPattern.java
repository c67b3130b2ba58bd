package dev.sluice.local.node.fault;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Some pods.
 *
 * @param namespace their namespace
 * @param name their name; {@code *} stands for anything
 * @param labels what they must be labelled with; empty for any
 */
public record PodPattern(String namespace, String name, Map<String, String> labels) {
  public PodPattern {
    labels = labels == null ? Map.of() : Map.copyOf(labels);
  }

  /** Pods by their name, in which {@code *} stands for anything. */
  public static PodPattern named(String namespace, String name) {
    return new PodPattern(namespace, name, Map.of());
  }

  /** Pods by their labels. */
  public static PodPattern labelled(String namespace, Map<String, String> labels) {
    return new PodPattern(namespace, "*", labels);
  }

  /** Whether the pod is one of them. */
  public boolean matches(Pod pod) {
    Map<String, String> own = pod.getMetadata().getLabels();
    return namespace.equals(pod.getMetadata().getNamespace())
        && glob(name, pod.getMetadata().getName())
        && (own == null ? Map.of() : own).entrySet().containsAll(labels.entrySet());
  }

  static boolean glob(String pattern, String text) {
    String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q");
    return Pattern.matches(regex, text);
  }
}
