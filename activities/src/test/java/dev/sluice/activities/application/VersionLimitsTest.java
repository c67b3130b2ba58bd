package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.workflows.application.VersionLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionLimitsTest {

  private static final VersionLimits SET = new VersionLimits(1, 2, 3, 4, 5, 6);

  @Test
  void they_are_those_of_the_worker() {
    assertThat(limits(Applications.SPEC, Optional.empty())).isEqualTo(SET);
  }

  @Test
  void a_savepoint_may_take_what_the_job_lets_it_take_or_else_what_its_configuration_says() {
    FlinkApplicationSpec spec =
        Applications.SPEC.withFlinkConfig(
            JsonNodeFactory.instance.objectNode().put("execution.checkpointing.timeout", "20 min"));

    assertThat(limits(spec, Optional.of(Duration.ofMinutes(30))).savepointMs())
        .isEqualTo(Duration.ofMinutes(31).toMillis());
    assertThat(limits(spec, Optional.empty()))
        .isEqualTo(new VersionLimits(1, Duration.ofMinutes(21).toMillis(), 3, 4, 5, 6));
  }

  private static VersionLimits limits(FlinkApplicationSpec spec, Optional<Duration> ofJob) {
    FlinkApplication application = new FlinkApplication();
    application.setSpec(spec);
    return new WantedVersion(
            new StoredApplication(Applications.RESOURCE, application),
            new ApplicationRules(valid -> List.of(), SET))
        .limits(ofJob);
  }
}
