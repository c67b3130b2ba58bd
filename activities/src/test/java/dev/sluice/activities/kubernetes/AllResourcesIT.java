package dev.sluice.activities.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class AllResourcesIT {

  private KubernetesClient admin;
  private String namespace;

  @BeforeEach
  void create(ApiServer server) {
    admin = server.client();
    namespace = server.namespace();
    Stream.of("one", "two", "three").forEach(this::create);
  }

  private void create(String name) {
    FlinkDeployment resource = Deployed.orders(namespace);
    resource.getMetadata().setName(name);
    FlinkDeployment unused = admin.resource(resource).create();
  }

  private Consumer<FlinkDeployment> note(Set<String> seen) {
    return it -> {
      if (it.getMetadata().getNamespace().equals(namespace)) {
        seen.add(it.getMetadata().getName());
      }
    };
  }

  @Test
  void whereOnlySomeNamespacesMayBeReadThoseThatAreServedAreRead(ApiServer server) {
    String user = "reader-of-" + namespace;
    admin
        .resource(
            new RoleBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("reader")
                .endMetadata()
                .addNewRule()
                .withApiGroups(FlinkDeployment.GROUP)
                .withResources(FlinkDeployment.PLURAL)
                .withVerbs("list")
                .endRule()
                .build())
        .serverSideApply();
    admin
        .resource(
            new RoleBindingBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("reader")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", "reader")
                .addNewSubject("rbac.authorization.k8s.io", "User", user, null)
                .build())
        .serverSideApply();
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(server.config()).withImpersonateUsername(user).build())
            .build()) {
      Set<String> seen = new TreeSet<>();
      new AllResources<>(client, FlinkDeployment.class, Set.of(namespace))
          .forEachServed(note(seen));

      assertThat(seen).containsExactly("one", "three", "two");
    }
  }
}
