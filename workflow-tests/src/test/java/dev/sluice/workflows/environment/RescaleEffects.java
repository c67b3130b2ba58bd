package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.environment.KubernetesModel.RescaledFrom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Changes the parallelism of a job as the contract of {@link RescaleActivities} says. */
public final class RescaleEffects implements RescaleActivities {

  /** In the content of a spec: its job can be scaled in place. */
  public static final String ADAPTIVE = "adaptive";

  /** In the content of a spec: Flink says beforehand that it cannot be done. */
  public static final String DENIED = "denied";

  /** In the content of a spec: Flink refuses it when it is asked to. */
  public static final String REFUSED = "refused";

  /** In the content of a spec: its state allows no more than three subtasks. */
  public static final String AT_MOST_THREE = "at most three";

  /** In the content of a spec: there are slots for two subtasks only, until that is healed. */
  public static final String FEW_SLOTS = "few";

  /** In the content of a spec: somebody else sets the parallelism, until that is healed. */
  public static final String CONTESTED = "contested";

  private static final Pattern PARALLELISM = Pattern.compile(" x(\\d+)");

  private final Environment environment;
  private final Moments moments;

  public RescaleEffects(Environment environment, Moments moments) {
    this.environment = environment;
    this.moments = moments;
  }

  /** With how many subtasks the job of a spec is to run. */
  public static int parallelism(Spec spec) {
    Matcher found = PARALLELISM.matcher(spec.content());
    return found.find() ? Integer.parseInt(found.group(1)) : 1;
  }

  /** The same spec with another parallelism. */
  public static Spec scaled(Spec spec, int parallelism) {
    return Spec.of(program(spec) + " x" + parallelism, spec.shape()).mode(spec.mode());
  }

  static int slots(Spec spec) {
    return spec.content().contains(FEW_SLOTS) ? 2 : Integer.MAX_VALUE;
  }

  /** What remains of the content when the parallelism is left out. */
  static String program(Spec spec) {
    return PARALLELISM.matcher(spec.content()).replaceAll("");
  }

  /** Whether nothing else differs, and it can be done in place. */
  public static boolean isAsked(@Nullable Spec from, Spec to) {
    return from != null
        && from.content().contains(ADAPTIVE)
        && !to.suspended()
        && !from.suspended()
        && program(from).equals(program(to))
        && parallelism(from) != parallelism(to);
  }

  /** Tasks do not start again from nothing, or from long ago, for another parallelism. */
  static void verify(Environment environment) {
    FlinkJob job = environment.flink() == null ? null : environment.flink().job();
    if (job != null && job.losesByScaling()) {
      environment
          .invariants()
          .violated("a rescale starts the tasks from an old state: " + job.jobId);
    }
  }

  /** A run that says that it rescales stops no job. */
  static void verifyStop(Environment environment) {
    ResourceModel resource = environment.resource();
    if (resource.begun() && !resource.deleting() && "Rescale".equals(resource.frozenBy())) {
      environment.invariants().violated("a Rescale stops the job");
    }
  }

  /** What is wrong with the parallelism of a job that runs; null when nothing is. */
  public static @Nullable String wrong(Environment environment) {
    Spec stable = environment.resource().stable();
    FlinkJob job = environment.flink() == null ? null : environment.flink().job();
    Deployment own = environment.ownDeployment();
    if (stable == null || job == null || own == null || !job.isUp(true)) {
      return null;
    }
    int wanted = parallelism(stable);
    return job.runsWith() == wanted && parallelism(own.spec()) == wanted
        ? null
        : "the job runs with %d subtasks and would again with %d, stable is %s"
            .formatted(job.runsWith(), parallelism(own.spec()), stable);
  }

