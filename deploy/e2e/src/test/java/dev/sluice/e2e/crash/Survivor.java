package dev.sluice.e2e.crash;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.job.Resource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * A resource that lives through one operation after the other. What an operation needs to begin is
 * made first where it is not there, so that any selection of operations can be run. All of them are
 * of its kind.
 */
interface Survivor {

  /** Nobody knows what it is like: the next operation has another resource. */
  void giveUp();

  /** Makes what the operation begins with. */
  void prepare(Operation operation);

  /** Asks for it. */
  void begin(Operation operation);

  /** Whether it has come to its end. */
  boolean isOver(Operation operation);

  /**
   * What must hold after it.
   *
   * @param disturbed a job that lives through it may have failed over meanwhile, and a savepoint
   *     may have failed
   */
  Verification verification(Operation operation, boolean disturbed);

  /** The resource now; empty when it does not exist. */
  Optional<Resource> find();

  /** Makes the worker wait at a step, of the resource as it is or will be. */
  Breakpoint hold(Breakpoint.Moment moment, String step);

  /** Lets the worker go on wherever it is held. */
  void release();

  /** Sets an annotation. */
  void annotate(String annotation, String value);

  /**
   * The pod of a Flink process that the step may depend on; empty when there is none.
   *
   * @param victim of the processes that each job has
   */
  Optional<Pod> pod(Victim victim, Step step);
}
