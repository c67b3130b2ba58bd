package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecordTest {

  @TempDir Path folder;

  @Test
  void isReadAsItWasWritten() throws IOException {
    RunRecord run = new RunRecord(new ProcessIdentity(7, 99, "boot"), "abc");
    Path file = folder.resolve("etcd.properties");

    run.write(file);

    assertThat(RunRecord.read(file)).hasValue(run);
  }

  @Test
  void isAbsentWhenThereIsNoFile() {
    assertThat(RunRecord.read(folder.resolve("none"))).isEmpty();
  }

  @Test
  void isAbsentWhenTheFileIsCutShort() throws IOException {
    Path file = Files.writeString(folder.resolve("etcd.properties"), "pid=7\nstartTi");

    assertThat(RunRecord.read(file)).isEmpty();
  }
}
