package dev.sluice.local.jvm;

import dev.sluice.local.os.Resources;
import java.io.IOException;
import java.util.List;

/** How our own Java programs run on a laptop: little memory, a quick start. */
public final class SmallJvm {

  private SmallJvm() {}

  /**
   * For {@code -Djava.security.properties}: an address of a name is soon forgotten, as a Service's
   * moves with its pods.
   */
  public static String nameCache() throws IOException {
    return Resources.text(SmallJvm.class, "names.security");
  }

  /**
   * A heap that shrinks again, one quick compiler, no generated reflection classes, freed native
   * memory given back, and class archives at the address they were made for, where they need not be
   * copied. A Java that does not know one of these ignores it.
   *
   * @param heapMegabytes the most the heap may take
   */
  public static List<String> flags(int heapMegabytes) {
    return List.of(
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:+UnlockDiagnosticVMOptions",
        "-Xmx" + heapMegabytes + "m",
        // the default would take and touch a third of the maximum for the young generation at once
        "-Xms12m",
        "-Xmn6m",
        "-Xss512k",
        "-XX:MinHeapFreeRatio=10",
        "-XX:MaxHeapFreeRatio=25",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:CICompilerCount=1",
        "-XX:ReservedCodeCacheSize=32m",
        "-XX:-UsePerfData",
        "-XX:TrimNativeHeapInterval=10000",
        "-XX:ArchiveRelocationMode=0",
        "-Dsun.reflect.inflationThreshold=2147483647");
  }
}
