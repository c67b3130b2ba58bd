package dev.sluice.activities.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class CustomResourcesIT {

  private static final ResourceType TYPE = FlinkDeploymentStore.TYPE;

  private CustomResources resources;
  private FlinkDeployment created;
  private ResourceRef ref;

  @BeforeEach
  void create(ApiServer server) {
    resources = new CustomResources(server.client());
    created = server.client().resource(Deployed.orders(server.namespace())).create();
    ref = Deployed.ref(created);
  }

  @Test
  void theInstanceThatWasAskedForIsRead() {
    FlinkDeployment read = resources.get(TYPE, ref, FlinkDeployment.class);

    assertThat(read.getSpec()).isEqualTo(created.getSpec());
    assertThat(read.getMetadata().getResourceVersion()).isNotNull();
    resources.require(TYPE, ref);
  }

  @Test
  void anotherInstanceOfTheNameIsNotIt(ApiServer server) {
    server.client().resource(created).delete();
    assertThat(failure(() -> resources.require(TYPE, ref)).getType())
        .isEqualTo(FailureType.RESOURCE_GONE);
    server.client().resource(Deployed.orders(ref.namespace())).create();

    assertThat(failure(() -> resources.require(TYPE, ref)).getType())
        .isEqualTo(FailureType.RESOURCE_GONE);
  }

  /** Else every lane would end while the CustomResourceDefinition is not served. */
  @Test
  void aKindThatIsNotServedDoesNotMeanThatItsResourcesAreGone() {
    ResourceType unknown = new ResourceType("flink.apache.org", "v1beta1", "Nothing", "nothings");

    ApplicationFailure failure = failure(() -> resources.require(unknown, ref));

    assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
    assertThat(failure.getOriginalMessage()).startsWith("cannot read " + ref.display());
  }

  /** The API server knows no scale of a resource whose spec has no replicas. */
  @Test
  void aScaleSetsTheNumberOfTaskManagers(ApiServer server) {
    server
        .client()
        .resource(created)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"taskManager\": {\"replicas\": 2}}}");

    server.client().resource(created).scale(3);

    FlinkDeployment scaled = resources.get(TYPE, ref, FlinkDeployment.class);
    assertThat(scaled.getSpec().taskManager().replicas()).isEqualTo(3);
  }

  private static ApplicationFailure failure(ThrowingCallable call) {
    ApplicationFailure[] caught = new ApplicationFailure[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(ApplicationFailure.class, failure -> caught[0] = failure);
    return caught[0];
  }
}
