package dev.sluice.api.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.deployment.SpecDiff;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionJobDiffTest {

  private static FlinkSessionJobSpec spec(String yaml) {
    return Serialization.unmarshal(yaml, FlinkSessionJobSpec.class);
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "job: {parallelism: 1} | job: {parallelism: 2} | UPGRADE",
        "job: {upgradeMode: savepoint} | job: {upgradeMode: last-state} | IGNORE",
        "restartNonce: 1 | flinkConfiguration: {} | IGNORE",
        "flinkConfiguration: {a.b: '1'} | flinkConfiguration: {a.b: '2'} | UPGRADE",
        "flinkConfiguration: {kubernetes.operator.a: '1'} | flinkConfiguration: {kubernetes.operator.a: '2'} | IGNORE",
      })
  void whatAChangeAsksFor(String deployed, String desired, DiffKind kind) {
    assertThat(spec(deployed).changesTo(spec(desired)).kind()).isEqualTo(kind);
  }

  /** Every change goes into events and into Temporal, also one that asks for nothing. */
  @Test
  void noChangeShowsTheHeaderOfTheJar() {
    SpecDiff diff =
        spec("job: {jarURI: 'https://a/1.jar'}")
            .changesTo(
                spec(
                    """
                job: {jarURI: 'https://a/2.jar'}
                flinkConfiguration:
                  kubernetes.operator.user.artifacts.http.header: 'Authorization:Basic dXNlcjpwdw=='
                """));

    assertThat(diff.describe()).contains("https://a/2.jar", "http.header").doesNotContain("dXNlc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://hidden@host/2.jar",
        "https://user:hidden@host/2.jar",
        "https://host/2.jar?X=hidden",
      })
  void noChangeShowsTheCredentialsOfTheJar(String uri) {
    SpecDiff diff =
        spec("job: {jarURI: '" + uri + "'}").changesTo(spec("job: {jarURI: 'https://a/1.jar'}"));

    assertThat(diff.describe()).contains("spec.job.jarURI", "host/2.jar").doesNotContain("hidden");
  }
}
