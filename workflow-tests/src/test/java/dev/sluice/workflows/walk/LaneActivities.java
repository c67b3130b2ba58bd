package dev.sluice.workflows.walk;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishActivities.PublishRequest;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.activity.SessionJobActivities;
import io.temporal.activity.ActivityMethod;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The activities of all lanes: each call goes to the lane of its resource. */
final class LaneActivities {

  static final Class<?>[] TYPES = {
    ResourceActivities.class,
    JobActivities.class,
    ClusterActivities.class,
    RescaleActivities.class,
    SessionJobActivities.class,
    PublishActivities.class
  };

  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  /** Implements all of {@link #TYPES}. */
  Object implementation() {
    return Proxy.newProxyInstance(
        LaneActivities.class.getClassLoader(),
        TYPES,
        (proxy, method, arguments) -> call(method, arguments));
  }

  void add(Lane lane) {
    lanes.put(lane.ref().uid(), lane);
  }

  void remove(Lane lane) {
    lanes.remove(lane.ref().uid());
  }

  private @Nullable Object call(Method activity, Object[] arguments) {
    ResourceRequest request = (ResourceRequest) arguments[0];
    Lane lane = Objects.requireNonNull(lanes.get(request.resource().uid()), "the case has ended");
    if (request instanceof PublishRequest it) {
      // beside the steps: no case counts it
      lane.environment().note("published " + it.taken().location());
      return null;
    }
    if (request instanceof JobActivities.AwaitStableRequest it) {
      lane.environment().invariants().awaitsStable(it.job().jobId());
    }
    boolean reports = activity.getName().equals("report");
    return lane.call(
        activity.getAnnotation(ActivityMethod.class).name(),
        () -> {
          Object result = invoke(activity, lane.effects(activity.getDeclaringClass()), arguments);
          if (reports) {
            lane.reported((OperationReport) request);
          }
          return result;
        });
  }

  private static @Nullable Object invoke(Method activity, Object effects, Object[] arguments) {
    try {
      return activity.invoke(effects, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
