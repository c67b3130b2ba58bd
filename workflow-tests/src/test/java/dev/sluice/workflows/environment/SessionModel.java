package dev.sluice.workflows.environment;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.environment.JobManagerProcess.Phase;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The jobs that people run on a session cluster. An operator must lose none of them. */
public final class SessionModel {

  /** In the content of a spec: it is one of a session cluster. */
  public static final String SESSION = "session";

  /** In the content of such a spec: a deletion ends the jobs on it. */
  public static final String ENDS_JOBS = "ends its jobs";

  /** As long as a savepoint takes. */
  private static final int SAVEPOINT_TICKS = 45;

  private final List<Guest> guests = new ArrayList<>();
  private boolean deletionBegun;

  /** A job, and whether high-availability metadata has it. */
  private static final class Guest {
    private final String id;
    private @Nullable JobManagerProcess on;
    private boolean kept;
    private boolean forgotten;
    private boolean managed;
    private boolean over;
    private int savingFor;

    Guest(String id, JobManagerProcess on) {
      this.id = id;
      this.on = on;
      this.kept = on.spec.shape().highAvailability();
    }
  }

  static boolean is(@Nullable Spec spec) {
    return spec != null && spec.content().contains(SESSION);
  }

  /** Somebody submits a job, if the cluster is a session cluster and answers. */
  void submit(@Nullable JobManagerProcess process) {
    if (process != null && is(process.spec)) {
      guests.add(new Guest("%032x".formatted(0xbeef00 + guests.size()), process));
    }
  }

  /** A FlinkSessionJob submits one. */
  void submitManaged(@Nullable JobManagerProcess process) {
    int before = guests.size();
    submit(process);
    guests.subList(before, guests.size()).forEach(guest -> guest.managed = true);
  }

  /** One more FlinkSessionJob suspends its job. False when none has any. */
  boolean suspendOne() {
    Guest next = live().stream().filter(guest -> guest.managed).findFirst().orElse(null);
    if (next != null) {
      next.over = true;
    }
    return next != null;
  }

  /** Somebody takes a savepoint of each job, after which that goes on. */
  void takeSavepoints() {
    live().forEach(guest -> guest.savingFor = SAVEPOINT_TICKS);
  }

  /**
   * Ids of jobs of which a savepoint is in progress.
   *
   * @param answering null when the JobManager does not answer
   */
  List<String> savepoints(@Nullable JobManagerProcess answering) {
    return live().stream()
        .filter(guest -> answering != null && guest.on == answering && guest.savingFor > 0)
        .map(guest -> guest.id)
        .toList();
  }

  /** Ids of those that FlinkSessionJobs run. */
  List<String> managed() {
    return live().stream().filter(guest -> guest.managed).map(guest -> guest.id).toList();
  }

  /** Somebody cancels all of them. */
  void end() {
    guests.forEach(guest -> guest.over = true);
  }

  /** Time passes: a job ends with its JobManager, or comes back with the next one. */
  void tick(List<JobManagerProcess> processes) {
    for (Guest guest : live()) {
      JobManagerProcess on = guest.on;
      if (on != null && (on.phase() != Phase.UP || on.gone())) {
        guest.on = null;
        guest.over = !guest.kept;
        guest.savingFor = 0;
      }
      guest.savingFor = Math.max(0, guest.savingFor - 1);
      if (guest.on == null && !guest.over) {
        guest.on =
            processes.stream()
                .filter(it -> it.phase() == Phase.UP && it.spec.shape().highAvailability())
                .findFirst()
                .orElse(null);
      }
    }
  }

  /** High-availability metadata is gone: what runs goes on, and no operator brings it back. */
  void forget() {
    for (Guest guest : live()) {
      guest.forgotten |= guest.kept;
      guest.kept = false;
      guest.over = guest.on == null;
    }
  }

  /**
   * What is observed of them.
   *
   * @param answering null when the JobManager does not answer: then the metadata tells
   */
  List<String> seen(@Nullable JobManagerProcess answering) {
    return live().stream()
        .filter(guest -> answering == null ? guest.kept : guest.on == answering)
        .map(guest -> guest.id)
        .toList();
  }

