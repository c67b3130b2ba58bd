package dev.sluice.local.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaTest {

  @TempDir Path folder;

  @Test
  void at_homeOfThisJava_hasItsVersion() {
    Java current = Java.current();

    assertThat(Java.at(current.home())).hasValue(current);
  }

  @Test
  void newest_severalInOneFolder_isTheHighestVersion() throws IOException {
    Java current = install("java-17", "17.0.15+6-Debian-1deb12u1");
    install("java-9", "9.0.4+11");
    Java newest = install("temurin-25", "25.0.3+9-LTS");
    install("torn", "twenty-six");
    Files.createDirectories(folder.resolve("empty"));

    assertThat(Java.newest(current)).isEqualTo(newest);
  }

  @Test
  void newest_noneIsNewer_isTheOneThatRunsThis() throws IOException {
    Java current = install("java-17", "17.0.15+6");
    Files.createSymbolicLink(folder.resolve("java"), current.home());

    assertThat(Java.newest(current)).isEqualTo(current);
  }

  private Java install(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_RUNTIME_VERSION=\"%s\"\n".formatted(version));
    assertThat(Files.createFile(home.resolve("bin/java")).toFile().setExecutable(true)).isTrue();
    return Java.at(home).orElseGet(Java::current);
  }
}
