package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.DeleteMode;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An event is told when what it is named for has happened. */
class ApplicationEventsTest {

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  private static List<String> events(ApplicationModel model) {
    return model.reports.stream().map(OperationReport::event).filter(Objects::nonNull).toList();
  }

  /** What Lyft's users may wait for, and the events of every kind, in the order of what happens. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "first | CreatingCluster JobSubmitted Submit",
        "dual | CreatingCluster SavepointingJob SavepointCompleted JobSubmitted ToreDownCluster Submit",
        "dual-savepoint-fails | CreatingCluster SavepointingJob SavepointFailed CancellingJob RestoringExternalizedCheckpoint JobSubmitted ToreDownCluster Submit",
        "dual-disabled | CreatingCluster CancellingJob CanceledJob JobSubmitted ToreDownCluster Submit",
        "dual-job-lost | CreatingCluster RestoringExternalizedCheckpoint JobSubmitted ToreDownCluster Submit",
        "dual-fails | CreatingCluster SavepointingJob SavepointCompleted JobSubmitted DeployFailed JobSubmitted RollbackSucceeded",
        "dual-nothing-kept | CreatingCluster SavepointingJob SavepointFailed CancellingJob SavepointFailed DeployFailed",
        "dual-fallback | CreatingCluster SavepointingJob SavepointFailed CancellingJob CancellingJob CanceledJob JobSubmitted ToreDownCluster Submit",
        "dual-job-finished | CreatingCluster RestoringWithoutExternalizedCheckpoint JobSubmitted ToreDownCluster Submit",
        "in-place | ClusterScaleUp SavepointingJob SavepointCompleted JobSubmitted Submit",
        "bg-tear-down-old | TeardownInitated TeardownCompleted",
        "deleted | SavepointingJob ToreDownCluster Cleanup",
        "deleted-force | ForceCanceling ToreDownCluster Cleanup",
      })
  void whatHappensIsToldInTheWordsOfLyft(String scenario, String expected) {
    ApplicationScenario given = ApplicationScenario.named(scenario);
    ApplicationStory story = new ApplicationStory(workers, "told-" + scenario, given.setup());
    story.untilRest();
    if (given.deletes()) {
      story.lane.delete();
      story.untilRest();
    }

    assertThat(String.join(" ", events(story.model))).isEqualTo(expected);
  }

  @Test
  void thePageHasTheReasonsThatAreSent() throws Exception {
    String page = Files.readString(Path.of("../docs/flinkapplication.md"));
    String table =
        page.substring(page.indexOf("\n|reason| |\n"), page.indexOf("Lyft's other reasons"));
    List<String> sent = new ArrayList<>();
    for (Field constant : ApplicationEvents.class.getDeclaredFields()) {
      if (constant.getType() == String.class) {
        sent.add((String) constant.get(null));
      }
    }

    assertThat(
            table
                .lines()
                .filter(line -> line.startsWith("|`"))
                .flatMap(
                    line -> Pattern.compile("`(\\w+)`").matcher(line.split("\\|")[1]).results())
                .map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(sent);
  }

  @Test
  void aSubmittedJobIsToldOnceAndBeforeItsServiceLeadsToIt() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "submitted",
            model -> {
              model.deployed();
              model.change(ModelSpec.FIRST.image(2));
            });
    List<String> beforeCutOver = new ArrayList<>();

    story.before("CutOver", 1, () -> beforeCutOver.addAll(events(story.model))).untilRest();

    assertThat(beforeCutOver).containsOnlyOnce(ApplicationEvents.JOB_SUBMITTED);
    assertThat(events(story.model)).containsOnlyOnce(ApplicationEvents.JOB_SUBMITTED);
  }

  @Test
  void theOldClusterIsToldAsTornDownOnceItIsGone() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "replaced",
            model -> {
              model.deployed();
              model.change(ModelSpec.FIRST.image(2));
            });
    List<String> beforeDelete = new ArrayList<>();

    story.before("DeleteVersion", 1, () -> beforeDelete.addAll(events(story.model))).untilRest();

    assertThat(beforeDelete).isNotEmpty().doesNotContain(ApplicationEvents.TORE_DOWN_CLUSTER);
    assertThat(events(story.model)).containsOnlyOnce(ApplicationEvents.TORE_DOWN_CLUSTER);
  }

  @Test
  void aDeletionTellsThatAClusterIsTornDownOnceItIsGone() {
    ApplicationStory story = new ApplicationStory(workers, "gone", ApplicationModel::deployed);
    List<String> beforeDelete = new ArrayList<>();

    story.before("DeleteVersion", 1, () -> beforeDelete.addAll(events(story.model)));
    story.lane.delete();
    story.untilRest();

    assertThat(beforeDelete)
        .doesNotContain(ApplicationEvents.TORE_DOWN_CLUSTER, ApplicationEvents.FORCE_CANCELING);
    assertThat(events(story.model)).containsOnlyOnce(ApplicationEvents.TORE_DOWN_CLUSTER);
  }

  @Test
  void aDeletionWithoutASavepointTellsThatItCancels() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "cancelled",
            model -> {
              model.specs.put(1L, ModelSpec.FIRST.deletes(DeleteMode.FORCE_CANCEL));
              model.deployed();
            });
    story.lane.delete();
    story.untilRest();

    assertThat(events(story.model)).containsOnlyOnce(ApplicationEvents.FORCE_CANCELING);
  }
}
