package dev.sluice.activities.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.SpecRevisions.SpecRevision;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionChoiceTest {

  private static final StateRef LEFT_BY_4 = new StateRef.Savepoint("s3://left-by-4");
  private static final StateRef LEFT_BY_6 = new StateRef.Savepoint("s3://left-by-6");

  /** 5 was left through metadata, so that its state is not known; 7 was rolled back from. */
  private static final List<SpecRevision> KNOWN =
      List.of(
          new SpecRevision(spec(4), LEFT_BY_4, false),
          new SpecRevision(spec(6), LEFT_BY_6, false),
          new SpecRevision(spec(5), null, false),
          new SpecRevision(spec(7), null, true),
          new SpecRevision(spec(9), LEFT_BY_6, false));

  private static TargetSpec spec(long generation) {
    return Stored.of(Deployed.orders("default"))
        .parsed(new FrozenSpec(Deployed.SPEC, generation, false).toJson())
        .orElseThrow();
  }

  private static long generation(RevisionChoice choice) {
    return choice.spec().target().generation();
  }

  @Test
  void theOneBeforeTheDeployedSpecIsGoneBackTo() {
    RevisionChoice choice = RevisionChoice.of(KNOWN, 8, null, null);

    assertThat(generation(choice)).isEqualTo(6);
    assertThat(choice.from()).isEqualTo(LEFT_BY_6);
  }

  @Test
  void anyThatIsKeptCanBeNamed() {
    RevisionChoice choice = RevisionChoice.of(KNOWN, 8, "4", null);

    assertThat(generation(choice)).isEqualTo(4);
    assertThat(choice.from()).isEqualTo(LEFT_BY_4);
  }

  @Test
  void theNewestStateNeedsNoneThatIsKept() {
    RevisionChoice choice = RevisionChoice.of(KNOWN, 8, "5", "newest");

    assertThat(generation(choice)).isEqualTo(5);
    assertThat(choice.from()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8 | 3 |  | no spec of generation '3' is kept; kept are generations 4, 5, 6, 7, 9",
        "8 | x |  | no spec of generation 'x' is kept; kept are generations 4, 5, 6, 7, 9",
        "4 |   |  | no spec before generation 4 is kept; kept are generations 4, 5, 6, 7, 9",
        "6 | 6 |  | generation 6 is deployed",
        "8 |   | oldest | sluice.dev/rollback-state is 'oldest', and can only be 'newest'",
        "8 | 5 |  | it is not known what the job of generation 5 left; to start from the newest"
            + " state of the job that runs, annotate with sluice.dev/rollback-state=newest and"
            + " sluice.dev/rollback",
        "6 |   |  | it is not known what the job of generation 5 left; to start from the newest"
            + " state of the job that runs, annotate with sluice.dev/rollback-state=newest and"
            + " sluice.dev/rollback",
      })
  void whatCannotBeGoneBackToIsSaid(long deployed, String to, String state, String problem) {
    assertThat(RevisionChoice.of(KNOWN, deployed, to, state))
        .isEqualTo(RevisionChoice.none(problem));
  }

  /** It was rolled back from, so that what ran before the deployed one is older. */
  @Test
  void oneThatWasRolledBackFromIsNotTheOneBefore() {
    assertThat(generation(RevisionChoice.of(KNOWN, 8, null, null))).isEqualTo(6);
    assertThat(generation(RevisionChoice.of(KNOWN, 8, null, "newest"))).isEqualTo(6);
  }

  @Test
  void nothingIsKeptOfAFirstDeployment() {
    assertThat(RevisionChoice.of(List.of(), 1, null, null))
        .isEqualTo(RevisionChoice.none("no spec before generation 1 is kept"));
  }
}
