package dev.sluice.local.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SluiceTest {

  @TempDir Path home;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void tellsPeopleWhatWentWrongWithoutAStackTrace() {
    int exit = commandLine().execute("logs", "kubelet");

    assertThat(exit).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("sluice: there is no part 'kubelet'. There are: etcd, temporal,")
        .contains("controller, worker")
        .doesNotContain("at dev.sluice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubectl", "temporal"})
  void saysWhenThereIsNoClusterToRunAToolAgainst(String tool) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("../../sluice", tool, "-n", "default").redirectErrorStream(true);
    builder.environment().put("SLUICE_HOME", home.toString());
    Process process = builder.start();

    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("sluice: there is no cluster in " + home + ": './sluice up' makes one\n");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  private CommandLine commandLine() {
    return Sluice.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }
}
