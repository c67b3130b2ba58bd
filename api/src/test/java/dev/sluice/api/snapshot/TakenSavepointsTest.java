package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.TakenSavepoints;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No savepoint goes without its FlinkStateSnapshot because another one follows quickly. */
class TakenSavepointsTest {

  private static final ObjectMeta ORDERS =
      new ObjectMetaBuilder().withNamespace("shop").withName("orders").withUid("uid-1").build();

  private static Savepoint number(int number) {
    return Savepoint.ofOperation(number, "s3://b/savepoint-" + number, "NATIVE");
  }

  private static List<Savepoint> numbers(Integer... numbers) {
    return Stream.of(numbers).map(TakenSavepointsTest::number).toList();
  }

  /** As it stands once the workflow has written it and the controller has told up to that one. */
  private static TakenSavepoints read(TakenSavepoints written, @Nullable Integer told) {
    return RequestedSnapshot.taken(
        ORDERS,
        written.newest(),
        written.earlier(),
        told == null
            ? null
            : SnapshotTriggers.NONE.withUpgrade(
                RequestedSnapshot.nameOfTaken(ORDERS, number(told))));
  }

  static Stream<Arguments> standings() {
    return Stream.of(
        Arguments.of("nothing was made", null, numbers(1, 2, 3)),
        Arguments.of("the first was made", 1, numbers(2, 3)),
        Arguments.of("all but the newest were made", 2, numbers(3)),
        Arguments.of("all were made", 3, numbers()),
        Arguments.of("one that was taken before was made", 9, numbers(1, 2, 3)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("standings")
  void thoseAfterTheOneThatWasMadeLastAreUntold(
      String standing, @Nullable Integer told, List<Savepoint> untold) {
    TakenSavepoints three = TakenSavepoints.NONE.with(number(1)).with(number(2)).with(number(3));

    assertThat(read(three, told).untold()).isEqualTo(untold);
  }

  @Test
  void whatIsToldIsNotKeptBesideTheNextOne() {
    TakenSavepoints two = TakenSavepoints.NONE.with(number(1)).with(number(2));

    assertThat(read(two, 1).with(number(3)).earlier()).isEqualTo(numbers(2));
    assertThat(read(two, 2).with(number(3)).earlier()).isEmpty();
  }

  /** A run that was reset says again what it took. */
  @Test
  void oneThatIsSeenAgainIsOne() {
    TakenSavepoints two = TakenSavepoints.NONE.with(number(1)).with(number(2));
    Savepoint again = Savepoint.ofOperation(9, "s3://b/savepoint-2", "NATIVE");

    assertThat(two.with(again)).isEqualTo(two);
    assertThat(two.with(number(1)).untold()).isEqualTo(numbers(2, 1));
  }

  @Test
  void ofManyTheNewestAreKept() {
    TakenSavepoints many =
        IntStream.rangeClosed(1, 20)
            .mapToObj(TakenSavepointsTest::number)
            .reduce(TakenSavepoints.NONE, TakenSavepoints::with, (one, other) -> other);

    assertThat(many.newest()).isEqualTo(number(20));
    assertThat(many.earlier()).isEqualTo(numbers(16, 17, 18, 19));
    assertThat(read(many, null).untold()).hasSize(TakenSavepoints.MOST);
  }

  @Test
  void oneWithoutAPathIsNotAskedFor() {
    Savepoint nowhere = new Savepoint(1, null, null, null, null);

    assertThat(RequestedSnapshot.taken(ORDERS, nowhere, List.of(), null).untold()).isEmpty();
  }
}
