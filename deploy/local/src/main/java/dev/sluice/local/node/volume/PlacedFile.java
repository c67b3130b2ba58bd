package dev.sluice.local.node.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Writes files so that a reader sees either the old content or the new one. */
public final class PlacedFile {
  private PlacedFile() {}

  /**
   * Writes a file whole, making its folder.
   *
   * @param mode permission bits, such as 0600; no other user can read it before it has them
   */
  public static void write(Path file, byte[] bytes, int mode) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path next = Files.createTempFile(folder, "." + file.getFileName(), ".new");
    Files.write(next, bytes);
    Files.setPosixFilePermissions(next, permissions(mode));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The POSIX permissions of the low nine bits; the owner can always read. */
  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.of(PosixFilePermission.OWNER_READ);
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      if ((mode >> (8 - permission.ordinal()) & 1) == 1) {
        permissions.add(permission);
      }
    }
    return permissions;
  }
}
