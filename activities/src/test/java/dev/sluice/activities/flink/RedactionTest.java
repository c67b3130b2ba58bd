package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no such bucket s3://AKIA:hunter2@bucket/path | no such bucket s3://***@bucket/path",
        "s3.secret-key: hunter2, s3.endpoint: x | s3.secret-key: ***, s3.endpoint: x",
        "s3.access-key=hunter2 is wrong | s3.access-key=*** is wrong",
        "fs.azure.account.key.acme.blob=hunter2 | fs.azure.account.key.acme.blob=***",
        "password = \"hunter2 and more\" refused | password = *** refused",
        "{\"token\":\"hunter2\"} | {\"token\":***}",
        "https://x/y?a=1&X-Amz-Signature=hunter2&z=1 | https://x/y?a=1&X-Amz-Signature=***&z=1",
        "https://x/y.jar?sig=hunter2 | https://x/y.jar?sig=***",
        "Authorization: Bearer hunter2 refused | Authorization: Bearer *** refused",
        "got: --rate 5 --db-password hunter2 --odd | got: --rate 5 --db-password *** --odd"
      })
  void takesCredentialsOut(String text, String expected) {
    assertThat(Redaction.redact(text)).isEqualTo(expected).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Could not find a file system implementation for scheme 's3'.",
        "file:/data/savepoints/savepoint-12ab-34cd",
        "s3://bucket/path@2",
        "org.apache.flink.x.TokenException",
        "Expected pairs, and got: --api-token --rate 5",
        "There is no savepoint operation with triggerId=00 for job 11."
      })
  void leavesOtherTextsAlone(String text) {
    assertThat(Redaction.redact(text)).isEqualTo(text);
  }
}
