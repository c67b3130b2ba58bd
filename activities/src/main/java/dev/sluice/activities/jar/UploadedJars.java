package dev.sluice.activities.jar;

import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkJars.UploadedJar;
import dev.sluice.activities.flink.FlinkRestException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jars that are uploaded to JobManagers. Each is named by its content, so that starts of the
 * same jar share one, and a second attempt finds that of the first. Flink needs it while a job is
 * started, not while it runs: it is deleted when no start of this worker needs it. A worker that
 * needs one which another has deleted uploads it again.
 */
final class UploadedJars {

  private static final Logger LOG = LoggerFactory.getLogger(UploadedJars.class);
  private static final Pattern OURS = Pattern.compile("sluice-[0-9a-f]{64}\\.jar");

  /** Longer than any start: what is older was left by a worker that was killed. */
  private static final Duration LEFT_BEHIND = Duration.ofHours(1);

  private final FlinkJars flink;
  private final Clock clock;
  private final Map<Use, Integer> uses = new HashMap<>();

  /** A jar of a cluster. */
  private record Use(Endpoint cluster, String jarId) {}

  UploadedJars(FlinkJars flink, Clock clock) {
    this.flink = flink;
    this.clock = clock;
  }

  /**
   * Finds or uploads it. Who gets it calls {@link #release}.
   *
   * @return the jar's id
   */
  String take(JarStart.Lease alive, Endpoint cluster, FetchedArtifact artifact) {
    String name = "sluice-" + artifact.sha256() + ".jar";
    List<UploadedJar> jars = flink.list(cluster);
    deleteOld(cluster, jars);
    for (UploadedJar jar : jars) {
      if (jar.name().equals(name) && !isOld(jar)) {
        return use(cluster, jar.id());
      }
    }
    alive.run();
    return use(cluster, flink.upload(cluster, artifact.file(), name));
  }

  /** Whether the JobManager has that jar. */
  boolean isThere(Endpoint cluster, String jarId) {
    return flink.list(cluster).stream().anyMatch(jar -> jar.id().equals(jarId));
  }

  /** It is not needed any more by who took it. */
  void release(Endpoint cluster, String jarId) {
    if (drop(new Use(cluster, jarId))) {
      delete(cluster, jarId);
    }
  }

  private synchronized String use(Endpoint cluster, String jarId) {
    uses.merge(new Use(cluster, jarId), 1, Integer::sum);
    return jarId;
  }

  private synchronized boolean isUsed(Use use) {
    return uses.containsKey(use);
  }

  /** Whether that was the last use. */
  private synchronized boolean drop(Use use) {
    return uses.computeIfPresent(use, (it, count) -> count == 1 ? null : count - 1) == null;
  }

  private void deleteOld(Endpoint cluster, List<UploadedJar> jars) {
    jars.stream()
        .filter(jar -> OURS.matcher(jar.name()).matches() && isOld(jar))
        .filter(jar -> !isUsed(new Use(cluster, jar.id())))
        .forEach(jar -> delete(cluster, jar.id()));
  }

  private boolean isOld(UploadedJar jar) {
    Instant now = clock.instant();
    return jar.uploaded().isBefore(now.minus(LEFT_BEHIND));
  }

  private void delete(Endpoint cluster, String jarId) {
    try {
      flink.delete(cluster, jarId);
    } catch (FlinkRestException silent) {
      LOG.info("The jar {} stays on {} for now: {}", jarId, cluster, silent.getMessage());
    }
  }
}
