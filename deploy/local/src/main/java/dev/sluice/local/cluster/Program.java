package dev.sluice.local.cluster;

import java.util.List;
import java.util.Optional;

/**
 * A pod of Sluice itself.
 *
 * @param component {@code controller} or {@code worker}
 * @param healthUrl answers 200 when it is ready; empty while the pod has no address
 */
public record Program(String component, String healthUrl) {

  private static final String TEMPLATE =
      "{{range .items}}{{if not .metadata.deletionTimestamp}}"
          + "{{index .metadata.labels \"app.kubernetes.io/component\"}}"
          + " {{with .status.podIP}}{{.}}{{end}}{{\"\\n\"}}{{end}}{{end}}";

  /** Those that are meant to run; none when the API server does not answer. */
  static List<Program> all(Kubectl kubectl) {
    Kubectl.Result pods =
        kubectl.run(
            "get",
            "pods",
            "--namespace=" + Operator.NAMESPACE,
            "--selector=app.kubernetes.io/part-of=sluice",
            "--output=go-template=" + TEMPLATE);
    return pods.ok() ? parse(pods.output()) : List.of();
  }

  static List<Program> parse(String lines) {
    return lines
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.strip().split(" ", -1))
        .map(words -> new Program(words[0], words.length > 1 ? url(words[1]) : ""))
        .toList();
  }

  /**
   * Why it is not ready, asked of the program itself: what Kubernetes says of it may be from before
   * the node was down.
   *
   * @return empty when it is
   */
  public Optional<String> problem() {
    return healthUrl.isEmpty()
        ? Optional.of("its pod has not started")
        : ReadyProbe.problem(healthUrl);
  }

  private static String url(String address) {
    return "http://" + address + ":8080/readyz";
  }
}
