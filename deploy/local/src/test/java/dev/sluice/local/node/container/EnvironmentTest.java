package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.EnvVarSourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentTest {
  private static final Pod POD =
      new PodBuilder()
          .withNewMetadata()
          .withNamespace("ns")
          .withName("p")
          .withUid("u-1")
          .addToLabels("app", "orders")
          .addToAnnotations("a/b", "c")
          .endMetadata()
          .withNewSpec()
          .withNodeName("laptop")
          .endSpec()
          .build();
  private static final FakeSources SOURCES =
      new FakeSources()
          .configMap("conf", Map.of("k", "v", "l", "w"))
          .secret("key", "word", "sesame");

  private static Map<String, String> env(Container container) throws StartProblem {
    return new Environment(POD, "127.0.1.9", SOURCES).of(container, Map.of("POD_IP", "127.0.1.9"));
  }

  private static Container with(EnvVarSource source) {
    return new ContainerBuilder()
        .addToEnv(new EnvVarBuilder().withName("X").withValueFrom(source).build())
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "metadata.name, p",
    "metadata.namespace, ns",
    "metadata.uid, u-1",
    "metadata.labels['app'], orders",
    "metadata.labels['none'], ''",
    "metadata.annotations['a/b'], c",
    "spec.nodeName, laptop",
    "spec.serviceAccountName, default",
    "status.podIP, 127.0.1.9",
    "status.hostIP, 127.0.0.1",
  })
  void aFieldOfThePodIsAValue(String path, String value) throws StartProblem {
    var source = new EnvVarSourceBuilder().withNewFieldRef("v1", path).build();

    assertThat(env(with(source))).containsEntry("X", value);
  }

  @Test
  void keysOfConfigMapsAndSecretsAreValues() throws StartProblem {
    var key = new EnvVarSourceBuilder().withNewConfigMapKeyRef("k", "conf", null).build();
    var secret = new EnvVarSourceBuilder().withNewSecretKeyRef("word", "key", null).build();

    assertThat(env(with(key))).containsEntry("X", "v");
    assertThat(env(with(secret))).containsEntry("X", "sesame");
  }

  @Test
  void aMissingKeyStopsTheStartUnlessItIsOptional() throws StartProblem {
    var needed = new EnvVarSourceBuilder().withNewConfigMapKeyRef("none", "conf", null).build();
    var optional = new EnvVarSourceBuilder().withNewSecretKeyRef("none", "none", true).build();

    assertThatThrownBy(() -> env(with(needed)))
        .isInstanceOfSatisfying(
            StartProblem.class, e -> assertThat(e.reason()).isEqualTo("CreateContainerConfigError"))
        .hasMessageContaining("none");
    assertThat(env(with(optional))).doesNotContainKey("X");
  }

  @Test
  void wholeObjectsComeFirstAndOwnVariablesWinOverThem() throws StartProblem {
    Container container =
        new ContainerBuilder()
            .addNewEnvFrom()
            .withPrefix("C_")
            .withNewConfigMapRef("conf", null)
            .endEnvFrom()
            .addNewEnvFrom()
            .withNewSecretRef("key", null)
            .endEnvFrom()
            .addNewEnv()
            .withName("C_k")
            .withValue("mine")
            .endEnv()
            .build();

    assertThat(env(container))
        .containsEntry("C_k", "mine")
        .containsEntry("C_l", "w")
        .containsEntry("word", "sesame");
  }

  @Test
  void aValueMayReferToEarlierOnesAndToTheNodes() throws StartProblem {
    Container container =
        new ContainerBuilder()
            .addNewEnv()
            .withName("A")
            .withValue("a")
            .endEnv()
            .addNewEnv()
            .withName("B")
            .withValue("$(A)@$(POD_IP)/$(LATER)")
            .endEnv()
            .addNewEnv()
            .withName("LATER")
            .withValue("x")
            .endEnv()
            .build();

    assertThat(env(container)).containsEntry("B", "a@127.0.1.9/$(LATER)");
  }

  @Test
  void anUnknownFieldIsSaidToBeSo() {
    var source = new EnvVarSourceBuilder().withNewFieldRef("v1", "status.phase").build();

    assertThatThrownBy(() -> env(with(source))).hasMessageContaining("status.phase");
  }

  @ParameterizedTest
  @CsvSource({
    "$(A), one",
    "x$(A)-$(B)y, xone-two words y",
    "$(MISSING), $(MISSING)",
    "$$(A), $(A)",
    "$A ${A}, $A ${A}",
    "cost $$5, cost $5",
  })
  void knownReferencesAreReplacedAndNothingElse(String text, String expanded) {
    assertThat(Environment.expand(text, Map.of("A", "one", "B", "two words "))).isEqualTo(expanded);
  }
}
