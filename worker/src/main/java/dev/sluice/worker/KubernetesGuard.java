package dev.sluice.worker;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Refuses every activity that is not for a resource of this Kubernetes cluster. On another one a
 * resource of the same name would be somebody else's, and one that is not there would look deleted.
 */
final class KubernetesGuard extends WorkerInterceptorBase {

  private final String kubernetes;

  /**
   * @param kubernetes identity of the cluster that this worker serves
   */
  KubernetesGuard(String kubernetes) {
    this.kubernetes = kubernetes;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new ActivityInboundCallsInterceptorBase(next) {
      @Override
      public ActivityOutput execute(ActivityInput input) {
        check(input.getArguments());
        return super.execute(input);
      }
    };
  }

  /** Retryable: a worker of the right cluster may take it next. */
  private void check(Object[] arguments) {
    Optional<ResourceRef> resource =
        Stream.of(arguments).flatMap(argument -> resource(argument).stream()).findFirst();
    if (resource.map(ResourceRef::kubernetes).filter(kubernetes::equals).isEmpty()) {
      throw ApplicationFailure.newFailure(
          "This worker serves Kubernetes cluster %s; the request is for %s"
              .formatted(kubernetes, resource.map(KubernetesGuard::display).orElse("no resource")),
          FailureType.WRONG_KUBERNETES);
    }
  }

  private static Optional<ResourceRef> resource(Object argument) {
    if (argument instanceof ResourceRef alone) {
      return Optional.of(alone);
    }
    return argument instanceof ResourceRequest request
        ? Optional.of(request.resource())
        : Optional.empty();
  }

  private static String display(ResourceRef resource) {
    return "%s %s on Kubernetes cluster %s"
        .formatted(resource.kind(), resource.display(), resource.kubernetes());
  }
}
