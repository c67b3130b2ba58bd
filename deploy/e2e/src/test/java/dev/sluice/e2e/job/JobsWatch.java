package dev.sluice.e2e.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Watches the jobs on all clusters of one resource, by Flink's own word: when each has begun, and
 * when it was last seen alive. It goes on while Kubernetes does not answer.
 */
public final class JobsWatch implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_MS = 2000;
  private static final int EVERY_MS = 300;

  private final SharedIndexInformer<Pod> jobManagers;
  private final Function<Pod, String> clusterOf;
  private final Map<String, Life> lives = new ConcurrentHashMap<>();
  private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();

  /**
   * A job that was seen alive.
   *
   * @param cluster of which it is
   * @param id as Flink has it
   * @param startMs when its cluster took it, ms since the epoch
   * @param aliveMs when it was last seen alive, at least, ms since the epoch
   */
  public record Life(String cluster, String id, long startMs, long aliveMs) {

    private Life and(Life later) {
      return new Life(
          cluster, id, Math.min(startMs, later.startMs), Math.max(aliveMs, later.aliveMs));
    }

    /** Whether both were alive at one moment. */
    public boolean meets(Life other) {
      return startMs < other.aliveMs && other.startMs < aliveMs;
    }
  }

  private JobsWatch(
      TestCluster cluster,
      String namespace,
      LabelSelector jobManagers,
      Function<Pod, String> clusterOf) {
    this.clusterOf = clusterOf;
    this.jobManagers =
        cluster.kubernetes().pods().inNamespace(namespace).withLabelSelector(jobManagers).inform();
    var unused = looks.scheduleWithFixedDelay(this::look, 0, EVERY_MS, TimeUnit.MILLISECONDS);
  }

  /** The versions of an application, from now on. */
  public static JobsWatch of(TestCluster cluster, Application application) {
    return new JobsWatch(
        cluster,
        application.namespace(),
        new LabelSelectorBuilder()
            .addToMatchLabels("flink-app", application.name())
            .addToMatchLabels("flink-deployment-type", "jobmanager")
            .build(),
        pod -> pod.getMetadata().getAnnotations().get("flink-app-hash"));
  }

  /** The children of a blue/green deployment, from now on. */
  public static JobsWatch of(TestCluster cluster, String namespace, List<Job> children) {
    return new JobsWatch(
        cluster,
        namespace,
        new LabelSelectorBuilder()
            .addToMatchLabels("component", "jobmanager")
            .addNewMatchExpression()
            .withKey("app")
            .withOperator("In")
            .withValues(children.stream().map(Job::name).toList())
            .endMatchExpression()
            .build(),
        pod -> pod.getMetadata().getLabels().get("app"));
  }

  /** All jobs that were seen alive. */
  public List<Life> lives() {
    return List.copyOf(lives.values());
  }

  /** Two jobs of one cluster that were alive at one moment; none if all is well. */
  public List<String> sideBySideOnOneCluster() {
    return meetings(one -> other -> one.cluster().equals(other.cluster()));
  }

  /** Two jobs of any cluster that were alive at one moment. */
  public List<String> sideBySide() {
    return meetings(one -> other -> true);
  }

  private List<String> meetings(Function<Life, Predicate<Life>> which) {
    List<Life> all = lives();
    return all.stream()
        .flatMap(
            one ->
                all.stream()
                    .filter(other -> one.id().compareTo(other.id()) < 0)
                    .filter(which.apply(one))
                    .filter(one::meets)
                    .map(other -> one + " and " + other))
        .toList();
  }

  @Override
  public void close() {
    looks.shutdownNow();
    jobManagers.close();
  }

  private void look() {
    for (Pod pod : jobManagers.getStore().list()) {
      try {
        look(pod);
      } catch (IOException | RuntimeException notThere) {
        // it does not answer now: nothing can be told of this moment
      }
    }
  }

  private void look(Pod pod) throws IOException {
    long now = System.currentTimeMillis();
    String cluster = clusterOf.apply(pod);
    for (JsonNode each : ask(pod.getStatus().getPodIP())) {
      FlinkJob job = FlinkJob.of(each);
      if (job.isAlive()) {
        Life life = new Life(cluster, job.id(), job.startMs(), now);
        lives.merge(cluster + " " + job.id(), life, Life::and);
      }
    }
  }

  private static JsonNode ask(String address) throws IOException {
    URLConnection connection =
        URI.create("http://" + address + ":8081/jobs/overview").toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    try (InputStream answer = connection.getInputStream()) {
      return JSON.readTree(answer).path("jobs");
    }
  }
}
