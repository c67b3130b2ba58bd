package dev.sluice.worker;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.bluegreen.BlueGreenActivitiesImpl;
import dev.sluice.activities.bluegreen.BlueGreenStatusWriter;
import dev.sluice.activities.bluegreen.BlueGreenStore;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterActivitiesImpl;
import dev.sluice.activities.cluster.ClusterInformers;
import dev.sluice.activities.cluster.ClusterMembership;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.JobActivitiesImpl;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.rescale.RescaleActivitiesImpl;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.sessionjob.FlinkSessionJobs;
import dev.sluice.activities.sessionjob.SessionJobActivitiesImpl;
import dev.sluice.activities.snapshot.PublishSnapshot;
import dev.sluice.activities.snapshot.SavepointReferences;
import dev.sluice.activities.snapshot.SnapshotActivitiesImpl;
import dev.sluice.activities.status.OperationMessages;
import dev.sluice.activities.status.ResourceActivitiesImpl;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.bluegreen.DeleteBlueGreenWorkflow;
import dev.sluice.workflows.bluegreen.TransitionWorkflow;
import dev.sluice.workflows.deployment.Operations;
import dev.sluice.workflows.snapshot.SnapshotWorkflow;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The kinds of resources that the worker serves, made of what they share. A new kind is one more in
 * {@link #all}.
 *
 * @param defaults Flink configuration that holds where a resource does not say, as it is now
 * @param starts of jobs on clusters that are there
 * @param files reads directories of savepoints and checkpoints; a storage that hangs keeps its
 *     threads
 * @param informers starts those of the clusters of a kind
 */
record Kinds(
    KubernetesClient kubernetes,
    WorkerSettings settings,
    Supplier<DefaultConfiguration> defaults,
    Clock clock,
    FlinkRest flink,
    SessionJobStarts starts,
    SavepointLimiter savepoints,
    Executor files,
    Watcher watcher,
    Function<ClusterMembership, ClusterInformers> informers) {

  /**
   * What one kind adds to the worker.
   *
   * @param type no savepoint is deleted that a resource of it names
   * @param messages writes what a step waits for into the status
   * @param workflows implementations of its workflow types
   * @param activities those that carry its operations out
   */
  record Kind(
      Class<? extends HasMetadata> type,
      WaitReporter messages,
      List<Class<?>> workflows,
      List<Object> activities) {}

  /** Each of them. */
  List<Kind> all() {
    FlinkDeploymentStore deployments =
        new FlinkDeploymentStore(kubernetes, defaults, settings.stableAfter());
    FlinkSessionJobStore jobs =
        new FlinkSessionJobStore(kubernetes, deployments, settings.stableAfter());
    ResourceStores stores = new ResourceStores(List.of(deployments, jobs));
    OperationMessages messages = new OperationMessages(kubernetes, stores);
    ClusterAccess access =
        new ClusterAccess(
            new ClusterReader(kubernetes), informers.apply(ClusterMembership.OF_FLINK), clock);
    List<Kind> all = new ArrayList<>();
    all.add(
        new Kind(
            FlinkDeployment.class,
            messages,
            List.of(Operations.class),
            operations(stores, access)));
    all.add(new Kind(FlinkSessionJob.class, messages, List.of(), List.of(starts(jobs, access))));
    all.add(
        new Kind(
            FlinkBlueGreenDeployment.class,
            new BlueGreenStatusWriter(kubernetes, new BlueGreenStore(kubernetes), clock)::message,
            List.of(TransitionWorkflow.class, DeleteBlueGreenWorkflow.class),
            List.of(
                new BlueGreenActivitiesImpl(
                    kubernetes, stores, defaults, access, flink, watcher))));
    all.add(Applications.kind(this));
    all.add(
        new Kind(
            FlinkStateSnapshot.class,
            WaitReporter.NONE,
            List.of(SnapshotWorkflow.class),
            snapshots(stores, access, all)));
    return all;
  }

  /** Of all kinds with a store. */
  private List<Object> operations(ResourceStores stores, ClusterAccess access) {
    FlinkSessionJobs jobs = new FlinkSessionJobs(kubernetes);
    return List.of(
        new ResourceActivitiesImpl(
            kubernetes, stores, access, flink, watcher, jobs, settings.revisions()),
        new JobActivitiesImpl(stores::of, access, flink, savepoints, watcher),
        new ClusterActivitiesImpl(kubernetes, stores, access, flink, watcher, jobs),
        new RescaleActivitiesImpl(kubernetes, stores, access, flink, watcher),
        new PublishSnapshot(kubernetes, stores, clock));
  }

  private SessionJobActivitiesImpl starts(FlinkSessionJobStore jobs, ClusterAccess access) {
    return new SessionJobActivitiesImpl(
        kubernetes,
        jobs,
        access,
        flink,
        starts.jars(),
        starts.starts(),
        starts.artifacts(),
        watcher);
  }

  /**
   * @param others whose resources may name a savepoint, too
   */
  private List<Object> snapshots(ResourceStores stores, ClusterAccess access, List<Kind> others) {
    List<Class<? extends HasMetadata>> types = new ArrayList<>(List.of(FlinkStateSnapshot.class));
    others.forEach(it -> types.add(it.type()));
    return List.of(
        new SnapshotActivitiesImpl(
            kubernetes,
            stores,
            new SavepointReferences(kubernetes, types, settings.namespaces()),
            access,
            flink,
            savepoints,
            watcher,
            defaults));
  }
}
