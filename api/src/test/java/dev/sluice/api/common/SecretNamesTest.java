package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretNamesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3.secret-key",
        "s3.access-key",
        "fs.azure.account.key.x",
        "security.ssl.internal.key-password",
        "DB_PASSWORD",
        "passwd",
        "github.token",
        "AWS_CREDENTIALS",
        "api_key",
        "apiKey",
        "java.security.auth.login.jaas.config",
        "metrics.reporter.basic-auth",
        "--http-headers",
        "kubernetes.operator.user.artifacts.http.header",
        "DB_PASS",
        "--db-pass",
        "POSTGRES_PWD",
        "ssl.key-passphrase",
        "fs.azure.sas.jars.account.blob.core.windows.net",
      })
  void namesOfSecretsAreKnown(String name) {
    assertThat(SecretNames.isSecret(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pipeline.name", "taskmanager.numberOfTaskSlots", "s3.endpoint", "key", "passive"})
  void otherNamesAreNot(String name) {
    assertThat(SecretNames.isSecret(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Dpassword=x",
        "--db-password=x",
        "token: x",
        "https://user:pass@host/x",
        "jdbc:postgresql://u:p@host/db",
        "--db-pass=x",
        "https://account.blob.core.windows.net/jars/job.jar?sv=2024-11-04&sig=x",
      })
  void aTextMayHoldASecret(String text) {
    assertThat(SecretNames.isAssigned(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://host:8080/x", "--topic=orders", "local:///a.jar"})
  void mostTextsHoldNone(String text) {
    assertThat(SecretNames.isAssigned(text)).isFalse();
  }

  @Test
  void anEnvironmentVariableNamesItselfInAField() {
    assertThat(
            SecretNames.isNamedAsSecret(
                JsonNodeFactory.instance.objectNode().put("name", "A"),
                JsonNodeFactory.instance.objectNode().put("name", "DB_PASSWORD")))
        .isTrue();
    assertThat(
            SecretNames.isNamedAsSecret(
                JsonNodeFactory.instance.objectNode().put("value", "DB_PASSWORD")))
        .isFalse();
  }
}
