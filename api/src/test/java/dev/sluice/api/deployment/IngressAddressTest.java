package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@code IngressUtils.getIngressUrl} of Apache's operator reads a template. */
class IngressAddressTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '\t',
      value = {
        "flink.example.com\tflink.example.com\t\t",
        "{{name}}.{{namespace}}.flink.example.com\torders.streams.flink.example.com\t\t",
        "{{NAME}}.{{Namespace}}.example.com\torders.streams.example.com\t\t",
        "/{{namespace}}/{{name}}(/|$)(.*)\t\t/streams/orders(/|$)(.*)\t",
        "flink.example.com/{{name}}(/|$)(.*)\tflink.example.com\t/orders(/|$)(.*)\t",
        "/{{name}}(/.*)?\t\t/orders(/.*)?\t",
        "/{{name}}#x\t\t/orders#x\t",
        "HTTPS://flink.example.com:8443/x\tflink.example.com\t/x\t8443",
        "*.example.com/\t*.example.com\t/\t",
      })
  void aTemplateIsHostAndPath(String template, String host, String path, Integer port) {
    assertThat(IngressAddress.of(template, "orders", "streams"))
        .isEqualTo(new IngressAddress(host, path, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{nope}}.example.com", "ftp://flink", "flink:port", "a:99999", "//a"})
  void whatIsNoAddressIsRefused(String template) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IngressAddress.of(template, "orders", "streams"));
  }
}