  @Override
  public Answer checkRescale(RescaleRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      Spec newest = environment.resource().newest();
      if (newest.generation() != request.generation()) {
        throw outdated("generation " + newest.generation() + " is the newest");
      }
      if (!isAsked(environment.resource().stable(), newest)) {
        return new Answer("more than the parallelism has changed");
      }
      Deployment own = required(request);
      Spec stable = environment.resource().stable();
      if (own.generation() != stable.generation() && noted(own) == null) {
        return new Answer("the cluster was made from another spec");
      }
      Answer against = speaksAgainst(newest, job());
      return newest.content().contains(DENIED) ? new Answer("denied") : against;
    }
  }

  private static Answer speaksAgainst(Spec target, FlinkJob job) {
    int wanted = parallelism(target);
    if (target.content().contains(AT_MOST_THREE) && wanted > 3) {
      return Spec.isStateless(target) ? new Answer("at most three") : Answer.held("at most three");
    }
    return wanted == job.required() || job.restartsFromRecent()
        ? Answer.YES
        : new Answer("no recent checkpoint");
  }

  @Override
  public Answer changeParallelism(RescaleRequest request) {
    synchronized (environment) {
      Spec target = begun(request);
      Deployment own = required(request);
      FlinkJob job = job();
      Answer against = speaksAgainst(target, job);
      if (against.problem() != null) {
        return against;
      }
      if (noted(own) == null) {
        environment.kubernetes().rescaledFrom =
            new RescaledFrom(
                own.jobId(), environment.resource().stable().generation(), job.required());
        environment.note("noted that the job runs with " + job.required());
      }
    }
    moments.during("noted");
    synchronized (environment) {
      Spec target = begun(request);
      Deployment unused = required(request);
      if (target.content().contains(REFUSED)) {
        return new Answer("refused");
      }
      Answer against = speaksAgainst(target, job());
      if (against.problem() != null) {
        return against;
      }
      require(parallelism(target));
      return Answer.YES;
    }
  }

  private void require(int parallelism) {
    job().require(parallelism);
    environment.flink().keepMetadata();
    environment.note("the job is to run with " + parallelism);
  }

  @Override
  public String awaitParallelism(AwaitParallelismRequest request) {
    moments.during("waiting");
    boolean runs = environment.await(moments, () -> isReached(request.rescale()));
    if (!runs) {
      throw Failures.permanent(FailureType.CLUSTER_NOT_READY, "it runs with fewer subtasks");
    }
    return "all of them";
  }

  private boolean isReached(RescaleRequest request) {
    Spec target = begun(request);
    Deployment unused = required(request);
    FlinkJob job = environment.flink() == null ? null : environment.flink().job();
    if (job == null) {
      return false;
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return true;
    }
    if (job.state().isGloballyTerminal()) {
      throw Failures.permanent(FailureType.JOB_FAILED, "the job is " + job.state());
    }
    if (target.content().contains(CONTESTED) && !environment.healed()) {
      job.require(7);
    }
    if (job.required() != parallelism(target)) {
      throw outdated("the job is to run with " + job.required());
    }
    return job.isUp(environment.healed()) && job.runsWith() == parallelism(target);
  }

  @Override
  public void updateCluster(RescaleRequest request) {
    synchronized (environment) {
      Spec target = begun(request);
      Deployment unused = required(request);
      environment.kubernetes().madeFrom(target);
      environment.note("the cluster says generation " + target.generation());
      FlinkJob job = job();
      if (job.state().isGloballyTerminal()) {
        return;
      }
      if (job.required() != parallelism(target)) {
        throw outdated("the job is to run with " + job.required());
      }
      if (!job.isUp(environment.healed())) {
        throw Failures.passing(FailureType.CLUSTER_NOT_READY, "the job is not up");
      }
    }
  }

  @Override
  public void undoRescale(RescaleRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      Deployment own = environment.ownDeployment();
      Spec stable = environment.resource().stable();
      RescaledFrom before = own == null ? null : noted(own);
      boolean deleting = environment.resource().deleting();
      if (deleting
          || stable == null
          || before == null
          || !own.jobId().equals(request.job().jobId())) {
        return;
      }
      require(before.parallelism());
    }
    moments.during("required");
    synchronized (environment) {
      environment.callApiServer(true);
      Deployment own = environment.ownDeployment();
      Spec stable = environment.resource().stable();
      if (own != null && stable != null && noted(own) != null) {
        environment.kubernetes().madeFrom(stable);
        environment.kubernetes().rescaledFrom = null;
        environment.note("the rescale is undone");
      }
    }
  }

  private @Nullable RescaledFrom noted(Deployment own) {
    RescaledFrom note = environment.kubernetes().rescaledFrom;
    Spec stable = environment.resource().stable();
    return note != null
            && stable != null
            && note.jobId().equals(own.jobId())
            && note.generation() == stable.generation()
        ? note
        : null;
  }

  private Spec begun(RescaleRequest request) {
    environment.callApiServer(true);
    Spec frozen = environment.resource().frozen();
    if (!environment.resource().begun()
        || frozen == null
        || frozen.generation() != request.generation()) {
      throw outdated("no operation to generation " + request.generation() + " is begun");
    }
    return frozen;
  }

  private Deployment required(RescaleRequest request) {
    Deployment own = environment.ownDeployment();
    if (own == null || !own.jobId().equals(request.job().jobId())) {
      throw outdated("the cluster is not that of job " + request.job().jobId());
    }
    return own;
  }

  private FlinkJob job() {
    JobManagerProcess process = environment.flink();
    FlinkJob job = process == null ? null : process.job();
    if (job == null) {
      throw Failures.passing(FailureType.CLUSTER_NOT_READY, "the JobManager does not answer");
    }
    return job;
  }

  private static RuntimeException outdated(String why) {
    return Failures.permanent(FailureType.OUTDATED, why);
  }
}
