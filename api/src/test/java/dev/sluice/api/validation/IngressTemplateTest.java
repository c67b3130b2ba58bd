package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngressTemplateTest {
  private static FlinkDeploymentSpec ingress(String yaml) {
    String json = Specs.yaml(yaml).toString();
    return Specs.VALID.withIngress(Serialization.unmarshal(json, IngressSpec.class));
  }

  private static FlinkDeploymentSpec template(String template) {
    return ingress("template: '" + template + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flink.example.com",
        "{{name}}.{{namespace}}.flink.example.com",
        "flink.example.com/{{namespace}}/{{name}}(/|$)(.*)",
        "/{{namespace}}/{{name}}(/|$)(.*)",
        "https://flink.example.com/x",
        "flink.example.com:8443/x",
        "*.example.com",
        "{{name}}",
      })
  void hostsAndPathsAreFine(String template) {
    assertThat(Specs.messages(template(template))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flink_ui.example.com",
        "Flink.example.com",
        "-flink.example.com",
        "flink example.com",
        "{{nope}}.example.com",
        "a..b",
        "gopherx://flink",
        "flink:port",
        "flink.example.com:99999",
      })
  void whatIsNoHostIsRefused(String template) {
    assertThat(Specs.messages(template(template)))
        .containsExactly(
            "spec.ingress.template: must be a host, host/path or URL such as"
                + " {{name}}.{{namespace}}.flink.example.com, but is '"
                + template
                + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "template: ''", "template: ' '"})
  void theTemplateMustBeGiven(String yaml) {
    assertThat(Specs.messages(ingress(yaml)))
        .containsExactly(
            "spec.ingress.template: must be given. Set it to a host or host/path, for example"
                + " {{name}}.{{namespace}}.flink.example.com");
  }
}
