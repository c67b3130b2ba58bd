package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ProcessSizes;
import dev.sluice.controller.observation.ProcessSizes.Size;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code status.clusterInfo}, under the keys and in the units of Apache's operator. What is not
 * known now stays as it was; a size that has hardly changed, too, because each change costs a
 * write.
 */
final class ClusterInfo {

  private static final String TOTAL_CPU = "total-cpu";
  private static final String TOTAL_MEMORY = "total-memory";
  private static final String STATE_SIZE = "state-size";

  /** A quarter more or less, and at least a mebibyte. */
  private static final double ENOUGH = 0.25;

  private static final long LEAST = 1L << 20;

  private ClusterInfo() {}

  /**
   * @param last as it was published
   */
  static @Nullable Map<String, String> of(
      SeenDeployment snapshot, Answered answered, @Nullable Map<String, String> last) {
    Map<String, String> info = new TreeMap<>(Objects.requireNonNullElse(last, Map.of()));
    String sizeBefore = info.get(STATE_SIZE);
    info.putAll(answered.clusterInfo());
    if (sizeBefore != null && isAbout(sizeBefore, info.get(STATE_SIZE))) {
      info.put(STATE_SIZE, sizeBefore);
    }
    ProcessSizes sizes = snapshot.observed().cluster().sizes();
    Size taskManager = sizes.taskManager();
    // TaskManagers that come and go while the job starts would cost a write each
    if (taskManager != null && answered.job().filter(Job::isUp).isPresent()) {
      int number = taskManagers(snapshot);
      Size total = sizes.jobManagers().plus(taskManager.times(number));
      info.put(TOTAL_CPU, Double.toString(total.cpu()));
      info.put(TOTAL_MEMORY, Long.toString(total.memory()));
    }
    return info.isEmpty() ? null : info;
  }

  /** As the spec says, or as many as its Deployment is scaled to. */
  static int taskManagers(SeenDeployment snapshot) {
    return Objects.requireNonNullElseGet(
        snapshot.observed().cluster().sizes().taskManagers(),
        () -> ClusterSize.of(snapshot.deployedSpec()).taskManagers());
  }

  private static boolean isAbout(String before, @Nullable String now) {
    if (now == null || !before.matches("\\d{1,18}") || !now.matches("\\d{1,18}")) {
      return now == null;
    }
    long size = Long.parseLong(before);
    return Math.abs(Long.parseLong(now) - size) <= Math.max(size * ENOUGH, LEAST);
  }
}
