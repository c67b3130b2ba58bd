package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartSpecsTest {

  private static final Path HOME = Path.of("/home/ann/cluster");
  private static final Application LOCAL =
      new Application("local", "dev.sluice.local.node.NodeMain", List.of(), "f00d");

  private final List<Part.Spec> specs = new PartSpecs(TestConfigs.in(HOME)).all(LOCAL);

  @Test
  void listenOnTheLoopbackAddressOnly() {
    assertThat(specs)
        .allSatisfy(
            spec -> {
              assertThat(spec.command()).noneMatch(argument -> argument.contains("0.0.0.0"));
              assertThat(spec.readyUrl()).contains("//127.0.0.1:");
            });
    assertThat(spec(PartName.KUBE_APISERVER).command()).contains("--bind-address=127.0.0.1");
    assertThat(spec(PartName.KUBE_CONTROLLER_MANAGER).command())
        .contains("--bind-address=127.0.0.1");
    assertThat(spec(PartName.TEMPORAL).command()).contains("--ip=127.0.0.1");
  }

  @Test
  void keepSecretsOutOfCommandLines() {
    assertThat(specs)
        .flatExtracting(Part.Spec::command)
        .noneMatch(argument -> argument.contains("token=") || argument.contains("password"));
  }

  @Test
  void haveAnotherFingerprintWhenTheProgramWasRebuilt() {
    Application rebuilt = new Application("local", LOCAL.mainClass(), List.of(), "beef");
    List<Part.Spec> after = new PartSpecs(TestConfigs.in(HOME)).all(rebuilt);

    assertThat(after.get(4).fingerprint()).isNotEqualTo(specs.get(4).fingerprint());
    assertThat(after.get(0).fingerprint()).isEqualTo(specs.get(0).fingerprint());
  }

  private Part.Spec spec(PartName name) {
    return specs.stream().filter(spec -> spec.name() == name).findFirst().orElseThrow();
  }
}
