package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.validation.BlueGreenValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run and the controller judge a spec alike: what one starts, the other takes. */
class WantedTemplateTest {

  private static final FlinkBlueGreenDeploymentSpec REACHED =
      FlinkBlueGreenDeploymentSpec.EMPTY.withTemplate(
          new ChildTemplate(ChildMetadata.EMPTY, Deployed.SPEC));

  static Stream<Arguments> specs() {
    return Stream.of(
        Arguments.of("valid", template(it -> it.withImage("flink:2.3")), null),
        Arguments.of(
            "a key of the configuration",
            REACHED.withConfiguration(Map.of("sluice.bluegreen.gate.checkpoints", "many")),
            "spec.configuration.sluice.bluegreen.gate.checkpoints: must be"),
        Arguments.of(
            "last-state takes a savepoint, too",
            template(
                it ->
                    it.withConfiguration(
                            FlinkConfiguration.of(
                                Map.of("state.checkpoints.dir", "file:/checkpoints")))
                        .withJob(it.job().withUpgradeMode(UpgradeMode.LAST_STATE))),
            "must be given for upgradeMode last-state, too"),
        Arguments.of("no job", template(it -> it.withJob(null)), "spec.template.spec.job: must be"),
        Arguments.of(
            "a redeploy without a path",
            template(it -> it.withJob(it.job().withSavepointRedeployNonce(7L))),
            "spec.template.spec.job.initialSavepointPath: "));
  }

  private static FlinkBlueGreenDeploymentSpec template(UnaryOperator<FlinkDeploymentSpec> change) {
    return REACHED.withTemplate(
        new ChildTemplate(ChildMetadata.EMPTY, change.apply(Deployed.SPEC)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("specs")
  void aRunRefusesWhatTheControllerRefusesAndInTheSameWords(
      String name, FlinkBlueGreenDeploymentSpec spec, String part) {
    FlinkBlueGreenDeployment parent = new FlinkBlueGreenDeployment();
    parent.setMetadata(
        new ObjectMetaBuilder()
            .withName("orders")
            .withNamespace("default")
            .withGeneration(2L)
            .build());
    parent.setSpec(spec);
    FrozenBlueGreen reached = new FrozenBlueGreen(REACHED, 1);
    parent.setStatus(parent.getStatus().withLastReconciledSpec(reached.toJson()));

    String problem = new WantedTemplate(parent).problem(DefaultConfiguration.NONE);

    String ofTheController =
        BlueGreenValidation.validate(parent, reached, DefaultConfiguration.NONE).stream()
            .map(Violation::toString)
            .collect(Collectors.joining("; "));
    assertThat(problem == null ? "" : problem).as(name).isEqualTo(ofTheController);
    if (part != null) {
      assertThat(problem).contains(part);
    }
  }

  /** It writes a spec as reached before the transition to it begins. */
  @Test
  void whatApachesOperatorWroteAsReachedIsOnlyBelievedIfTheLiveChildHasIt() {
    FlinkBlueGreenDeployment parent = new FlinkBlueGreenDeployment();
    parent.setMetadata(new ObjectMetaBuilder().withName("orders").build());
    parent.setSpec(template(it -> it.withImage("flink:2.3")));
    parent.setStatus(
        parent
            .getStatus()
            .withBlueGreenState(BlueGreenState.TRANSITIONING_TO_GREEN)
            .withLastReconciledSpec(new FrozenBlueGreen(parent.getSpec(), 0).toJson()));
    FlinkDeployment live = new FlinkDeployment();
    FlinkDeploymentSpec old = Deployed.SPEC;
    live.setMetadata(new ObjectMetaBuilder().withName("orders-blue").build());
    live.setSpec(old.withJob(old.job().withInitialSavepointPath("s3://b/savepoint-1")));
    assertThat(new WantedTemplate(parent).change()).isEqualTo(Change.NONE);

    assertThat(new WantedTemplate(parent).change(live)).isEqualTo(Change.TRANSITION);
    live.setSpec(live.getSpec().withImage("flink:2.3"));
    assertThat(new WantedTemplate(parent).change(live)).isEqualTo(Change.NONE);
  }

  /** It writes the name of the child wherever the template has that of the parent. */
  @Test
  void aChildWhoseNameApachesOperatorWroteIntoItsSpecHasTheSpec() {
    FlinkBlueGreenDeployment parent = new FlinkBlueGreenDeployment();
    parent.setMetadata(new ObjectMetaBuilder().withName("orders").build());
    parent.setSpec(template(it -> it.withImage("registry/orders:1")));
    parent.setStatus(
        parent
            .getStatus()
            .withBlueGreenState(BlueGreenState.ACTIVE_BLUE)
            .withLastReconciledSpec(new FrozenBlueGreen(parent.getSpec(), 0).toJson()));
    FlinkDeployment live = new FlinkDeployment();
    live.setMetadata(new ObjectMetaBuilder().withName("orders-blue").build());
    live.setSpec(Deployed.SPEC.withImage("registry/orders-blue:1"));

    assertThat(new WantedTemplate(parent).change(live)).isEqualTo(Change.NONE);

    live.setSpec(Deployed.SPEC.withImage("registry/orders-blue:2"));
    assertThat(new WantedTemplate(parent).change(live)).isEqualTo(Change.TRANSITION);
  }
}
