package dev.sluice.local.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a pod is.
 *
 * @param name with its namespace; only the address of one that the API server does not have
 * @param state {@code running}, {@code not ready}, why it waits, or its phase
 * @param residentMegabytes memory that its processes hold
 */
public record PodStatus(String name, String state, long residentMegabytes) {
  /** For kubectl: name, address, phase, then what else there is to say. */
  static final String TEMPLATE =
      """
      {{range .items}}{{.metadata.namespace}}/{{.metadata.name}} {{or .status.podIP "-"}} {{.status.phase}}\
      {{range .status.conditions}}{{if eq .type "Ready"}} Ready={{.status}}{{end}}{{end}}\
      {{range .status.initContainerStatuses}}{{with .state.waiting}} {{.reason}}{{end}}{{end}}\
      {{range .status.containerStatuses}}{{with .state.waiting}} {{.reason}}{{end}}{{end}}
      {{end}}\
      """;

  /**
   * @param lines what kubectl says
   * @param memory in MB, by the address of the pod
   */
  static List<PodStatus> all(String lines, Map<String, Long> memory) {
    Map<String, Long> left = new TreeMap<>(memory);
    List<PodStatus> pods = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      List<String> words = List.of(line.split(" ", -1));
      boolean ended = words.get(2).matches("Succeeded|Failed"); // its address may be another's
      Optional<Long> held =
          ended ? Optional.empty() : Optional.ofNullable(left.remove(words.get(1)));
      pods.add(new PodStatus(words.get(0), state(words), held.orElse(0L)));
    }
    left.forEach((ip, held) -> pods.add(new PodStatus(ip, "unknown", held)));
    return pods;
  }

  private static String state(List<String> words) {
    String phase = words.get(2).equals("Running") ? "not ready" : words.get(2);
    return words.contains("Ready=True")
        ? "running"
        : words.stream()
            .skip(3)
            .filter(word -> !word.matches("Ready=.*|PodInitializing"))
            .findFirst()
            .orElse(phase.toLowerCase(Locale.ROOT));
  }
}