  private List<Guest> live() {
    return guests.stream().filter(guest -> !guest.over).toList();
  }

  // ---- what an operator does ----

  /** Why the cluster must not be deleted by that request; null when it may. */
  static @Nullable String outdated(DeleteClusterRequest request, Environment environment) {
    if (request.jobs() != JobsOnCluster.NONE) {
      return null;
    }
    if (request.everything()) {
      HeldDeletion held = held(environment);
      return held.reason() == null ? null : held.message();
    }
    Observation seen = environment.observation();
    return !isKnown(seen)
        ? "it is not known which jobs run"
        : seen.otherJobs().isEmpty() ? null : "jobs run: " + seen.otherJobs();
  }

  /** What holds the deletion of the cluster. */
  static HeldDeletion held(Environment environment) {
    if (environment.resource().newest().content().contains(ENDS_JOBS)) {
      return HeldDeletion.NOTHING;
    }
    Observation seen = environment.observation();
    if (!isKnown(seen)) {
      return new HeldDeletion(Reasons.CLUSTER_NOT_READY, "it is not known which jobs run");
    }
    return seen.otherJobs().isEmpty()
        ? HeldDeletion.NOTHING
        : new HeldDeletion(Reasons.OTHER_JOBS, "jobs run: " + seen.otherJobs());
  }

  private static boolean isKnown(Observation seen) {
    return seen.job() instanceof Absent || seen.cluster().runsNoJobBesideTheMetadata();
  }

  /** A Deployment is deleted. */
  void deletes(Deployment deployment, DeleteClusterRequest request, Environment environment) {
    boolean back = request.jobs() == JobsOnCluster.COME_BACK;
    List<String> saving = savepoints(environment.flink());
    if (!saving.isEmpty() && !mayFailSavepoints(environment)) {
      environment.invariants().violated("ends savepoints of jobs " + saving);
    }
    boolean answers = environment.flink() == deployment.process();
    if (back && answers && !live().isEmpty() && live().stream().allMatch(it -> it.managed)) {
      environment.invariants().violated("leaves jobs of FlinkSessionJobs to the metadata");
    }
    for (Guest guest : live()) {
      if (guest.on != null
          && guest.on == deployment.process()
          && !(back && (guest.kept || guest.forgotten))
          && !mayEnd(environment)) {
        environment.invariants().violated("ends job " + guest.id + " on a session cluster");
      }
    }
  }

  /** The deletion of the resource has begun: nothing that is said later stops it. */
  void deletionBegins(Environment environment) {
    deletionBegun |= mayEnd(environment);
  }

  /** The high-availability metadata is deleted. */
  void deletesMetadata(Environment environment) {
    for (Guest guest : live()) {
      if (guest.on == null && guest.kept && !deletionBegun && !mayEnd(environment)) {
        environment.invariants().violated("loses job " + guest.id + " of a session cluster");
      }
    }
    forget();
  }

  private static boolean mayFailSavepoints(Environment environment) {
    Invariants invariants = environment.invariants();
    return mayEnd(environment)
        || environment.resource().deleting()
        || invariants.retryAsked
        || environment.resource().phase() == Observation.Phase.ROLLING_BACK;
  }

  private static boolean mayEnd(Environment environment) {
    ResourceModel resource = environment.resource();
    return environment.invariants().chosenByPerson instanceof StateRef.Empty
        || (resource.deleting() && resource.newest().content().contains(ENDS_JOBS));
  }

  /** The frozen spec is marked as stable. */
  static void marksStable(Environment environment) {
    Deployment own = environment.ownDeployment();
    Spec frozen = environment.resource().frozen();
    JobManagerProcess process = own == null ? null : own.process();
    // one that was deleted by hand in the last moment was there
    if (own != null && (process == null || !process.everReady())) {
      environment.invariants().violated("marks a session cluster stable that never answered");
    } else if (own != null && frozen != null && own.generation() != frozen.generation()) {
      environment.invariants().violated("marks a generation stable that is not deployed");
    }
    environment.invariants().chosenByPerson = null;
  }
}
