package dev.sluice.local.parts;

import java.util.Locale;

/**
 * Operating system and processor, named as Go and Kubernetes name them.
 *
 * @param os such as {@code linux}
 * @param arch such as {@code amd64} or {@code arm64}
 */
public record Platform(String os, String arch) {

  /**
   * The machine this runs on. Unknown names are kept as they are: releases for them won't exist.
   */
  public static Platform current() {
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  static Platform of(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String arch = osArch.toLowerCase(Locale.ROOT);
    return new Platform(
        os.startsWith("mac") ? "darwin" : os,
        switch (arch) {
          case "x86_64", "amd64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> arch;
        });
  }

  @Override
  public String toString() {
    return os + "-" + arch;
  }
}
