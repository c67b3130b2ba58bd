package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Kubernetes v1.34.2                                | 1.34.2",
        "etcd Version: 3.6.4                               | 3.6.4",
        "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1) | 1.5.1",
        "Client Version: v1.32.4-dispatcher                | 1.32.4-dispatcher",
        "v3.19.2+g8766e71                                  | 3.19.2",
        "go version go1.26.8 linux/amd64                   | 1.26.8",
        "v1.35.0-rc.1                                      | 1.35.0-rc.1"
      })
  void findsTheVersionInWhatBinariesPrint(String output, String expected) {
    assertThat(Version.findIn(output)).map(Version::toString).hasValue(expected);
  }

  @ParameterizedTest
  @CsvSource({"go version go1.20 linux/amd64", "'no version here'", "''"})
  void findsNoneWhereThereIsNone(String output) {
    assertThat(Version.findIn(output)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1.34.2, true",
    "1.34.9, true",
    "1.34.1, false",
    "1.35.0, false",
    "2.34.2, false",
    "1.33.5, false",
    "1.34.3-rc.0, false",
    "1.34.2-dispatcher, false"
  })
  void fitsWithTheSameMinorNotOlderAndReleased(String found, boolean fits) {
    assertThat(Version.parse(found).fits(Version.parse("1.34.2"))).isEqualTo(fits);
  }

  @Test
  void refusesToParseWhatIsNoVersion() {
    assertThatThrownBy(() -> Version.parse("latest")).hasMessage("'latest' is not a version");
  }
}
