package dev.sluice.local.node.pod;

import dev.sluice.local.node.probe.ContainerProbes.Health;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tests see of pods. */
public final class Views {
  public static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  /** Of a container that runs without probes. */
  static final Health GOOD = new Health(true, true, null);

  private static final Container ANY = new Container();

  private Views() {}

  /** A pod of one container {@code main} and these init containers. */
  public static Pod pod(String restartPolicy, String... init) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("p")
            .withUid("u")
            .endMetadata()
            .withNewSpec()
            .withRestartPolicy(restartPolicy)
            .withTerminationGracePeriodSeconds(30L)
            .addNewContainer()
            .withName("main")
            .withImage("i")
            .endContainer()
            .endSpec();
    for (String name : init) {
      pod.editSpec()
          .addNewInitContainer()
          .withName(name)
          .withImage("i")
          .endInitContainer()
          .endSpec();
    }
    return pod.build();
  }

  public static Pod deleting(Pod pod, long grace) {
    return new PodBuilder(pod)
        .editMetadata()
        .withDeletionTimestamp("2026-11-21T08:00:30Z")
        .withDeletionGracePeriodSeconds(grace)
        .endMetadata()
        .build();
  }

  static PodView view(Pod pod, ContainerView main, ContainerView... init) {
    List<ContainerView> views = new ArrayList<>();
    for (int i = 0; i < init.length; i++) {
      views.add(of(pod.getSpec().getInitContainers().get(i), init[i]));
    }
    List<ContainerView> mains = List.of(of(pod.getSpec().getContainers().get(0), main));
    return new PodView(pod, false, "127.0.1.9", NOW, false, views, mains);
  }

  /** The same view of another container. */
  private static ContainerView of(Container container, ContainerView view) {
    return new ContainerView(
        container,
        view.attempt(),
        view.process(),
        view.before(),
        view.delay(),
        view.terminationRequestedAt(),
        view.killed(),
        view.health(),
        view.blocked());
  }

  static PodView gone(PodView view) {
    return new PodView(
        view.pod(), true, view.ip(), view.admitted(), false, view.init(), view.main());
  }

  static ContainerView fresh() {
    return blocked(null);
  }

  static ContainerView running() {
    return of(0, new Running(77, NOW), null, null, GOOD);
  }

  static ContainerView running(Health health) {
    return of(0, new Running(77, NOW), null, null, health);
  }

  static ContainerView asked(Instant asked, boolean killed) {
    return new ContainerView(ANY, 0, new Running(77, NOW), null, null, asked, killed, GOOD, null);
  }

  public static Ended exit(int code) {
    return new Ended(code, code == 0 ? "Completed" : "Error", NOW.minusSeconds(5), NOW);
  }

  /** Ended for the first time. */
  static ContainerView ended(int code) {
    return of(0, exit(code), null, null, GOOD);
  }

  /** Ended after some restarts. */
  static ContainerView ended(int attempt, int code, Duration delay) {
    return of(attempt, exit(code), exit(code), delay, GOOD);
  }

  static ContainerView of(
      int attempt,
      Attempt.State process,
      @Nullable Ended before,
      @Nullable Duration delay,
      Health health) {
    return new ContainerView(ANY, attempt, process, before, delay, null, false, health, null);
  }

  static ContainerView blocked(String reason, String message, Instant nextTry) {
    return blocked(new ContainerView.Blocked(reason, message, nextTry));
  }

  private static ContainerView blocked(ContainerView.@Nullable Blocked blocked) {
    return new ContainerView(ANY, -1, null, null, null, null, false, Health.NONE, blocked);
  }
}
