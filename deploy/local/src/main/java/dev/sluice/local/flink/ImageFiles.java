package dev.sluice.local.flink;

import dev.sluice.local.jvm.SmallJvm;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.os.Resources;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What every Flink image here has beside Flink: the scripts that stand in for {@code
 * /docker-entrypoint.sh} and those it calls, and the sample job in usrlib. They are laid out in
 * folders of the cache that are named by their content: a new build with others gets a folder of
 * its own, so pods that run keep theirs.
 */
final class ImageFiles {

  static final String JOB = "counter-job.jar";

  private static final String JOB_CLASS = "/dev/sluice/sample/CounterJob.class";
  private static final List<String> SCRIPTS =
      List.of(
          "docker-entrypoint.sh",
          "kubernetes-jobmanager.sh",
          "kubernetes-taskmanager.sh",
          "flink-process.sh",
          "jvm.args",
          "log4j-console.properties");

  private final Path root;
  private final @Nullable Path builtJob;

  /**
   * @param builtJob the sample job's jar that the build made; null when there is none
   */
  ImageFiles(CacheDirectory cache, @Nullable Path builtJob) {
    this.root = cache.root().resolve("flink");
    this.builtJob = builtJob;
  }

  /**
   * The sample job's jar on this program's class path; null when the class path holds its classes
   * only as a folder.
   */
  static @Nullable Path builtJob() {
    URL main = ImageFiles.class.getResource(JOB_CLASS);
    String location = main == null ? "" : main.toString();
    return location.startsWith("jar:")
        ? Path.of(URI.create(location.substring("jar:".length(), location.indexOf("!/"))))
        : null;
  }

  Path scripts() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String script : SCRIPTS) {
      files.put(script, resource("shims/" + script));
    }
    files.put("jvm.security", SmallJvm.nameCache().getBytes(StandardCharsets.UTF_8));
    return store("shims", files);
  }

  /**
   * The sample job's jar, under its name in usrlib.
   *
   * @throws ImagePullException when it was not built
   */
  Path job() throws IOException, ImagePullException {
    if (builtJob == null || !Files.isRegularFile(builtJob)) {
      throw new ImagePullException("The sample job is not built. Run 'mvn package'.", null);
    }
    return store("sample-job", Map.of(JOB, Files.readAllBytes(builtJob))).resolve(JOB);
  }

  /** A file that comes with this package. */
  static byte[] resource(String name) throws IOException {
    return Resources.bytes(ImageFiles.class, name);
  }

  private Path store(String kind, Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    files.values().forEach(all::writeBytes);
    Path folder = root.resolve(kind).resolve(Fingerprint.of(all.toByteArray()));
    if (Files.isDirectory(folder)) {
      return folder;
    }
    Files.createDirectories(folder.getParent());
    Path draft = Files.createTempDirectory(folder.getParent(), ".");
    try {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path target = Files.write(draft.resolve(file.getKey()), file.getValue());
        String rights = file.getKey().endsWith(".sh") ? "rwxr-xr-x" : "rw-r--r--";
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(rights));
      }
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // another process may have made the same folder meanwhile
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    } finally {
      Trees.delete(draft);
    }
    return folder;
  }
}
