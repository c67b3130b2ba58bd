package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that go on from their high-availability metadata, in whole operations. */
class MetadataScenarioTest {

  private static Outcome run(String name) {
    List<Outcome> outcomes = new ArrayList<>();
    try (Cases cases = new Cases()) {
      cases.run(List.of(Todo.of(Case.parse(name))), outcomes::add);
    }
    return outcomes.get(0);
  }

  private static List<String> jobsBegun(Outcome outcome) {
    return outcome.trace().stream()
        .filter(line -> line.matches("\\d+ job \\w+ begins at \\d+"))
        .map(line -> line.split(" ")[2])
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "upgrade-ha-silent",
        "upgrade-ha-silent-last-state",
        "upgrade-ha-not-cancelled",
        "upgrade-ha-deployment-deleted",
        "upgrade-ha-silent-to-no-slots-aborted",
        "suspend-ha-silent",
        "suspend-ha-not-cancelled",
        "resume-ha"
      })
  void nobodyIsAskedAndTheJobKeepsItsId(String scenario) {
    Outcome outcome = run(scenario);

    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.steps()).doesNotContain("StopWithSavepoint", "CancelJob");
    assertThat(outcome.violations()).isEmpty();
  }

  @Test
  void aJobWhoseMetadataIsLostIsNotStartedUntilAPersonChooses() {
    Outcome outcome = run("upgrade-ha-metadata-lost");

    assertThat(outcome.trace())
        .filteredOn(line -> line.contains("HELD"))
        .first()
        .asString()
        .contains("StateNotFound");
    assertThat(jobsBegun(outcome)).hasSize(2);
  }

  /** Nothing is left of the old cluster, and the new one is not made yet. */
  @Test
  void metadataThatVanishesBetweenTheClustersParksTheUpgrade() {
    Outcome undisturbed = run("upgrade-ha-silent");
    int create = undisturbed.steps().indexOf("CreateCluster") + 1;

    Outcome outcome =
        run(
            "upgrade-ha-silent/%02d-CreateCluster/BEFORE/METADATA_DELETED_BY_HAND"
                .formatted(create));

    assertThat(outcome.trace()).anyMatch(line -> line.matches(".*HELD.*StateNotFound.*"));
    assertThat(outcome.violations()).isEmpty();
  }
}
