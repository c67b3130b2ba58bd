package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Launcher;
import dev.sluice.e2e.cluster.TestCluster;

/** Commands of the pages that the tests of a kind run, at the moment for which they are meant. */
public enum CommandOfKind {
  APPLY_APPLICATION("kubectl apply -f deploy/local/examples/flinkapplication.yaml"),
  GET_APPLICATION("kubectl get flinkapp words"),
  WAIT_FOR_APPLICATION("kubectl wait flinkapp words --for=condition=Ready --timeout=10m"),
  GET_BLUE_GREEN("kubectl get flinkbgdep orders"),
  LIST_BLUE_GREEN("kubectl get flinkbgdep"),
  WAIT_FOR_BLUE_GREEN("kubectl wait flinkbgdep orders --for=condition=Ready --timeout=20m"),
  ABORT_BLUE_GREEN(
      "kubectl annotate flinkbgdep orders --overwrite sluice.dev/abort=\"too many errors\""),
  RETRY_BLUE_GREEN(
      "kubectl annotate flinkbgdep orders --overwrite sluice.dev/retry=\"$(date +%s)\"");

  private final String text;

  CommandOfKind(String text) {
    this.text = text;
  }

  /** As its page has it. */
  String text() {
    return text;
  }

  /** Runs it for a resource of that name; what it prints. */
  public String run(TestCluster cluster, String namespace, String name) {
    return type(cluster, line(namespace, name));
  }

  private String line(String namespace, String name) {
    return text.replaceFirst("(flinkapp|flinkbgdep) (words|orders)", "$1 " + name)
        + " -n "
        + namespace;
  }

  /** Sends what it applies as a dry run; what it makes runs under other names. */
  public String tried(TestCluster cluster) {
    return type(cluster, text + " --dry-run=server");
  }

  private static String type(TestCluster cluster, String typed) {
    Launcher.Outcome outcome = Launcher.of(cluster).run(typed);
    assertThat(outcome.exitCode()).as(typed + ": " + outcome).isZero();
    assertThat(outcome.err()).doesNotContainIgnoringCase("error").doesNotContain("No resources");
    return outcome.out();
  }
}
