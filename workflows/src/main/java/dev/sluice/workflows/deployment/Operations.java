package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.List;

/**
 * The workflow types of a FlinkDeployment and a FlinkSessionJob. The type says what a run was
 * started for; {@link OperationLoop} carries all of them out. See {@code docs/operations.md}.
 */
public final class Operations {

  private Operations() {}

  /** Their implementations, for a worker. */
  public static List<Class<?>> all() {
    return List.of(
        DeployRun.class,
        UpgradeRun.class,
        RescaleRun.class,
        SuspendRun.class,
        ResumeRun.class,
        RollbackRun.class,
        RecoverRun.class,
        FinishRun.class,
        DeleteRun.class);
  }

  /** One run on the lane of a resource. */
  abstract static class Run extends OperationWorkflow {

    private Run(OperationInput input) {
      super(Workflow.getInfo().getWorkflowType(), input, true);
    }

    /** Runs until the goal is reached. */
    public final OperationResult run(OperationInput input) {
      return carryOut(new OperationLoop(context(), steps())::run);
    }
  }

  /** Starts a resource that never ran. */
  @WorkflowInterface
  public interface Deploy extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Deploy")
    OperationResult run(OperationInput input);
  }

  /** See {@link Deploy}. */
  public static final class DeployRun extends Run implements Deploy {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public DeployRun(OperationInput input) {
      super(input);
    }
  }

  /** Takes a resource from the deployed spec to a newer one, with its state. */
  @WorkflowInterface
  public interface Upgrade extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Upgrade")
    OperationResult run(OperationInput input);
  }

  /** See {@link Upgrade}. */
  public static final class UpgradeRun extends Run implements Upgrade {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public UpgradeRun(OperationInput input) {
      super(input);
    }
  }

  /** Takes a resource to a newer spec by another parallelism of the job that runs. */
  @WorkflowInterface
  public interface Rescale extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Rescale")
    OperationResult run(OperationInput input);
  }

  /** See {@link Rescale}. */
  public static final class RescaleRun extends Run implements Rescale {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public RescaleRun(OperationInput input) {
      super(input);
    }
  }

  /** Stops the job of a resource and keeps its state. */
  @WorkflowInterface
  public interface Suspend extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Suspend")
    OperationResult run(OperationInput input);
  }

  /** See {@link Suspend}. */
  public static final class SuspendRun extends Run implements Suspend {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public SuspendRun(OperationInput input) {
      super(input);
    }
  }

  /** Starts a suspended job again, from the state that it left. */
  @WorkflowInterface
  public interface Resume extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Resume")
    OperationResult run(OperationInput input);
  }

  /** See {@link Resume}. */
  public static final class ResumeRun extends Run implements Resume {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public ResumeRun(OperationInput input) {
      super(input);
    }
  }

  /** Brings the last stable spec back, or an earlier one, from the state that it left. */
  @WorkflowInterface
  public interface Rollback extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Rollback")
    OperationResult run(OperationInput input);
  }

  /** See {@link Rollback}. */
  public static final class RollbackRun extends Run implements Rollback {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public RollbackRun(OperationInput input) {
      super(input);
    }
  }

  /** Brings the job of the deployed spec back, from its newest state. */
  @WorkflowInterface
  public interface Recover extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Recover")
    OperationResult run(OperationInput input);
  }

  /** See {@link Recover}. */
  public static final class RecoverRun extends Run implements Recover {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public RecoverRun(OperationInput input) {
      super(input);
    }
  }

  /** Keeps Kubernetes from running a finished job again, where Flink itself would not. */
  @WorkflowInterface
  public interface Finish extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Finish")
    OperationResult run(OperationInput input);
  }

  /** See {@link Finish}. */
  public static final class FinishRun extends Run implements Finish {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public FinishRun(OperationInput input) {
      super(input);
    }
  }

  /** Removes all that a resource made. */
  @WorkflowInterface
  public interface Delete extends LaneSignals {
    /** Runs the operation. */
    @WorkflowMethod(name = "Delete")
    OperationResult run(OperationInput input);
  }

  /** See {@link Delete}. */
  public static final class DeleteRun extends Run implements Delete {
    /** Made before the first signal is delivered. */
    @WorkflowInit
    public DeleteRun(OperationInput input) {
      super(input);
    }
  }
}
