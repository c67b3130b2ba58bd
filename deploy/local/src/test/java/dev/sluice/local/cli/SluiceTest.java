package dev.sluice.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SluiceTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(strings = {"up", "down", "status", "reset", "kubectl", "temporal", "logs", "parts"})
  void hasTheCommand(String name) {
    assertThat(commandLine().getSubcommands()).containsKey(name);
  }

  @Test
  void explainsItselfAndItsVariables() {
    int exit = commandLine().execute("--help");

    assertThat(exit).isZero();
    assertThat(out.toString())
        .contains("Commands:", "Variables:", "SLUICE_HOME", "SLUICE_CACHE", "SLUICE_PORT_BASE");
  }

  @Test
  void tellsPeopleWhatWentWrongWithoutAStackTrace() {
    int exit = commandLine().execute("logs", "kubelet");

    assertThat(exit).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("sluice: there is no part 'kubelet'. There are: etcd, temporal,")
        .contains("controller, worker")
        .doesNotContain("at dev.sluice");
  }

  @Test
  void saysWhyAFileCouldNotBeUsed() {
    assertThat(
            Sluice.said(
                new UncheckedIOException(
                    "cannot start etcd", new IOException("setsid: not found"))))
        .isEqualTo("cannot start etcd: setsid: not found");
  }

  @Test
  void refusesACommandThatThereIsNot() {
    assertThat(commandLine().execute("upp")).isEqualTo(2);
    assertThat(err.toString()).contains("upp");
  }

  @Test
  void handsOptionsOfKubectlThrough() {
    CommandLine.ParseResult parsed =
        commandLine().parseArgs("kubectl", "get", "pods", "-n", "sluice-system", "-o", "wide");

    assertThat(parsed.subcommand().matchedPositionalValue(0, List.of()))
        .asList()
        .containsExactly("get", "pods", "-n", "sluice-system", "-o", "wide");
  }

  private CommandLine commandLine() {
    return Sluice.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }
}
