package dev.sluice.local.node.pod;

import dev.sluice.local.node.probe.Health;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** What tests see of pods. */
public final class Views {
  public static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

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

  public static PodView view(Pod pod, ContainerView main, ContainerView... init) {
    Map<String, ContainerView> views = new LinkedHashMap<>();
    for (int i = 0; i < init.length; i++) {
      views.put(pod.getSpec().getInitContainers().get(i).getName(), init[i]);
    }
    views.put("main", main);
    return new PodView(pod, false, "127.0.1.9", NOW, false, views);
  }

  public static PodView gone(PodView view) {
    return new PodView(view.pod(), true, view.ip(), view.admitted(), false, view.containers());
  }

  public static ContainerView fresh() {
    return ContainerView.untouched(null);
  }

  public static ContainerView running() {
    return of(0, new Running(77, NOW), null, null, Health.GOOD);
  }

  public static ContainerView running(Health health) {
    return of(0, new Running(77, NOW), null, null, health);
  }

  public static ContainerView asked(Instant asked, boolean killed) {
    return new ContainerView(0, new Running(77, NOW), null, null, asked, killed, Health.GOOD, null);
  }

  public static Ended exit(int code) {
    return new Ended(code, code == 0 ? "Completed" : "Error", NOW.minusSeconds(5), NOW);
  }

  /** Ended for the first time. */
  public static ContainerView ended(int code) {
    return of(0, exit(code), null, null, Health.GOOD);
  }

  /** Ended after some restarts. */
  public static ContainerView ended(int attempt, int code, Duration delay) {
    return of(attempt, exit(code), exit(code), delay, Health.GOOD);
  }

  public static ContainerView of(
      int attempt,
      Attempt.State process,
      @org.jspecify.annotations.Nullable Ended before,
      @org.jspecify.annotations.Nullable Duration delay,
      Health health) {
    return new ContainerView(attempt, process, before, delay, null, false, health, null);
  }

  public static ContainerView blocked(String reason, String message, Instant nextTry) {
    return ContainerView.untouched(new ContainerView.Blocked(reason, message, nextTry));
  }
}
