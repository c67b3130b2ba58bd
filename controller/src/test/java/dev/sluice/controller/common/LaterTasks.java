package dev.sluice.controller.common;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What an {@link EventRecorder} does on its threads, done when the test says so. */
final class LaterTasks {

  private final List<Task> tasks = new ArrayList<>();

  private record Task(Runnable task, Instant due) {}

  /** One whose tasks that are due are done at once. */
  EventRecorder recorder(KubernetesClient client, Clock clock) {
    return new EventRecorder(
        client,
        clock,
        (task, after) -> {
          if (after.isZero()) {
            task.run();
          } else {
            tasks.add(new Task(task, clock.instant().plus(after)));
          }
        },
        () -> {});
  }

  /** Does what is due. */
  void run(Instant now) {
    List<Task> due = tasks.stream().filter(it -> !now.isBefore(it.due())).toList();
    tasks.removeAll(due);
    due.forEach(it -> it.task().run());
  }

  /** How long until the next one. */
  List<Duration> pauses(Instant now) {
    return tasks.stream().map(it -> Duration.between(now, it.due())).toList();
  }
}
