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
import org.junit.jupiter.params.provider.ValueSource;

class HostHeadersTest {

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("headers"), text);
  }

  private static HttpUrl url(String text) {
    return HttpUrl.get(text);
  }

  @Test
  void withoutTlsAHostGetsOnlyWhatIsMeantForThat() throws IOException {
    HostHeaders headers =
        HostHeaders.of(file("a.example.com A: secret\nhttp://b.example.com B: open\n"));

    assertThat(headers.of(url("http://a.example.com/j")).size()).isZero();
    assertThat(headers.of(url("http://b.example.com/j")).get("B")).isEqualTo("open");
    assertThat(headers.of(url("https://b.example.com/j")).size()).isZero();
  }

  @Test
  void eachPortOfAHostGetsItsHeaders() throws IOException {
    HostHeaders headers = HostHeaders.of(file("a.example.com A: secret\n"));

    assertThat(headers.of(url("https://a.example.com:8443/j")).get("A")).isEqualTo("secret");
  }

  private static Map<String, String> configured(String text) {
    return Map.of(HostHeaders.CONFIGURATION_KEY, text);
  }

  @Test
  void aFileHasHeadersOfSeveralHosts() throws IOException {
    HostHeaders headers =
        HostHeaders.of(
            file(
                """
                # the company's repository
                Repo.example.com Authorization: Bearer a:b
                repo.example.com  X-Team:  orders

                other.example.com PRIVATE-TOKEN: c
                """));

    assertThat(headers.of(url("https://repo.example.com/j")).toMultimap())
        .containsEntry("authorization", java.util.List.of("Bearer a:b"))
        .containsEntry("x-team", java.util.List.of("orders"));
    assertThat(headers.of(url("https://other.example.com/j")).get("Private-Token")).isEqualTo("c");
    assertThat(headers.of(url("https://else.example.com/j")).size()).isZero();
  }

  @Test
  void aWrongLineIsNamedButNotQuoted() throws IOException {
    Path file = file("repo.example.com A: b\nrepo.example.com hunter2\n");

    assertThatThrownBy(() -> HostHeaders.of(file))
        .isInstanceOf(ArtifactException.class)
        .hasMessage("line 2 of " + file + " is no header of the form Name: value");
  }

  @Test
  void aFileThatIsNotThereMayComeBack() {
    assertThatThrownBy(() -> HostHeaders.of(folder.resolve("none")))
        .isInstanceOfSatisfying(
            ArtifactException.class, thrown -> assertThat(thrown.mayPass()).isTrue());
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

  /** As a token of some identity providers. */
  @Test
  void aValueMayBeLong() {
    String token = "x".repeat(200_000);

    assertThat(HostHeaders.in(configured("X-A:1,Authorization:Bearer " + token)))
        .contains(new Pair<>("Authorization", "Bearer " + token));
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
