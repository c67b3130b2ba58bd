package dev.sluice.local.node.volume;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Whole folders. Links are never followed: what they point to belongs to somebody else. */
public final class Trees {
  private Trees() {}

  /** Deletes a file, a link or a folder with all in it; nothing when it is not there. */
  public static void delete(Path tree) throws IOException {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // a process of the pod was quicker
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Makes the same folders below {@code to}, with a link for each file. */
  public static void mirror(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            link(to.resolve(from.relativize(file).toString()), file);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Puts a link in place of whatever is there, making the folder it lies in. */
  public static void link(Path link, Path target) throws IOException {
    delete(link);
    Path folder = link.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.createSymbolicLink(link, target);
  }
}
