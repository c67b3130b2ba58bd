package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The binaries the laptop cluster needs; {@code fetch.sh} knows where each comes from. */
public enum Tool {
  ETCD("etcd", "3.6.4", "--version"),
  KUBE_APISERVER("kube-apiserver", "1.34.2", "--version"),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager", "1.34.2", "--version"),
  KUBECTL("kubectl", "1.34.2", "version", "--client"),
  TEMPORAL("temporal", "1.5.1", "--version"),
  HELM("helm", "3.19.2", "version", "--short");

  private static final long TIMEOUT_SECONDS = 20;

  private final String binary;
  private final Version version;
  private final List<String> versionArguments;

  Tool(String binary, String version, String... versionArguments) {
    this.binary = binary;
    this.version = Version.parse(version);
    this.versionArguments = List.of(versionArguments);
  }

  /** The file name, such as {@code kube-apiserver}. */
  public String binary() {
    return binary;
  }

  /** The version that is built and tested; a newer patch release on PATH fits too. */
  public Version version() {
    return version;
  }

  /** What a binary says its version is; empty when it does not run, or prints no version. */
  Optional<Version> versionOf(Path file) {
    if (!Files.isExecutable(file)) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of(file.toString()));
    command.addAll(versionArguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
          return Optional.empty();
        }
        byte[] output = process.getInputStream().readAllBytes();
        return Version.findIn(new String(output, StandardCharsets.UTF_8));
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
