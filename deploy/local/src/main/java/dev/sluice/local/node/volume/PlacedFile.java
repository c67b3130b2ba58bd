package dev.sluice.local.node.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
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

  /** The POSIX permissions of the low nine bits. */
  static Set<PosixFilePermission> permissions(int mode) {
    String letters = "rwxrwxrwx";
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 9; bit++) {
      text.append((mode >> (8 - bit) & 1) == 1 ? letters.charAt(bit) : '-');
    }
    return EnumSet.copyOf(withOwnerRead(PosixFilePermissions.fromString(text.toString())));
  }

  private static Set<PosixFilePermission> withOwnerRead(Set<PosixFilePermission> permissions) {
    permissions.add(PosixFilePermission.OWNER_READ);
    return permissions;
  }
}
