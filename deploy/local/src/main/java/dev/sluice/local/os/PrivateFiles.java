package dev.sluice.local.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only their owner can read: they never get wider rights. */
public final class PrivateFiles {

  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  public static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
    Files.setPosixFilePermissions(folder, FOLDER);
  }

  /** Writes the whole file or nothing; leaves it alone when it says the same already. */
  public static void write(Path file, String text) throws IOException {
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    Trees.write(file, text.getBytes(StandardCharsets.UTF_8), 0600);
  }
}
