package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.Trace;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.walk.Person.Reaction;
import dev.sluice.workflows.walk.Point.Moment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One resource, from what is given to its end, and the {@link Trace} of it. */
final class Story implements Script {

  private static final String BETWEEN =
      "status: (recorded|upgrades to).*|(delete|create) the cluster.*|(stop|cancel) job .*|the user: .*|[*] .*"
          + "|end: the last job is RUNNING";

  final SimulatedLane temporal;
  final ResetRun run;
  private final Deque<Turn> turns = new ArrayDeque<>();
  private boolean longHistory;

  private record Turn(
      BiPredicate<Lane, Point> when, String what, BiConsumer<Lane, Point> happens) {}

  /** What the driver does. */
  interface Part {
    void play() throws InterruptedException;
  }

  /**
   * @param given see {@link Words}; {@code hosted} first for a job on a session cluster
   * @param person what the user does first about a run that is held
   */
  Story(String given, Reaction... person) {
    this(given, List.of(person));
  }

  Story(String given, List<Reaction> person) {
    Scenario told = Scenario.of("story", given, person);
    String uid = UUID.randomUUID().toString();
    ResourceRef ref = new ResourceRef("story", told.kind(), "default", "orders", uid);
    temporal = new SimulatedLane(SimulatedWorker.OF_STORIES, ref);
    Consumer<Environment> setup = told.setup().andThen(Environment::given);
    run = new ResetRun(new Scenario("story", setup, person, told.kind()), this, temporal, ref);
  }

  /** It happens at the first moment after an effect that begins so. */
  Story after(String effect, String words) {
    return after(effect, words, Words.happens(words));
  }

  /** It happens at the first moment after an effect that begins so. */
  Story after(String effect, String what, BiConsumer<Lane, Point> happens) {
    turns.add(
        new Turn(
            (lane, point) -> trace().stream().anyMatch(line -> line.startsWith(effect)),
            what,
            happens));
    return this;
  }

  /** It happens at the first moment after so many effects. */
  Story after(int effects, String what, BiConsumer<Lane, Point> happens) {
    turns.add(new Turn((lane, point) -> trace().size() >= effects, what, happens));
    return this;
  }

  /** It happens before that call of the activity: 1 for the first. */
  Story before(String activity, int call, String words) {
    return before(activity, call, words, Words.happens(words));
  }

  /** It happens before that call of the activity: 1 for the first. */
  Story before(String activity, int call, String what, BiConsumer<Lane, Point> happens) {
    return at(Moment.BEFORE, activity, call, what, happens);
  }

  /** It happens while that call of the activity waits. */
  Story during(String activity, int call, String words) {
    return at(Moment.DURING, activity, call, words, Words.happens(words));
  }

  private Story at(
      Moment moment, String activity, int call, String what, BiConsumer<Lane, Point> happens) {
    turns.add(
        new Turn(
            (lane, point) ->
                point.moment() == moment
                    && point.step().equals(activity)
                    && Collections.frequency(lane.steps(), activity) == call,
            what,
            happens));
    return this;
  }

  /** Temporal says from the first call of each run that its history is long. */
  Story withLongHistories() {
    longHistory = true;
    return this;
  }

  @Override
  public void at(Lane lane, Point point) {
    if (longHistory) {
      lane.historyIsLong();
    }
    if (!turns.isEmpty() && turns.peek().when().test(lane, point)) {
      Turn turn = turns.remove();
      lane.environment().effect("* " + turn.what());
      turn.happens().accept(lane, point);
    }
  }

  /** The controller looks. Returns at rest. */
  Story begins() {
    return plays(run::begin);
  }

  /** It happens while no run is open. Returns at rest. */
  Story then(String words) {
    return then(words, Words.atRest(words));
  }

  /** It happens while no run is open. Returns at rest. */
  Story then(String what, Consumer<Lane> happens) {
    run.environment().effect("* " + what);
    return plays(() -> run.after(() -> happens.accept(run.lane())));
  }

  /** Returns at rest. */
  Story plays(Part part) {
    try {
      part.play();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return this;
  }

  List<String> trace() {
    return Trace.of(run.environment());
  }

  /** All of it, once every rule is found kept. */
  List<String> ends() {
    Environment environment = run.environment();
    run.end();
    if (environment.invariants().violations().isEmpty()) {
      new EndState(environment).verify();
    }
    assertThat(environment.invariants().violations())
        .as(() -> String.join("\n", environment.trace()))
        .isEmpty();
    List<String> ended = new ArrayList<>(trace());
    ended.add("end: " + Trace.end(environment));
    return ended;
  }

  void endsAs(String expected) {
    assertThat(String.join("\n", ends()) + "\n").isEqualTo(expected);
  }

  /**
   * What the status said, and where jobs started from, until its end: without the steps between,
   * what the user did, and how it began.
   */
  String course() {
    List<String> ended = ends();
    assertThat(turns).as(() -> "did not happen, in " + ended).isEmpty();
    return ended.stream()
        .filter(line -> !line.matches(BETWEEN))
        .map(line -> line.replaceFirst("^status: ", ""))
        .collect(Collectors.joining("; "));
  }

  /** What that file has in it. */
  static String resource(String name) {
    try (InputStream table = Story.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(table, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
