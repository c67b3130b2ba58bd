package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.bootstrap.ExitCode;
import dev.sluice.controller.support.ControllerProcess;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** How the controller's process ends: section 6 of docs/troubleshooting.md. */
@ExtendWith(ApiServer.Extension.class)
class ControllerMainIT {

  @TempDir private Path folder;
  private final Map<String, String> settings = new HashMap<>();
  private Resource<Lease> lease;

  @BeforeEach
  void configure(ApiServer server) throws Exception {
    String namespace = server.namespace();
    Path kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, server.kubeconfig());
    settings.put("KUBECONFIG", kubeconfig.toString());
    settings.put("SLUICE_WATCH_NAMESPACES", namespace);
    settings.put("POD_NAMESPACE", namespace);
    settings.put("POD_NAME", "first");
    // it must not lose it by itself where renewing it is slow
    settings.put("SLUICE_LEASE_DURATION", "60s");
    settings.put("SLUICE_LEASE_RENEW_DEADLINE", "40s");
    settings.put("SLUICE_LEASE_RETRY_PERIOD", "200ms");
    lease = server.client().leases().inNamespace(namespace).withName("sluice-controller");
  }

  @Test
  void one_whose_Lease_another_has_taken_ends_with_69() throws Exception {
    try (ControllerProcess controller = leader()) {
      // the leader renews it at the same time, so that an edit may come too late
      await()
          .atMost(Patience.times(2))
          .ignoreExceptions()
          .until(() -> lease.edit(ControllerMainIT::takenByAnother) != null);

      assertThat(controller.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.number()).isEqualTo(69);
      assertThat(controller.said()).contains("Lost the leader lease");
      assertThat(holder()).isEqualTo("second");
    }
  }

  @Test
  void one_that_is_asked_to_stop_gives_its_Lease_back_and_ends_with_0() throws Exception {
    try (ControllerProcess controller = leader()) {
      controller.terminate();

      assertThat(controller.exitCode()).as(controller.said()).isEqualTo(ExitCode.OK.number());
      assertThat(holder()).as(controller.said()).isEmpty();
    }
  }

  @Test
  void one_with_a_wrong_setting_ends_with_78_and_names_it() throws Exception {
    settings.put("SLUICE_LEASE_DURATION", "soon");

    try (ControllerProcess controller = ControllerProcess.start(folder, settings)) {
      assertThat(controller.exitCode()).isEqualTo(ExitCode.CONFIGURATION.number()).isEqualTo(78);
      assertThat(controller.said()).contains("SLUICE_LEASE_DURATION", "soon");
    }
  }

  private ControllerProcess leader() throws Exception {
    ControllerProcess controller = ControllerProcess.start(folder, settings);
    await()
        .atMost(Patience.times(2))
        .failFast("the controller has ended", () -> !controller.isAlive())
        .until(() -> lease.get() != null && holder().equals("first") && started(controller));
    return controller;
  }

  private static boolean started(ControllerProcess controller) {
    return controller.said().contains("starting workflows at");
  }

  private String holder() {
    return lease.get().getSpec().getHolderIdentity();
  }

  private static Lease takenByAnother(Lease lease) {
    lease.getSpec().setHolderIdentity("second");
    lease.getSpec().setLeaseDurationSeconds(3600);
    lease.getSpec().setRenewTime(ZonedDateTime.now(ZoneOffset.UTC));
    return lease;
  }
}
