package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.model.ResourceRef;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationContextTest {

  private static final ResourceRef ORDERS =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "default", "orders", "5f3a21c0-1");

  @ParameterizedTest
  @CsvSource({
    "Deploy, Deploying generation 7",
    "Upgrade, Upgrading to generation 7",
  })
  void aFirstDeploymentIsNotCalledAnUpgrade(String operation, String text) {
    OperationContext context =
        new OperationContext(operation, OperationInput.of(ORDERS, 7, "test"), true);

    assertThat(context.reaching(7)).isEqualTo(text);
  }
}
