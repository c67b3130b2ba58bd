package dev.sluice.workflows.application;

/** What calls of activities require. */
abstract class ModelCalls extends ModelWorld {

  /** A worker that was thought to be lost has carried an effect out. */
  boolean hadLate;

  @Override
  protected void passTime() {
    checkAlways();
    requireExists();
  }

  @Override
  protected void comesLate() {
    hadLate = true;
  }

  final void requireStanding(ApplicationActivities.VersionRequest request) {
    if (!record.standing().equals(request.plannedFor())) {
      throw outdated("the status stands as " + record.standing());
    }
  }

  /** What is read from the Deployment of the JobManager must be there. */
  final void requireJobManager(VersionRef version) {
    ModelCluster cluster = cluster(version);
    if (cluster != null && cluster.orphaned) {
      throw outdated("its JobManager has no Deployment");
    }
  }
}
