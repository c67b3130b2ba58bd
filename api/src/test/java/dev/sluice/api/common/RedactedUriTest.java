package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactedUriTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "https://repo.example.com/a/job.jar#sha256=00 | https://repo.example.com/a/job.jar#sha256=00",
        "local:///opt/flink/usrlib/job.jar | local:///opt/flink/usrlib/job.jar",
        "job.jar | job.jar",
        "https://token@host/job.jar | https://******@host/job.jar",
        "s3://KEY:SEC/RET@bucket/x.jar | s3://******@bucket/x.jar",
        "htps://user:p@s^w%zz@host/x.jar | htps://******@host/x.jar",
        "user:pw@host/x.jar | ******@host/x.jar",
        "https://host/x.jar?X=secret#sha256=00 | https://host/x.jar?******",
        "https://token@host/x.jar?X=secret | https://******@host/x.jar?******",
        "https://user:p?w@host/x.jar | https://******",
        "https://host/x.jar?mail=a@b&X=secret | https://******",
      })
  void neitherCredentialsNorTheQueryAreShown(String uri, String shown) {
    assertThat(RedactedUri.of(uri)).isEqualTo(shown);
  }
}
