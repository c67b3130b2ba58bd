package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controller.ControllerSettings.LeaseTiming;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of the Lease when something else writes it while it is given back. */
@ExtendWith(ApiServer.Extension.class)
class LeaseHandoverIT {

  private static final String US = "first";

  @Test
  void aRenewalThatWasUnderWayAtTheStopDoesNotKeepIt(ApiServer server) {
    Resource<Lease> lease = held(server);

    giveBack(server, lease, 1, LeaseHandoverIT::renewed);

    assertThat(holder(lease)).isEmpty();
  }

  @Test
  void oneThatAnotherTakesMeanwhileStaysItsOwn(ApiServer server) {
    Resource<Lease> lease = held(server);

    giveBack(
        server,
        lease,
        1,
        it -> {
          it.getSpec().setHolderIdentity("second");
          return it;
        });

    assertThat(holder(lease)).isEqualTo("second");
  }

  @Test
  void oneThatIsStillRenewedIsLeftToExpire(ApiServer server) {
    Resource<Lease> lease = held(server);

    assertThatThrownBy(() -> giveBack(server, lease, Integer.MAX_VALUE, LeaseHandoverIT::renewed))
        .isInstanceOf(KubernetesClientException.class);

    assertThat(holder(lease)).isEqualTo(US);
  }

  private static Resource<Lease> held(ApiServer server) {
    Lease lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(server.namespace())
            .withName("sluice-controller")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(US)
            .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
            .endSpec()
            .build();
    Lease created = server.client().resource(lease).create();
    return server
        .client()
        .leases()
        .inNamespace(created.getMetadata().getNamespace())
        .withName(created.getMetadata().getName());
  }

  /** With the first {@code times} writes of it each preceded by {@code change}. */
  private static void giveBack(
      ApiServer server, Resource<Lease> lease, int times, UnaryOperator<Lease> change) {
    AtomicInteger writes = new AtomicInteger();
    Interceptor meanwhile =
        new Interceptor() {
          @Override
          public void before(
              BasicBuilder builder, HttpRequest request, Interceptor.RequestTags tags) {
            if (request.method().equals("PUT") && writes.incrementAndGet() <= times) {
              lease.edit(change);
            }
          }
        };
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(server.config())
            .withHttpClientBuilderConsumer(it -> it.addOrReplaceInterceptor("meanwhile", meanwhile))
            .build()) {
      new LeaseHandover(client, settings(lease.get())).close();
    }
  }

  private static ControllerSettings.Lease settings(Lease lease) {
    Duration unused = Duration.ofSeconds(1);
    return new ControllerSettings.Lease(
        true,
        lease.getMetadata().getName(),
        lease.getMetadata().getNamespace(),
        US,
        new LeaseTiming(unused, unused, unused));
  }

  private static Lease renewed(Lease lease) {
    lease.getSpec().setRenewTime(lease.getSpec().getRenewTime().plusSeconds(1));
    return lease;
  }

  private static String holder(Resource<Lease> lease) {
    return lease.get().getSpec().getHolderIdentity();
  }
}
