package dev.sluice.worker;

import dev.sluice.activities.async.BlockingWatcher;
import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.cluster.ClusterInformers;
import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.activities.flink.RestTls;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.bootstrap.Metrics;
import dev.sluice.bootstrap.ProcessLifecycle;
import dev.sluice.bootstrap.TemporalConnection;
import dev.sluice.worker.Kinds.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The kinds with what they share: watches, waits, connections to Flink.
 *
 * @param kinds their workflows and activities
 * @param watcher the waits
 * @param informers know the pods and Deployments
 */
record Activities(List<Kind> kinds, BlockingWatcher watcher, List<ClusterInformers> informers) {

  private static final int FILE_READS = 4;

  /** Opens them; nothing of it needs a server that answers. */
  static Activities open(
      TemporalConnection temporal,
      KubernetesClient kubernetes,
      Supplier<DefaultConfiguration> defaults,
      Supplier<Optional<RestTls>> tls,
      WorkerSettings worker,
      Metrics metrics,
      ProcessLifecycle lifecycle) {
    OkHttpFlinkRest flink = flink(tls, metrics, lifecycle);
    Map<String, WaitReporter> messages = new ConcurrentHashMap<>();
    BlockingWatcher watcher =
        new BlockingWatcher(
            temporal.client().newActivityCompletionClient(),
            (resource, waiting, text) ->
                messages
                    .getOrDefault(resource.kind(), WaitReporter.NONE)
                    .report(resource, waiting, text));
    lifecycle.onEnd("watcher", watcher);
    metrics.registry().gauge("sluice.waits.open", watcher, BlockingWatcher::open);
    ExecutorService files = stateFiles();
    lifecycle.onEnd("state files", files::shutdownNow);
    List<ClusterInformers> informers = new ArrayList<>();
    Kinds kinds =
        new Kinds(
            kubernetes,
            worker,
            defaults,
            Clock.systemUTC(),
            flink,
            SessionJobStarts.open(worker.sessionJobs(), flink, tls, metrics, lifecycle),
            new SavepointLimiter(worker.savepoints(), Clock.systemUTC(), metrics.registry()),
            files,
            watcher,
            clusters -> {
              informers.add(
                  ClusterInformers.start(kubernetes, worker.namespaces(), watcher::wake, clusters));
              return informers.get(informers.size() - 1);
            });
    List<Kind> all = kinds.all();
    lifecycle.onEnd("informers", () -> informers.forEach(ClusterInformers::close));
    all.forEach(it -> messages.put(HasMetadata.getKind(it.type()), it.messages()));
    return new Activities(all, watcher, informers);
  }

  private static OkHttpFlinkRest flink(
      Supplier<Optional<RestTls>> tls, Metrics metrics, ProcessLifecycle lifecycle) {
    OkHttpFlinkRest flink =
        new OkHttpFlinkRest(FlinkRestOptions.defaults(), tls, metrics.registry());
    lifecycle.onEnd("Flink", flink);
    return flink;
  }

  /** What is wrong with the watches; empty when all of them are up. */
  Optional<String> problem() {
    return informers.stream().map(ClusterInformers::problem).flatMap(Optional::stream).findFirst();
  }

  /** Gives the open waits to other workers. */
  void handOver() {
    watcher.handOver();
  }

  /** A storage that hangs keeps its threads. */
  private static ExecutorService stateFiles() {
    return Executors.newFixedThreadPool(
        FILE_READS,
        task -> {
          Thread thread = new Thread(task, "state-files");
          thread.setDaemon(true);
          return thread;
        });
  }
}
