package dev.sluice.e2e.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.local.demo.Counts;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * When the jobs of one cluster ran, by Flink's own timestamps. A cluster may go at any moment, so
 * they are read all the time.
 */
public final class JobTimes implements AutoCloseable {

  private static final int EVERY_MS = 50;

  private final FlinkCluster cluster;
  private final ScheduledExecutorService looks = Executors.newScheduledThreadPool(2);
  private final Map<String, Long> running = new ConcurrentHashMap<>();
  private final Map<String, Long> ended = new ConcurrentHashMap<>();
  private final Map<String, Long> counted = new ConcurrentHashMap<>();

  private JobTimes(FlinkCluster cluster) {
    this.cluster = cluster;
  }

  /** Of that cluster, from now on; it need not exist. */
  public static JobTimes of(FlinkCluster cluster) {
    JobTimes times = new JobTimes(cluster);
    times.often(times::look);
    times.often(times::count);
    return times;
  }

  private interface Look {
    void take() throws IOException;
  }

  private void often(Look look) {
    var unused =
        looks.scheduleWithFixedDelay(
            () -> {
              try {
                look.take();
              } catch (IOException | RuntimeException notThere) {
                // it is looked again in a moment
              }
            },
            0,
            EVERY_MS,
            TimeUnit.MILLISECONDS);
  }

  private void look() throws IOException {
    for (JsonNode job : cluster.get("/jobs/overview").path("jobs")) {
      String id = job.path("jid").asText();
      boolean finished = job.path("state").asText().equals("FINISHED");
      ended.put(id, finished ? job.path("end-time").asLong() : System.currentTimeMillis());
      if (!finished && !running.containsKey(id)) {
        begun(id);
      }
    }
  }

  private void begun(String id) throws IOException {
    long latest = 0;
    for (JsonNode vertex : cluster.get("/jobs/" + id).path("vertices")) {
      String times = "/jobs/%s/vertices/%s/subtasktimes".formatted(id, vertex.path("id").asText());
      for (JsonNode task : cluster.get(times).path("subtasks")) {
        long since = task.path("timestamps").path("RUNNING").asLong();
        if (since <= 0) {
          return;
        }
        latest = Math.max(latest, since);
      }
    }
    if (latest > 0) {
      running.put(id, latest);
    }
  }

  private void count() throws IOException {
    for (String id : running.keySet()) {
      Counts.read(cluster.url(), id).ifPresent(it -> counted.put(id, it.total()));
    }
  }

  /** When the last task of it began to run. */
  public long running(String job) {
    return running.get(job);
  }

  /** When it had finished, or was last seen if its cluster went before that was. */
  public long ended(String job) {
    return ended.get(job);
  }

  /** What it had counted when it was last seen. */
  public long counted(String job) {
    return counted.get(job);
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
