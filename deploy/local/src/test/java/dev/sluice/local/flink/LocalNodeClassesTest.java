package dev.sluice.local.flink;

import static dev.sluice.local.flink.LocalNodeClasses.POD_TEMPLATE;
import static dev.sluice.local.flink.LocalNodeClasses.SCALA;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import com.sun.management.ThreadMXBean;
import dev.sluice.local.node.container.ImagePullException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import org.apache.flink.runtime.rpc.RpcSystemLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalNodeClassesTest {

  /** Has constants of other kinds, too. */
  public static final class Sample {
    private static final long LONG = Long.MIN_VALUE;
    private static final double DOUBLE = 0.25;

    private Sample() {}

    public static String text() {
      return "/opt/flink/pod-template";
    }

    public static String rest(long number) {
      return (number + LONG) + " and " + (number + DOUBLE);
    }
  }

  @TempDir Path folder;

  @Test
  void lookForThePodTemplateInTheFolderTheyRunIn() throws Exception {
    Class<?> changed = define(POD_TEMPLATE.in(sample()));

    String path = (String) changed.getDeclaredMethod("text").invoke(null);
    assertThat(Path.of(path).normalize()).isEqualTo(Path.of("pod-template"));
    assertThat(changed.getDeclaredMethod("rest", long.class).invoke(null, 7L))
        .isEqualTo(Sample.rest(7));
  }

  @Test
  void areLaidInAJarOfTheirOwn() throws Exception {
    lay(kubernetes(sample()), core("scala."));

    try (JarFile jar = new JarFile(target().toFile())) {
      assertThat(content(jar, POD_TEMPLATE)).isEqualTo(POD_TEMPLATE.in(sample()));
      assertThat(content(jar, SCALA)).asString().isEqualTo("scala:");
    }
  }

  @Test
  void offerFlinkALoaderOfItsRpcSystem() throws Exception {
    lay(kubernetes(sample()), core("scala."));

    try (URLClassLoader flink = new URLClassLoader(new URL[] {target().toUri().toURL()})) {
      assertThat(ServiceLoader.load(RpcSystemLoader.class, flink))
          .singleElement()
          .extracting(RpcSystemLoader::getLoadPriority, INTEGER)
          .as("Flink takes the lowest, and its own has 0")
          .isNegative();
    }
  }

  /** The heap of a local node is small. */
  @Test
  void holdNoRpcSystemInMemory() throws Exception {
    List<Path> jars = List.of(FlinkJars.rpcSystem(folder, "x".repeat(20_000_000)));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    LocalNodeClasses.layRpcSystem(jars, folder);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2_000_000);
    assertThat(folder.resolve("flink-rpc-akka.jar")).hasSize(20_000_000);
  }

  @Test
  void takeTheRpcSystemOutOfItsLoader() throws Exception {
    LocalNodeClasses.layRpcSystem(List.of(FlinkJars.rpcSystem(folder, "pekko")), folder);

    assertThat(folder.resolve("flink-rpc-akka.jar")).hasContent("pekko");
  }

  @Test
  void saySoWhenAFlinkIsAnother() throws IOException {
    assertThatThrownBy(() -> lay(kubernetes(POD_TEMPLATE.in(sample())), core("scala.")))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("flink-kubernetes-9.8.1.jar has no /opt/flink/pod-template");
    assertThatThrownBy(() -> lay(kubernetes(sample()), core("")))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("flink-core-9.8.1.jar has no scala.");
  }

  @Test
  void saySoWhenMavenBroughtNoFlink() {
    assertThatThrownBy(() -> LocalNodeClasses.layRpcSystem(List.of(Path.of("a.jar")), folder))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("Maven resolved no flink-rpc-akka-loader-*, only [a.jar]");
  }

  private Path target() {
    return folder.resolve("local-node.jar");
  }

  private void lay(Path... jars) throws IOException, ImagePullException {
    LocalNodeClasses.lay(List.of(jars), target());
  }

  private Path kubernetes(byte[] classFile) throws IOException {
    return FlinkJars.of(POD_TEMPLATE, folder, classFile);
  }

  private Path core(String classFile) throws IOException {
    return FlinkJars.of(SCALA, folder, classFile.getBytes(UTF_8));
  }

  private static byte[] content(JarFile jar, LocalNodeClasses.Change change) throws IOException {
    return jar.getInputStream(jar.getJarEntry(change.classFile())).readAllBytes();
  }

  private static byte[] sample() throws IOException {
    String name = Sample.class.getName();
    try (InputStream in =
        Sample.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      return in == null ? new byte[0] : in.readAllBytes();
    }
  }

  private static Class<?> define(byte[] classFile) {
    return new ClassLoader(null) {
      Class<?> define() {
        return defineClass(Sample.class.getName(), classFile, 0, classFile.length);
      }
    }.define();
  }
}
