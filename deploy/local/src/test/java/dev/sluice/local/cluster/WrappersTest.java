package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.ExecutableScript;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrappersTest {

  @TempDir Path folder;
  private ClusterConfig config;

  @BeforeEach
  void layWithAToolThatTellsItsArguments() throws IOException {
    Map<String, String> environment =
        Map.of("SLUICE_CACHE", folder.resolve("cache").toString(), "SLUICE_HOME", folder + "/home");
    CacheDirectory cache = CacheDirectory.of(environment, folder);
    config = ClusterConfig.of(environment, folder, cache, folder);
    Path binary = cache.binary(Tool.KUBECTL);
    Files.createDirectories(binary.getParent());
    ExecutableScript.write(binary, "#!/bin/sh\necho \"$KUBECONFIG $@\"\n");
    Wrappers.writeFiles(config);
  }

  @Test
  void pointTheToolAtTheCluster() throws Exception {
    begin(ProcessHandle.current().pid());

    assertThat(run("get", "pods")).isEqualTo(config.kubeconfig() + " get pods\n");
  }

  @Test
  void sayThatTheClusterIsDownAndRunTheToolAllTheSame() throws Exception {
    assertThat(run("get", "pods"))
        .isEqualTo(
            """
            sluice: kube-apiserver of the cluster in %s does not run: './sluice up' starts it
            %s get pods
            """
                .formatted(config.home(), config.kubeconfig()));
  }

  @Test
  void areNotThereBeforeTheClusterIs() {
    assertThatThrownBy(() -> Wrappers.script(TestConfigs.in(folder), Tool.KUBECTL))
        .hasMessage("there is no cluster in " + folder + ": './sluice up' makes one");
  }

  private void begin(long pid) throws IOException {
    Path record = Part.record(config, PartName.KUBE_APISERVER);
    Files.createDirectories(record.getParent());
    Files.writeString(record, "pid=" + pid + "\n");
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add(0, Wrappers.script(config, Tool.KUBECTL).toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said;
  }
}
