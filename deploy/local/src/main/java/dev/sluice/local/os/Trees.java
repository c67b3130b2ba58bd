package dev.sluice.local.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Files and folders. Links are never followed: what they point to belongs to somebody else. */
public final class Trees {
  private Trees() {}

  /** What is in a folder and fits a glob, by name; nothing when there is no such folder. */
  public static List<Path> list(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(found::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return found; // or no more: somebody else may delete it at the same time
    }
    found.sort(null);
    return found;
  }

  /** Deletes a file, a link or a folder with all in it; nothing when it is not there. */
  public static void delete(Path tree) throws IOException {
    if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(tree)) {
        for (Path entry : entries) {
          delete(entry);
        }
      } catch (NoSuchFileException e) {
        return; // somebody else was quicker
      }
    }
    Files.deleteIfExists(tree);
  }

  /** Makes the same folders below {@code to}, with a link for each file. */
  public static void mirror(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
      for (Path entry : entries) {
        Path twin = to.resolve(entry.getFileName().toString());
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          mirror(entry, twin);
        } else {
          link(twin, entry);
        }
      }
    }
  }

  /** Puts a link in place of whatever is there, making the folder it lies in. */
  public static void link(Path link, Path target) throws IOException {
    delete(link);
    Files.createDirectories(folder(link));
    Files.createSymbolicLink(link, target);
  }

  /**
   * Writes a file whole, making its folder; a reader sees either the old content or the new one.
   *
   * @param mode permission bits, such as 0600; no other user can read it before it has them, and
   *     the owner always can
   */
  public static void write(Path file, byte[] bytes, int mode) throws IOException {
    Files.createDirectories(folder(file));
    Path next = Files.createTempFile(folder(file), "." + file.getFileName(), ".new");
    try {
      Files.write(next, bytes);
      Files.setAttribute(next, "unix:mode", mode | 0400);
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** Writes a file that only its owner can read; leaves it alone when it says the same already. */
  public static void writePrivate(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      write(file, text.getBytes(StandardCharsets.UTF_8), 0600);
    }
  }

  /** Makes a folder that only its owner can read; one that is there is so from now on. */
  public static void createPrivateFolder(Path folder) throws IOException {
    var rights = PosixFilePermissions.fromString("rwx------");
    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(rights));
    Files.setPosixFilePermissions(folder, rights);
  }

  /** The folder that a file lies in. */
  public static Path folder(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IllegalArgumentException(file + " lies in no folder");
    }
    return folder;
  }
}
