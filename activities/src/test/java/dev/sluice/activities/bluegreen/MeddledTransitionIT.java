package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people do to a transition, and to what belongs to it, beside changing the template. */
class MeddledTransitionIT extends BlueGreenScenario {

  @Test
  void whatWasRestoredFromIsRemovedOnceItWasUsed() {
    blueIsLive();
    restoreFrom("s3://bucket/known");
    assertThat(activities.observe(ref).restoreFrom()).isEqualTo("s3://bucket/known");

    greenComesFrom("s3://bucket/known");

    assertThat(activities.observe(ref).restoreFrom()).isNull();
  }

  /** It was named for a live child that has come back by itself since. */
  @Test
  void whatIsNamedToRestoreFromGoesWithTheNextBeginThatDoesNotUseIt() {
    blueIsLive();
    restoreFrom("s3://bucket/of-long-ago");
    apply(image("flink:2.3"));

    Begin unused = begun(Color.GREEN, Source.SAVEPOINT);

    assertThat(activities.observe(ref).restoreFrom()).isNull();
  }

  @Test
  void whatIsNamedToRestoreFromGoesWithTheEndOfAChangeInPlace() {
    blueIsLive();
    restoreFrom("s3://bucket/of-long-ago");
    apply(spec -> spec.withConfiguration(Map.of("sluice.bluegreen.abort.child", "delete")));

    end(true);

    assertThat(activities.observe(ref).restoreFrom()).isNull();
  }

  /** Also before its child is made. */
  @Test
  void aTransitionGoesOnUnderASpecThatDiffersInNothingThatAChildWouldSee() {
    blueIsLive();
    apply(image("flink:2.3"));
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/known"));
    assertThat(activities.observe(ref).sameTemplate()).isTrue();
    apply(
        spec ->
            spec.withConfiguration(
                Map.of("kubernetes.operator.bluegreen.abort.grace-period", "30 min")));
    assertThat(activities.observe(ref).sameTemplate()).isTrue();

    activities.report(report("ApplyChild"));
    assertThat(status().abortTimestamp()).isEqualTo("2026-11-21T08:30:00Z");
    activities.applyChild(new ChildRequest(ref, standing(), 2, Color.GREEN, null));
    assertThat(activities.observe(ref).green().madeFor()).isEqualTo(2);
    ready(Color.GREEN);
    switchTo(Color.GREEN);
    activities.end(new EndRequest(report("EndTransition", 2), standing(), true));

    assertThat(standing()).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(activities.observe(ref).change()).isEqualTo(Change.NONE);
    apply(image("flink:2.4"));
    assertThat(activities.observe(ref).sameTemplate()).isFalse();
  }

  /** Somebody has removed all annotations of it. */
  @Test
  void aLiveChildThatDoesNotSayWhatItWasMadeForIsWhatTheStatusSays() {
    switchedToGreen();
    client
        .resource(child(Color.GREEN))
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"annotations\":null}}");
    EndRequest end = new EndRequest(report("EndTransition"), standing(), true);
    apply(image("flink:2.4"));
    assertThat(activities.observe(ref).green().madeFor()).isEqualTo(2);

    activities.deleteChild(await(Color.BLUE, uid(Color.BLUE)));
    activities.end(end);

    assertThat(child(Color.BLUE)).isNull();
    assertThat(standing()).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(status().lastReconciled().spec().template().spec().image()).isEqualTo("flink:2.3");
  }
}
