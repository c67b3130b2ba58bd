package dev.sluice.e2e.cluster;

import dev.sluice.local.parts.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of metrics. */
public final class Metrics {

  private static final List<String> FILES =
      List.of(
          "deploy/helm/sluice/metrics/alerts.yaml",
          "deploy/helm/sluice/metrics/dashboard.json",
          "docs/configuration.md");

  private static final Pattern NAME =
      Pattern.compile("\\b(?:sluice|temporal|operator_sdk|jvm|process)_[a-z0-9_]+");

  /** There are none before something fails. */
  private static final Set<String> OF_FAILURES =
      Set.of(
          "operator_sdk_reconciliations_failed_total",
          "temporal_activity_execution_failed_total",
          "temporal_request_failure_total");

  private Metrics() {}

  /** Those that the alert rules, the dashboard and their page name. */
  public static Set<String> named() {
    Set<String> names = new TreeSet<>();
    for (String file : FILES) {
      try {
        NAME.matcher(Files.readString(Repository.root().resolve(file)))
            .results()
            .map(MatchResult::group)
            .forEach(names::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    names.removeAll(OF_FAILURES);
    return names;
  }

  /** Those that controller and worker have now. */
  public static Set<String> of(TestCluster cluster) {
    return Stream.of("controller", "worker")
        .map(it -> OperatorPod.of(cluster.kubernetes(), it).pod().getStatus().getPodIP())
        .flatMap(address -> scrape("http://" + address + ":8080/metrics").lines())
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replaceFirst("[{ ].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String scrape(String url) {
    try (var body = URI.create(url).toURL().openStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
