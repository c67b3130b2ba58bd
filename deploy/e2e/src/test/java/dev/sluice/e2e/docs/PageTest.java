package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageTest {

  @Test
  void findsCommandsInBlocksWithoutTheirComments() {
    assertThat(
            commands(
                """
                ```
                ./sluice status   # what runs
                kubectl annotate flinkdep orders a="x # y" # why
                ```

                    $ ./sluice logs node -f
                """))
        .containsExactly(
            "./sluice status",
            "kubectl annotate flinkdep orders a=\"x # y\"",
            "./sluice logs node -f");
  }

  @Test
  void findsCommandsInTheTextEvenWhereTheyGoOnInTheNextLine() {
    assertThat(
            commands("Use `kubectl wait\n--for=condition=Ready flinkdep/orders`, or `mvn test`."))
        .containsExactly("kubectl wait --for=condition=Ready flinkdep/orders", "mvn test");
  }

  @Test
  void leavesOutWhatIsNoCommand() {
    assertThat(
            commands(
                """
                ```yaml
                kind: FlinkDeployment
                ```
                `spec.image`, `abort` and `-Dit.test=DeployIT`
                """))
        .isEmpty();
  }

  @Test
  void joinsACommandThatIsBrokenInTwo() {
    assertThat(commands("```\nmvn verify \\\n    -pl deploy/e2e\n```\n"))
        .containsExactly("mvn verify -pl deploy/e2e");
  }

  private static Iterable<String> commands(String markdown) {
    return new Page("page.md", markdown).commands().stream().map(DocumentedCommand::text).toList();
  }
}
