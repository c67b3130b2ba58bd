package dev.sluice.workflows.activity;

import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Makes the savepoint known that an operation stopped its job with. */
@ActivityInterface
public interface PublishActivities {

  /**
   * Creates the FlinkStateSnapshot of the savepoint, whose name follows from its path, or records
   * it in {@code savepointInfo} where there are none. May be called again at any time. An event
   * reports the result, also that Kubernetes refuses it.
   */
  @ActivityMethod(name = "PublishSnapshot")
  void publish(PublishRequest request);

  /**
   * @param resource whose operation it was
   * @param taken the savepoint, with its location
   */
  record PublishRequest(ResourceRef resource, Savepoint taken) implements ResourceRequest {}
}
