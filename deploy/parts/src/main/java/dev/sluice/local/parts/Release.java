package dev.sluice.local.parts;

/**
 * An official release on the internet. In all templates {@code {v}} stands for the version, {@code
 * {os}} and {@code {arch}} for the platform.
 *
 * @param url the binary itself, or a {@code .tar.gz} with it
 * @param checksumUrl its published SHA-256: the bare hash, or lines of hash and file name
 * @param member the binary's path inside the archive; empty when {@code url} is the binary
 */
record Release(String url, String checksumUrl, String member) {

  static Release binary(String url, String checksumUrl) {
    return new Release(url, checksumUrl, "");
  }

  /** This release with the templates filled in. */
  Release of(Version version, Platform platform) {
    return new Release(
        fill(url, version, platform),
        fill(checksumUrl, version, platform),
        fill(member, version, platform));
  }

  String fileName() {
    return url.substring(url.lastIndexOf('/') + 1);
  }

  private static String fill(String template, Version version, Platform platform) {
    return template
        .replace("{v}", version.toString())
        .replace("{os}", platform.os())
        .replace("{arch}", platform.arch());
  }
}
