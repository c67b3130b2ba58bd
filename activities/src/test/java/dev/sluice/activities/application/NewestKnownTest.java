package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.application.NewestKnown.Evidence;
import dev.sluice.activities.application.NewestKnown.Savepoints;
import dev.sluice.activities.application.NewestKnown.Stop;
import dev.sluice.activities.application.StateFiles.Stored;
import dev.sluice.activities.application.StateFiles.Stored.Doubtful;
import dev.sluice.activities.application.StateFiles.Stored.Newest;
import dev.sluice.activities.application.StateFiles.Stored.Nothing;
import dev.sluice.activities.application.StateFiles.Stored.Unreadable;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.FoundState;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which state of a job that nobody has any more is its newest, row by row. */
class NewestKnownTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final String JOB = "0123456789abcdef";
  private static final String OWN = "s3://b/cp/" + JOB + "/chk-";
  private static final String BY_HAND = "s3://b/savepoint-012345-1";
  private static final Stored NOTHING = new Nothing("none");
  private static final Stored UNREADABLE = new Unreadable("in S3");
  private static final Stored STORED =
      new Newest(new StateRef.Checkpoint(OWN + 9), 9, ago(5).toEpochMilli());

  private static Instant ago(int minutes) {
    return NOW.minus(Duration.ofMinutes(minutes));
  }

  record Row(String given, Evidence known, String then) {
    @Override
    public String toString() {
      return given + ": " + then;
    }
  }

  private static Row row(String given, ApplicationJobStatus status, Stored stored, String then) {
    return row(given, status, stored, null, then);
  }

  private static Row row(
      String given, ApplicationJobStatus status, Stored stored, @Nullable Stop stop, String then) {
    return new Row(given, new Evidence(status, stop, null, stored, OptionalLong.empty()), then);
  }

  private static Row metadata(long id, ApplicationJobStatus status, Stored stored, String then) {
    return new Row(
        "the metadata has checkpoint " + id,
        new Evidence(status, null, null, stored, OptionalLong.of(id)),
        then);
  }

  private static ApplicationJobStatus nothingSeen() {
    return ApplicationJobStatus.EMPTY.withJobID(JOB);
  }

  private static ApplicationJobStatus seen(String path, int minutesAgo) {
    return nothingSeen()
        .withLastCheckpoint(path)
        .withLastCheckpointTime(ago(minutesAgo).toString());
  }

  private static ApplicationJobStatus restored(String path) {
    return nothingSeen().withRestorePath(path).withRestoreTime(ago(10).toString());
  }

  private static Stop stop(String... found) {
    return new Stop(ago(2).toEpochMilli(), Optional.of(List.of(found)), "s3://b");
  }

  private static Stop unseenStop() {
    return new Stop(ago(2).toEpochMilli(), Optional.empty(), "s3://b");
  }

  @ParameterizedTest
  @MethodSource({"files", "stopped", "finished", "highAvailability"})
  void theNewestStateThatIsKnownWins(Row row) {
    NewestKnown newest =
        new NewestKnown(JOB, row.known(), new StateAge.Limit(Duration.ofHours(1).toMillis(), NOW));

    assertThat(words(newest.find())).isEqualTo(row.then());
  }

  static Stream<Row> files() {
    return Stream.of(
        row("nothing is known", nothingSeen(), NOTHING, "None"),
        row("only files are", nothingSeen(), STORED, OWN + 9),
        row("files have a newer one", seen(OWN + 8, 6), STORED, OWN + 9),
        row("both have the same", seen(OWN + 9, 5), STORED, OWN + 9),
        row("a newer one is not there any more", seen(OWN + 12, 1), STORED, "Unknown"),
        row("a later savepoint was taken", seen(BY_HAND, 1), STORED, BY_HAND),
        row("an earlier savepoint was taken", seen(BY_HAND, 6), STORED, OWN + 9),
        row("files are in doubt", seen(OWN + 9, 1), new Doubtful("newer?"), "Unknown"),
        row("files cannot be read", seen(OWN + 9, 1), UNREADABLE, OWN + 9),
        row("the one of the status is gone", seen(OWN + 9, 1), NOTHING, "None"),
        row("it is too old", seen(OWN + 9, 61), UNREADABLE, "TooOld 3660"),
        row(
            "nobody knows how old it is",
            seen(OWN + 9, 1).withLastCheckpointTime(null),
            UNREADABLE,
            "TooOld 0"),
        row("it was restored and completed none", restored(BY_HAND), UNREADABLE, BY_HAND),
        row(
            "what it has completed was deleted",
            restored(BY_HAND).withLastCheckpointTime(ago(1).toString()),
            UNREADABLE,
            "None"));
  }

  static Stream<Row> stopped() {
    ApplicationJobStatus before = seen(OWN + 9, 5);
    return Stream.of(
        row("it left a savepoint", before, STORED, stop(BY_HAND), BY_HAND),
        row("it left none", before, STORED, stop(), OWN + 9),
        row("it left two", before, STORED, stop(BY_HAND, BY_HAND + "2"), "Unknown"),
        row("nobody can look", before, UNREADABLE, unseenStop(), "Unknown"),
        row("the status has it", seen(BY_HAND, 1), UNREADABLE, unseenStop(), BY_HAND),
        row("the status has an earlier one", seen(BY_HAND, 3), UNREADABLE, unseenStop(), "Unknown"),
        row(
            "the job had failed",
            before.withState(FlinkJobState.FAILED),
            UNREADABLE,
            unseenStop(),
            OWN + 9));
  }

  static Stream<Row> finished() {
    return Stream.of(
        finished("its checkpoints are deleted", null, List.of(), "Empty"),
        finished("it was stopped by hand", null, List.of(BY_HAND), BY_HAND),
        finished("one of two is its", null, List.of(BY_HAND, BY_HAND + "2"), "Unknown"),
        finished("nobody can look for its savepoint", null, null, "Unknown"),
        finished("it was stopped, and left none", stop(), List.of(), "Unknown"),
        finished("it was stopped, and left one", stop(), List.of(BY_HAND), BY_HAND),
        row(
            "the savepoint of the status is not deleted",
            seen(BY_HAND, 1).withState(FlinkJobState.FINISHED),
            UNREADABLE,
            BY_HAND));
  }

  private static Row finished(
      String given, @Nullable Stop stop, @Nullable List<String> kept, String then) {
    return new Row(
        given,
        new Evidence(
            seen(OWN + 9, 1).withState(FlinkJobState.FINISHED),
            stop,
            new Savepoints(Optional.ofNullable(kept), "s3://b"),
            NOTHING,
            OptionalLong.empty()),
        then);
  }

  static Stream<Row> highAvailability() {
    return Stream.of(
        metadata(9, seen(OWN + 9, 1), UNREADABLE, OWN + 9),
        metadata(11, seen(OWN + 9, 1), UNREADABLE, OWN + 11),
        metadata(11, seen(OWN + 9, 61), UNREADABLE, "TooOld 3660"),
        metadata(11, nothingSeen(), UNREADABLE, "Unknown"),
        metadata(11, seen(BY_HAND, 1), UNREADABLE, "Unknown"),
        metadata(11, restored(BY_HAND), UNREADABLE, "Unknown"),
        metadata(9, nothingSeen(), STORED, OWN + 9),
        metadata(11, nothingSeen(), STORED, "Unknown"));
  }

  private static String words(FoundState found) {
    if (found instanceof FoundState.Found is) {
      String path = is.state().pathOrNull();
      return path == null ? is.state().getClass().getSimpleName() : path;
    }
    return found instanceof FoundState.TooOld old
        ? "TooOld " + old.ageMs() / 1000
        : found.getClass().getSimpleName();
  }
}
