package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalNodeClassesTest {

  private static final String CLASS = "org/apache/flink/kubernetes/utils/KubernetesUtils.class";

  /** Has constants of many kinds, long ones before the text too. */
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
  private FlinkHome home;

  @BeforeEach
  void home() throws IOException {
    home = new FlinkHome(new FlinkRelease("9.8.7", "9.8.0", "9.8.1"), folder);
    Files.createDirectories(home.lib());
  }

  @Test
  void lookForThePodTemplateInTheFolderTheyRunIn() throws Exception {
    Class<?> changed =
        define(LocalNodeClasses.withConstant(sample(), "/opt/flink/pod-template", "pod-template"));

    assertThat(call(changed, "text")).isEqualTo("pod-template");
    assertThat(changed.getDeclaredMethod("rest", long.class).invoke(null, 7L))
        .isEqualTo(Sample.rest(7));
  }

  @Test
  void areLeftAloneWhereTheConstantIsNot() throws IOException {
    assertThat(LocalNodeClasses.withConstant(sample(), "/opt/flink", "flink")).isEqualTo(sample());
  }

  @Test
  void areLaidInAJarOfTheirOwn() throws IOException {
    flink(sample());

    LocalNodeClasses.lay(home);

    assertThat(LocalNodeClasses.areLaid(home)).isTrue();
    try (JarFile jar = new JarFile(home.localNodeClasses().toFile())) {
      assertThat(jar.stream().map(JarEntry::getName)).containsExactly(CLASS);
    }
  }

  @Test
  void areNotMadeTwice() throws IOException {
    flink(sample());
    LocalNodeClasses.lay(home);
    byte[] before = Files.readAllBytes(home.localNodeClasses());
    flink(new byte[0]);

    LocalNodeClasses.lay(home);

    assertThat(Files.readAllBytes(home.localNodeClasses())).isEqualTo(before);
  }

  @Test
  void saySoWhenAFlinkHasItsPathElsewhere() throws IOException {
    flink(LocalNodeClasses.withConstant(sample(), "/opt/flink/pod-template", "elsewhere"));

    assertThatThrownBy(() -> LocalNodeClasses.lay(home))
        .isInstanceOf(FlinkHomeException.class)
        .hasMessageContaining("flink-kubernetes-9.8.1.jar has no path /opt/flink/pod-template");
    assertThat(LocalNodeClasses.areLaid(home)).isFalse();
  }

  private void flink(byte[] kubernetesUtils) throws IOException {
    Path jar = home.lib().resolve("flink-kubernetes-9.8.1.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(CLASS));
      out.write(kubernetesUtils);
    }
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

  private static Object call(Class<?> type, String method) throws ReflectiveOperationException {
    try {
      return type.getDeclaredMethod(method).invoke(null);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
