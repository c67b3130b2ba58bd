package dev.sluice.local.node.pod;

import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.image.Images;
import dev.sluice.local.node.pod.ContainerView.Blocked;
import dev.sluice.local.node.probe.Health;
import dev.sluice.local.node.probe.Probes;
import dev.sluice.local.node.probe.Target;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.ProcessState;
import dev.sluice.local.node.process.ProcessState.Ended;
import dev.sluice.local.node.process.ProcessState.Running;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Looks at the containers of one pod: their files, processes and probes. */
final class PodLook {
  private final PodRecord record;
  private final Path folder;
  private final Images images;
  private final Probes probes;

  /**
   * What only the node itself knows of an attempt, and may forget when it is killed.
   *
   * @param attempt its number
   * @param asked when its process was asked to end; null when it was not
   * @param killed whether it was killed after that
   */
  record Ending(int attempt, @Nullable Instant asked, boolean killed) {}

  PodLook(PodRecord record, Path folder, Images images, Probes probes) {
    this.record = record;
    this.folder = folder;
    this.images = images;
    this.probes = probes;
  }

  ContainerView at(
      Container container, @Nullable Ending ending, @Nullable Blocked blocked, Instant now)
      throws IOException {
    ContainerFolder folders = new ContainerFolder(folder.resolve(container.getName()));
    Attempt newest = folders.newest().orElse(null);
    ContainerView untouched =
        ContainerView.untouched(images.state(record.uid(), container.getImage()));
    if (newest == null) {
      return new ContainerView(
          untouched.image(), -1, null, null, null, null, null, false, untouched.health(), blocked);
    }
    ProcessState process = newest.look(now);
    Attempt earlier = folders.attempt(newest.number() - 1);
    Ended before =
        newest.number() > 0 && earlier.begun() && earlier.look(now) instanceof Ended e ? e : null;
    Ending own = ending != null && ending.attempt() == newest.number() ? ending : null;
    return new ContainerView(
        untouched.image(),
        newest.number(),
        process,
        before,
        process instanceof Ended ended ? LastWords.of(container, newest, ended) : null,
        newest.delay().orElse(null),
        own == null ? null : own.asked(),
        own != null && own.killed(),
        health(container, newest, process),
        blocked);
  }

  private Health health(Container container, Attempt attempt, ProcessState process) {
    if (process instanceof Running running) {
      return probes.of(
          new Target(record.uid(), record.ip(), container, attempt, running.startedAt()));
    }
    probes.stop(record.uid(), container.getName());
    return Health.initial(
        container.getStartupProbe() != null, container.getReadinessProbe() != null);
  }
}
