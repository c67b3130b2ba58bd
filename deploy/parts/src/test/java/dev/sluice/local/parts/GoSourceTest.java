package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoSourceTest {

  @TempDir Path folder;

  @BeforeEach
  void pin() throws IOException {
    Files.createDirectories(folder.resolve("tools/helm"));
    Files.writeString(folder.resolve("tools/helm/go.mod"), "module test");
  }

  @Test
  void buildsInTheFolderOfThePins() throws IOException {
    go("go1.26.8", "pwd > '" + folder + "/where'; echo \"$GOFLAGS $CGO_ENABLED\" > \"$7\"");

    Source.Attempt attempt = provide();

    assertThat(attempt).isEqualTo(new Source.Attempt.Provided("built with Go 1.26.8"));
    assertThat(target()).hasContent("-mod=readonly 0");
    assertThat(folder.resolve("where")).content().endsWith("tools/helm\n");
  }

  @Test
  void saysWhatToInstallWhenThereIsNoGo() throws IOException {
    assertThat(reason())
        .isEqualTo("building needs Go 1.25.0 or newer, and no 'go' is on PATH (https://go.dev/dl)");
  }

  @Test
  void saysWhatToInstallWhenGoIsTooOld() throws IOException {
    go("go1.22.12", "exit 1");

    assertThat(reason()).contains("needs Go 1.25.0 or newer", "is 1.22.12");
  }

  @Test
  void saysWhenThePinsAreMissing() throws IOException {
    go("go1.26.8", "exit 1");
    Files.delete(folder.resolve("tools/helm/go.mod"));

    assertThat(reason()).endsWith("tools/helm is missing");
  }

  @Test
  void showsTheEndOfWhatGoSaid() throws IOException {
    go("go1.26.8", "echo 'go: downloading a v1'; echo 'undefined: foo' >&2; exit 1");

    assertThatThrownBy(this::provide)
        .isInstanceOf(PartsException.class)
        .hasMessageContaining("undefined: foo")
        .hasMessageContaining("run it again to go on from there")
        .hasMessageNotContaining("downloading");
  }

  @Test
  void recognisesAFullDisk() throws IOException {
    go("go1.26.8", "echo 'write /tmp/x: no space left on device'; exit 1");

    assertThatThrownBy(this::provide).hasMessageContaining("The disk is full: free about 4 GB");
  }

  private void go(String version, String build) throws IOException {
    Scripts.of(
        folder.resolve("go"),
        "if [ \"$1\" = version ]; then echo 'go version " + version + "'; exit; fi\n" + build);
  }

  private String reason() throws IOException {
    Source.Attempt attempt = provide();
    assertThat(attempt).isInstanceOf(Source.Attempt.NotAvailable.class);
    return ((Source.Attempt.NotAvailable) attempt).reason();
  }

  private Source.Attempt provide() throws IOException {
    GoToolchain go = new GoToolchain(folder.resolve("go").toString());
    return new GoSource(folder.resolve("tools"), go)
        .provide(Tool.HELM, target(), Progress.silent());
  }

  private Path target() {
    return folder.resolve("helm.partial");
  }
}
