package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.ControllerSettings.LeaseTiming;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of the Lease at an orderly stop. */
@ExtendWith(ApiServer.Extension.class)
class LeaseHandoverIT {

  private static final String US = "first";

  @Test
  void it_is_given_back(ApiServer server) {
    Resource<Lease> lease = held(server);

    new LeaseHandover(server.client(), settings(lease.get())).close();

    assertThat(holder(lease)).isEmpty();
  }

  @Test
  void one_that_another_has_taken_stays_its_own(ApiServer server) {
    Resource<Lease> lease = held(server);
    ControllerSettings.Lease ours = settings(lease.get());
    lease.edit(
        it -> {
          it.getSpec().setHolderIdentity("second");
          return it;
        });

    new LeaseHandover(server.client(), ours).close();

    assertThat(holder(lease)).isEqualTo("second");
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

  private static ControllerSettings.Lease settings(Lease lease) {
    Duration unused = Duration.ofSeconds(1);
    return new ControllerSettings.Lease(
        true,
        lease.getMetadata().getName(),
        lease.getMetadata().getNamespace(),
        US,
        new LeaseTiming(unused, unused, unused));
  }

  private static String holder(Resource<Lease> lease) {
    return lease.get().getSpec().getHolderIdentity();
  }
}
