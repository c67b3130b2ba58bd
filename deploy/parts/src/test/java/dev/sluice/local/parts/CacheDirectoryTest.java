package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheDirectoryTest {

  private static final Path USER_HOME = Path.of("/home/ann");

  @Test
  void isBelowTheUsersHomeByDefault() {
    assertThat(CacheDirectory.of(Map.of(), USER_HOME).root())
        .isEqualTo(Path.of("/home/ann/.cache/sluice"));
  }

  @Test
  void followsTheXdgVariable() {
    assertThat(CacheDirectory.of(Map.of("XDG_CACHE_HOME", "/big"), USER_HOME).root())
        .isEqualTo(Path.of("/big/sluice"));
  }

  @Test
  void followsItsOwnVariableFirst() {
    Map<String, String> environment = Map.of("XDG_CACHE_HOME", "/big", "SLUICE_CACHE", "/own");

    assertThat(CacheDirectory.of(environment, USER_HOME).root()).isEqualTo(Path.of("/own"));
  }

  @Test
  void ignoresEmptyVariables() {
    Map<String, String> environment = Map.of("XDG_CACHE_HOME", "", "SLUICE_CACHE", " ");

    assertThat(CacheDirectory.of(environment, USER_HOME).root())
        .isEqualTo(Path.of("/home/ann/.cache/sluice"));
  }

  @Test
  void keepsEachVersionInItsOwnFolder() {
    assertThat(new CacheDirectory(Path.of("/c")).binary(Tool.KUBE_APISERVER))
        .isEqualTo(Path.of("/c/bin/kube-apiserver/1.34.2/kube-apiserver"));
  }
}
