package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretNamesTest {

  @ParameterizedTest
  @CsvSource({
    "s3.secret-key, true",
    "s3.access-key, true",
    "fs.azure.account.key.x, true",
    "security.ssl.internal.key-password, true",
    "passwd, true",
    "github.token, true",
    "AWS_CREDENTIALS, true",
    "api_key, true",
    "apiKey, true",
    "java.security.auth.login.jaas.config, true",
    "metrics.reporter.basic-auth, true",
    "--http-headers, true",
    "kubernetes.operator.user.artifacts.http.header, true",
    "DB_PASS, true",
    "POSTGRES_PWD, true",
    "ssl.key-passphrase, true",
    "fs.azure.sas.jars.account.blob.core.windows.net, true",
    "pipeline.name, false",
    "taskmanager.numberOfTaskSlots, false",
    "s3.endpoint, false",
    "key, false",
    "passive, false",
  })
  void namesOfSecretsAreKnown(String name, boolean secret) {
    assertThat(SecretNames.isSecret(name)).isEqualTo(secret);
    assertThat(
            SecretNames.isNamedAsSecret(
                JsonNodeFactory.instance.objectNode().put("value", "PASSWORD"),
                JsonNodeFactory.instance.objectNode().put("name", name)))
        .isEqualTo(secret);
  }

  @ParameterizedTest
  @CsvSource({
    "-Dpassword=x, true",
    "token: x, true",
    "https://user:pass@host/x, true",
    "--db-pass=x, true",
    "https://account.blob.core.windows.net/jars/job.jar?sv=2024-11-04&sig=x, true",
    "https://host:8080/x, false",
    "--topic=orders, false",
    "local:///a.jar, false",
  })
  void aTextMayHoldASecret(String text, boolean secret) {
    assertThat(SecretNames.isAssigned(text)).isEqualTo(secret);
  }
}
