package dev.sluice.worker;

import dev.sluice.activities.application.ApplicationActivitiesImpl;
import dev.sluice.activities.application.ApplicationActivitiesImpl.Flink;
import dev.sluice.activities.application.ApplicationRules;
import dev.sluice.activities.application.ApplicationStatusActivities;
import dev.sluice.activities.application.VersionClusters;
import dev.sluice.activities.application.VersionMembership;
import dev.sluice.activities.application.VersionReader;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterInformers;
import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.bootstrap.ProcessLifecycle;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/**
 * What carries out the operations on FlinkApplications.
 *
 * @param activities to be registered with Temporal
 * @param informers know the pods and Deployments of their clusters
 */
record Applications(ApplicationActivitiesImpl activities, ClusterInformers informers) {

  /** Opens it until the process ends. */
  static Applications open(
      KubernetesClient kubernetes,
      WorkerSettings worker,
      Flink flink,
      Watcher watcher,
      ProcessLifecycle lifecycle) {
    ClusterInformers informers =
        ClusterInformers.start(
            kubernetes, worker.namespaces(), watcher::wake, new VersionMembership());
    lifecycle.onEnd("informers of FlinkApplications", informers);
    ClusterAccess access =
        new ClusterAccess(new VersionReader(kubernetes), informers, Clock.systemUTC());
    VersionClusters clusters =
        new VersionClusters(
            kubernetes, access, flink.rest(), watcher, worker.applications().options());
    return new Applications(
        new ApplicationActivitiesImpl(
            new ApplicationStatusActivities(
                kubernetes,
                clusters,
                new ApplicationRules(
                    ApplicationValidation::validate, worker.applications().limits()),
                access.clock()),
            clusters,
            flink,
            access,
            watcher),
        informers);
  }
}
