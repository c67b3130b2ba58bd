package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.artifact.ArtifactUri.InImage;
import dev.sluice.activities.artifact.ArtifactUri.Remote;
import dev.sluice.activities.artifact.ArtifactUri.WorkerFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArtifactUriTest {

  private static final String SHA = "0123456789abcdef".repeat(4);

  @Test
  void credentialsAreTakenOutOfTheUrl() {
    Remote remote = (Remote) ArtifactUri.parse("https://me:hunter2@repo.example.com/a/job.jar");

    assertThat(remote.url()).hasToString("https://repo.example.com/a/job.jar");
    assertThat(remote.authorization()).contains("Basic bWU6aHVudGVyMg==");
    assertThat(remote).asString().isEqualTo("https://repo.example.com/a/job.jar");
  }

  @Test
  void aQueryIsUsedButNotShown() {
    Remote remote = (Remote) ArtifactUri.parse("https://b.example.com/job.jar?X-Sig=hunter2");

    assertThat(remote.url().query()).isEqualTo("X-Sig=hunter2");
    assertThat(remote.display()).isEqualTo("https://b.example.com/job.jar?...");
  }

  @Test
  void theFragmentIsTheChecksum() {
    Remote remote =
        (Remote) ArtifactUri.parse("https://b.example.com/job.jar#sha256=" + SHA.toUpperCase());

    assertThat(remote.sha256()).contains(SHA);
    assertThat(remote.url().fragment()).isNull();
  }

  @Test
  void aFileIsOneOfTheWorker() {
    assertThat(ArtifactUri.parse("file:///jars/../jars/job.jar"))
        .isInstanceOfSatisfying(
            WorkerFile.class, it -> assertThat(it.path()).isEqualTo(Path.of("/jars/job.jar")));
  }

  @Test
  void aLocalFileIsOneOfTheImage() {
    assertThat(ArtifactUri.parse("local:///opt/flink/usrlib/job.jar"))
        .isEqualTo(new InImage("/opt/flink/usrlib/job.jar"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s3://bucket/job.jar | the scheme 's3' is not known: https, http, file and local are",
        "job.jar | it has no scheme, such as https://",
        "https:///job.jar | it names no host",
        "file://host/job.jar | it has no absolute path, such as file:///jars/job.jar",
        "local:job.jar | it has no absolute path, such as local:///jars/job.jar",
        "https://b.example.com/a b | it is no URI: Illegal character in path",
        "https://b.example.com/j#md5=1 | what follows # is not sha256= with 64 hexadecimal digits, the checksum of the jar"
      })
  void whatNamesNoPlaceIsRefusedWithoutBeingQuoted(String uri, String why) {
    assertThatThrownBy(() -> ArtifactUri.parse(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why);
  }
}
