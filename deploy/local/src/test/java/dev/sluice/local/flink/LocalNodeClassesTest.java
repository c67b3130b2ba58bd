package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.node.image.ImagePullException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalNodeClassesTest {

  private static final String CLASS = "org/apache/flink/kubernetes/utils/KubernetesUtils.class";

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
    Class<?> changed = define(LocalNodeClasses.withRelativePath(sample()));

    String path = (String) changed.getDeclaredMethod("text").invoke(null);
    assertThat(Path.of(path).normalize()).isEqualTo(Path.of("pod-template"));
    assertThat(changed.getDeclaredMethod("rest", long.class).invoke(null, 7L))
        .isEqualTo(Sample.rest(7));
  }

  @Test
  void areLaidInAJarOfTheirOwn() throws Exception {
    Path target = folder.resolve("local-node.jar");

    LocalNodeClasses.lay(flink(sample()), target);

    try (JarFile jar = new JarFile(target.toFile())) {
      assertThat(jar.stream().map(JarEntry::getName)).containsExactly(CLASS);
      assertThat(jar.getInputStream(jar.getJarEntry(CLASS)).readAllBytes())
          .isEqualTo(LocalNodeClasses.withRelativePath(sample()));
    }
  }

  @Test
  void saySoWhenAFlinkHasItsPathElsewhere() throws IOException {
    Path flink = flink(LocalNodeClasses.withRelativePath(sample()));

    assertThatThrownBy(() -> LocalNodeClasses.lay(flink, folder.resolve("local-node.jar")))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("flink-kubernetes-9.8.1.jar has no path /opt/flink/pod-template");
  }

  private Path flink(byte[] kubernetesUtils) throws IOException {
    Path jar = folder.resolve("flink-kubernetes-9.8.1.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(CLASS));
      out.write(kubernetesUtils);
    }
    return jar;
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
