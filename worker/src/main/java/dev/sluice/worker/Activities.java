package dev.sluice.worker;

import dev.sluice.activities.application.ApplicationActivitiesImpl.Flink;
import dev.sluice.activities.application.ApplicationMessages;
import dev.sluice.activities.async.BlockingWatcher;
import dev.sluice.activities.bluegreen.BlueGreenActivitiesImpl;
import dev.sluice.activities.bluegreen.BlueGreenMessages;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterActivitiesImpl;
import dev.sluice.activities.cluster.ClusterInformers;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.activities.job.JobActivitiesImpl;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.rescale.RescaleActivitiesImpl;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.sessionjob.FlinkSessionJobs;
import dev.sluice.activities.sessionjob.SessionJobActivitiesImpl;
import dev.sluice.activities.snapshot.PublishSnapshot;
import dev.sluice.activities.snapshot.SnapshotActivitiesImpl;
import dev.sluice.activities.status.OperationMessages;
import dev.sluice.activities.status.ResourceActivitiesImpl;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.bootstrap.Metrics;
import dev.sluice.bootstrap.ProcessLifecycle;
import dev.sluice.bootstrap.TemporalConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The activities with what they share: watches, waits, connections to Flink.
 *
 * @param implementations to be registered with Temporal
 * @param watcher the waits
 * @param informers know the pods and Deployments
 */
record Activities(
    List<Object> implementations, BlockingWatcher watcher, List<ClusterInformers> informers) {

  private static final int FILE_READS = 4;

  /** Opens them; nothing of it needs a server that answers. */
  static Activities open(
      TemporalConnection temporal,
      KubernetesClient kubernetes,
      Supplier<DefaultConfiguration> defaults,
      WorkerSettings worker,
      Metrics metrics,
      ProcessLifecycle lifecycle) {
    FlinkDeploymentStore deployments =
        new FlinkDeploymentStore(kubernetes, defaults, worker.stableAfter());
    FlinkSessionJobStore sessionJobs =
        new FlinkSessionJobStore(kubernetes, deployments, worker.stableAfter());
    ResourceStores stores = new ResourceStores(List.of(deployments, sessionJobs));
    OkHttpFlinkRest flink = flink(metrics, lifecycle);
    ClusterReader reader = new ClusterReader(kubernetes);
    BlockingWatcher watcher =
        new BlockingWatcher(
            temporal.client().newActivityCompletionClient(),
            new ApplicationMessages(
                kubernetes,
                Clock.systemUTC(),
                new BlueGreenMessages(
                    kubernetes, Clock.systemUTC(), new OperationMessages(kubernetes, stores))));
    lifecycle.onEnd("watcher", watcher);
    metrics.registry().gauge("sluice.waits.open", watcher, BlockingWatcher::open);
    ClusterInformers informers =
        ClusterInformers.start(kubernetes, worker.namespaces(), watcher::wake);
    lifecycle.onEnd("informers", informers);
    SavepointLimiter savepoints = limiter(worker.savepoints(), metrics);
    ExecutorService files = stateFiles();
    lifecycle.onEnd("state files", files::shutdownNow);
    ClusterAccess access = new ClusterAccess(reader, informers, Clock.systemUTC());
    SessionJobStarts starts =
        SessionJobStarts.open(worker.sessionJobs(), flink, metrics, lifecycle);
    Applications applications =
        Applications.open(
            kubernetes,
            worker,
            new Flink(flink, starts.jars(), savepoints, files),
            watcher,
            lifecycle);
    return new Activities(
        List.of(
            applications.activities(),
            new ResourceActivitiesImpl(
                kubernetes,
                stores,
                access,
                flink,
                watcher,
                new FlinkSessionJobs(kubernetes),
                worker.revisions()),
            new JobActivitiesImpl(stores::of, access, flink, savepoints, watcher),
            new ClusterActivitiesImpl(
                kubernetes, stores, access, flink, watcher, new FlinkSessionJobs(kubernetes)),
            new SessionJobActivitiesImpl(
                kubernetes,
                sessionJobs,
                access,
                flink,
                starts.jars(),
                starts.starts(),
                starts.artifacts(),
                watcher),
            new RescaleActivitiesImpl(kubernetes, stores, access, flink, watcher),
            new SnapshotActivitiesImpl(
                kubernetes,
                stores,
                worker.namespaces(),
                access,
                flink,
                savepoints,
                watcher,
                defaults),
            new BlueGreenActivitiesImpl(kubernetes, stores, defaults, access, flink, watcher),
            new PublishSnapshot(kubernetes, stores, Clock.systemUTC())),
        watcher,
        List.of(informers, applications.informers()));
  }

  private static OkHttpFlinkRest flink(Metrics metrics, ProcessLifecycle lifecycle) {
    OkHttpFlinkRest flink = new OkHttpFlinkRest(FlinkRestOptions.defaults());
    metrics
        .registry()
        .more()
        .counter("sluice.flink.requests", Tags.empty(), flink, OkHttpFlinkRest::calls);
    lifecycle.onEnd("Flink", flink);
    return flink;
  }

  private static SavepointLimiter limiter(int most, Metrics metrics) {
    SavepointLimiter limiter = new SavepointLimiter(most, Clock.systemUTC());
    metrics.registry().gauge("sluice.savepoints.running", limiter, SavepointLimiter::inUse);
    metrics.registry().gauge("sluice.savepoints.waiting", limiter, SavepointLimiter::waiting);
    return limiter;
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
