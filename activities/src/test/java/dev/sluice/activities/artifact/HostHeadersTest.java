package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import kotlin.Pair;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostHeadersTest {

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("headers"), text);
  }

  @ParameterizedTest
  @CsvSource({
    "https://repo.example.com/j, Authorization, Bearer a:b",
    "https://repo.example.com:8443/j, X-Team, orders",
    "http://repo.example.com/j, Authorization,",
    "http://open.example.com/j, B, open",
    "https://open.example.com/j, B,",
    "https://else.example.com/j, Authorization,"
  })
  void aHostGetsTheHeadersOfItsLines(String url, String name, String value) throws IOException {
    Path file =
        file(
            """
            # the company's repository
            Repo.example.com Authorization: Bearer a:b
            repo.example.com  X-Team:  orders

            http://open.example.com B: open
            """);
    assertThat(HostHeaders.of(file, HttpUrl.get(url)).get(name)).isEqualTo(value);
  }

  @Test
  void aWrongLineIsNotQuoted() throws IOException {
    Path file = file("repo.example.com hunter2\n");
    assertThatThrownBy(() -> HostHeaders.of(file, HttpUrl.get("https://repo.example.com/j")))
        .isInstanceOf(ArtifactException.class)
        .hasMessage(
            "a line for repo.example.com in " + file + " is not of the form host Name: value");
  }

  private static Map<String, String> configured(String text) {
    return Map.of(HostHeaders.CONFIGURATION_KEY, text);
  }

  @Test
  void configurationHasThemAsApachesOperatorDoes() {
    Headers headers =
        HostHeaders.in(configured("Authorization:Bearer x, 'X-Team : ''a,b:c''',X-Mark:it's"));

    assertThat(headers)
        .containsExactlyInAnyOrder(
            new Pair<>("Authorization", "Bearer x"),
            new Pair<>("X-Team", "a,b:c"),
            new Pair<>("X-Mark", "it's"));
  }

  @Test
  void configurationMayHaveOneKeyForEachHeader() {
    assertThat(
            HostHeaders.in(Map.of(HostHeaders.CONFIGURATION_KEY + ".X-Team", "a,b:c"))
                .get("X-Team"))
        .isEqualTo("a,b:c");
  }

  @Test
  void noConfigurationIsNoHeader() {
    assertThat(HostHeaders.in(Map.of()).size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hunter2",
        ":hunter2",
        "A b:hunter2",
        "A:hunter2\n",
        "A:hunter2:b",
        "A: hunter2: b",
        "A:'hunter2"
      })
  void aWrongOneIsRefusedWithoutItsValue(String header) {
    Map<String, String> configuration = configured(header.replace("\n", "\u0001x"));

    assertThatThrownBy(() -> HostHeaders.in(configuration))
        .isInstanceOf(ArtifactException.class)
        .hasMessageContaining(HostHeaders.CONFIGURATION_KEY)
        .hasMessageNotContaining("hunter2");
  }
}
