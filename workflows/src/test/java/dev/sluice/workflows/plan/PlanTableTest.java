package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.plan.Decision.Proceed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the planner decides: {@code situation | what is seen | decision | words of the reason}, see
 * {@link Seen} and {@link DecisionWords}.
 */
class PlanTableTest {

  @ParameterizedTest(name = "{0}: {2}")
  @CsvFileSource(resources = "/plans.txt", delimiter = '|')
  void decides(String situation, String seen, String decision, ArgumentsAccessor row) {
    Decision decided = Seen.of(seen).decide();
    assertThat(words(decided)).isEqualTo(decision);
    if (row.size() > 3) {
      assertThat(decided.why()).contains(row.getString(3).split(" \\.\\.\\. "));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"stable, old, 6", "recorded, none,"})
  void decides_onlyTheClusterThatWasSeen_mayGo(String seen, String job, Long generation) {
    Proceed decision = (Proceed) Seen.of(seen).decide();
    assertThat(decision.plan().teardown())
        .isEqualTo(new Plan.Teardown(job, generation, null, null));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "suspended, RESUME",
    "begun generation=8, UPGRADE",
    "begun stableGeneration=null, DEPLOY"
  })
  void operation_followsFromWhatRuns(String seen, OperationType operation) {
    assertThat(Seen.of(seen).build().operation()).isEqualTo(operation);
  }

  /** A run that is held goes on when another plan is made. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing | stable | stable | false
          all tasks came up | stable state=old,RESTARTING | stable | true
          all tasks of a job to be cancelled came up | stable mode=STATELESS state=old,RESTARTING | stable mode=STATELESS | true
          its newest checkpoint is known | stable state=old,RESTARTING newest=unknown | stable state=old,RESTARTING | true
          a checkpoint nobody waits for | stable ages=60,5,0 | stable ages=60,1,0 | false
          a checkpoint that is waited for | OLD ages=60,20,0 | OLD ages=60,1,0 | true
          its cluster is gone | stable | stable noCluster | true
          the silent JobManager is gone | stable unreachable | stable unreachable noCluster | true
          a job that is not up runs and restarts | stable state=old,RUNNING newest=checkpoint:s3://c | stable state=old,RESTARTING newest=checkpoint:s3://c | false
          a job of nobody ended | idleSession otherJobs=a | idleSession | true
          jobs in another order | idleSession otherJobs=a,b | idleSession otherJobs=b,a | false
          """)
  void essence_isAnother_whereARunThatIsHeldGoesOn(
      String what, String before, String now, boolean goesOn) {
    assertThat(essence(now).equals(essence(before))).isEqualTo(!goesOn);
  }

  private static Object essence(String words) {
    Seen seen = Seen.of(words.replace("OLD", "lastState maxCheckpointAge=10 noSavepointDirectory"));
    return seen.decide().essence(seen.build());
  }
}
