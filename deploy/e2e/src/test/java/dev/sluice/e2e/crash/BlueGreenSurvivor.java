package dev.sluice.e2e.crash;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.BlueGreen;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A FlinkBlueGreenDeployment that lives through one operation after the other. */
final class BlueGreenSurvivor implements Survivor {

  private static final String GATE = "sluice.bluegreen.gate.checkpoints";

  /** Before them the live child counts, and from them on the one that comes. */
  private static final List<String> ABOUT_THE_NEW_CHILD =
      List.of("AwaitChild", "AwaitGates", "SwitchLive", "DeleteChild", "EndTransition");

  private final Scene scene;
  private final String name;
  private int lives;
  private int rounds;
  private BlueGreen parent;
  private Child blue;
  private Child green;
  private boolean greenIsLive;
  private Manifest running;
  private Manifest coming;
  private @Nullable Counts counted;

  BlueGreenSurvivor(Scene scene, String name) {
    this.scene = scene;
    this.name = name;
    this.parent = scene.blueGreen(name);
    this.blue = Child.of(parent, "blue");
    this.green = Child.of(parent, "green");
    this.running = newer();
    this.coming = running;
  }

  BlueGreen parent() {
    return parent;
  }

  /** The child that is live, as far as is known. */
  Child live() {
    return greenIsLive ? green : blue;
  }

  /** The other one. */
  Child other() {
    return greenIsLive ? blue : green;
  }

  /** The {@link Manifest#ROUND} that is to be live now. */
  String round() {
    return running.flinkConfiguration(Manifest.ROUND);
  }

  /** The one of the newest spec. */
  String newestRound() {
    return coming.flinkConfiguration(Manifest.ROUND);
  }

  /** The counts of the live job before the operation. */
  @Nullable Counts counted() {
    return counted;
  }

  @Override
  public Optional<Resource> find() {
    return parent.find();
  }

  @Override
  public Breakpoint hold(Moment moment, String step) {
    return parent.hold(moment, step);
  }

  @Override
  public void release() {
    parent.close();
  }

  @Override
  public void annotate(String annotation, String value) {
    parent.annotate(annotation, value);
  }

  @Override
  public Optional<Pod> pod(Victim victim, Step step) {
    Child first = ABOUT_THE_NEW_CHILD.contains(step.type()) ? other() : live();
    Child second = first.equals(live()) ? other() : live();
    return first.pod(victim).or(() -> second.pod(victim));
  }

  @Override
  public Verification verification(Operation operation, boolean disturbed) {
    return new BlueGreenVerification(scene, this, of(operation), disturbed);
  }

  private static BlueGreenOperation of(Operation operation) {
    return (BlueGreenOperation) operation;
  }

  @Override
  public void giveUp() {
    parent.discard();
    lives++;
    parent = scene.blueGreen(name + "-" + lives);
    blue = Child.of(parent, "blue");
    green = Child.of(parent, "green");
    greenIsLive = false;
    running = newer();
    coming = running;
    counted = null;
  }

  @Override
  public void prepare(Operation any) {
    BlueGreenOperation operation = of(any);
    ensureRuns();
    counted = live().counts();
    if (operation.aborts()) {
      coming = newer();
      parent.configured(GATE, "1000");
      parent.apply(coming);
      Resource unused =
          parent.await(
              "at its gates",
              it ->
                  it.observed()
                      && it.status("/operation/state").equals("Running")
                      && it.status("/operation/step").equals("AwaitGates"));
    }
  }

  private void ensureRuns() {
    if (!state().startsWith("ACTIVE_")) {
      if (parent.find().isPresent()) {
        giveUp();
      }
      running = newer();
      apply(running);
      Resource unused = parent.awaitLive("blue");
    } else if (parent.find().filter(Resource::isReady).isEmpty()) {
      // what was given up is taken back
      apply(running);
      Resource unused = parent.awaitLive(live().color());
    }
  }

  private void apply(Manifest template) {
    parent.configured(GATE, "1");
    parent.apply(template);
  }

  private String state() {
    return parent.find().map(it -> it.status("/blueGreenState")).orElse("");
  }

  @Override
  public void begin(Operation operation) {
    if (of(operation).aborts()) {
      parent.annotate("sluice.dev/abort", "crash-matrix-" + rounds);
    } else {
      coming = newer();
      apply(coming);
    }
  }

  @Override
  public boolean isOver(Operation operation) {
    Child live = of(operation).aborts() ? live() : other();
    return parent
        .find()
        .filter(it -> it.status("/blueGreenState").equals("ACTIVE_" + live.color().toUpperCase()))
        .filter(
            it ->
                of(operation).aborts()
                    ? it.operation().startsWith("Transition Aborted")
                    : it.isReady() && it.operation().startsWith("Transition Succeeded"))
        .isPresent();
  }

  /** It has ended well: remembers what the next one needs. */
  void ended(BlueGreenOperation operation) {
    if (!operation.aborts()) {
      greenIsLive = !greenIsLive;
      running = coming;
    }
  }

  private Manifest newer() {
    rounds++;
    return blue.job().manifest().quickFailover().config(Manifest.ROUND, Integer.toString(rounds));
  }
}
