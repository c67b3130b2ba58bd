package dev.sluice.worker;

import dev.sluice.activities.application.ApplicationActivitiesImpl;
import dev.sluice.activities.application.ApplicationRules;
import dev.sluice.activities.application.ApplicationStatusActivities;
import dev.sluice.activities.application.ApplicationStatusWriter;
import dev.sluice.activities.application.FlinkApplicationStore;
import dev.sluice.activities.application.VersionClusters;
import dev.sluice.activities.application.VersionMembership;
import dev.sluice.activities.application.VersionReader;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.worker.Kinds.Kind;
import dev.sluice.workflows.application.DeleteApplicationWorkflow;
import dev.sluice.workflows.application.DeployApplicationWorkflow;
import dev.sluice.workflows.application.RecoverApplicationWorkflow;
import dev.sluice.workflows.application.RescaleApplicationWorkflow;
import dev.sluice.workflows.application.TearDownVersionWorkflow;
import java.util.List;

/** FlinkApplications: they have clusters of their own form. */
final class Applications {

  private Applications() {}

  static Kind kind(Kinds shared) {
    ApplicationSettings settings = shared.settings().applications();
    ClusterAccess access =
        new ClusterAccess(
            new VersionReader(shared.kubernetes()),
            shared.informers().apply(new VersionMembership()),
            shared.clock());
    VersionClusters clusters =
        new VersionClusters(
            shared.kubernetes(), access, shared.flink(), shared.watcher(), settings.options());
    return new Kind(
        FlinkApplication.class,
        new ApplicationStatusWriter(
                shared.kubernetes(), new FlinkApplicationStore(shared.kubernetes()), shared.clock())
            ::message,
        List.of(
            DeployApplicationWorkflow.class,
            RescaleApplicationWorkflow.class,
            RecoverApplicationWorkflow.class,
            TearDownVersionWorkflow.class,
            DeleteApplicationWorkflow.class),
        List.of(
            new ApplicationActivitiesImpl(
                new ApplicationStatusActivities(
                    shared.kubernetes(),
                    clusters,
                    new ApplicationRules(ApplicationValidation::validate, settings.limits()),
                    shared.clock()),
                clusters,
                new ApplicationActivitiesImpl.Flink(
                    shared.flink(), shared.starts().jars(), shared.savepoints(), shared.files()),
                access,
                shared.watcher())));
  }
}
