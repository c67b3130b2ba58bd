package dev.sluice.worker;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.AddressRules.Network;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.artifact.ArtifactOptions.Limits;
import dev.sluice.activities.artifact.ArtifactOptions.Sources;
import dev.sluice.bootstrap.Settings;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the worker for the jars of session jobs: {@code SLUICE_ARTIFACT_MAX_MIB}, {@code
 * _TIMEOUT}, {@code _REDIRECTS} and {@code _FETCHES} limit a fetch; {@code SLUICE_ARTIFACT_HTTP},
 * {@code _NETWORKS}, {@code _FOLDERS} and {@code _HEADERS} say from where; {@code
 * SLUICE_ARTIFACT_TMP} is where they are kept meanwhile.
 */
final class ArtifactSettings {

  private static final String NETWORKS = "SLUICE_ARTIFACT_NETWORKS";
  private static final String FOLDERS = "SLUICE_ARTIFACT_FOLDERS";
  private static final String HEADERS = "SLUICE_ARTIFACT_HEADERS";
  private static final String TMP = "SLUICE_ARTIFACT_TMP";

  private ArtifactSettings() {}

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  static ArtifactOptions from(Settings settings) {
    return new ArtifactOptions(
        new Limits(
            (long) settings.integer("SLUICE_ARTIFACT_MAX_MIB", 512, 1, 16_384) << 20,
            settings.duration(
                "SLUICE_ARTIFACT_TIMEOUT",
                Duration.ofMinutes(5),
                Duration.ofSeconds(1),
                Duration.ofHours(1)),
            settings.integer("SLUICE_ARTIFACT_REDIRECTS", 5, 0, 20),
            settings.integer("SLUICE_ARTIFACT_FETCHES", 4, 1, 64)),
        new Sources(
            settings.flag("SLUICE_ARTIFACT_HTTP", false),
            new AddressRules(networks(settings)),
            folders(settings),
            headers(settings)),
        tmp(settings));
  }

  private static List<Network> networks(Settings settings) {
    try {
      return settings.list(NETWORKS).stream().map(Network::parse).toList();
    } catch (IllegalArgumentException wrong) {
      settings.problem(
          NETWORKS, "networks and addresses such as 10.0.0.0/8, fd00::/8 or 10.1.2.3, by commas");
      return List.of();
    }
  }

  private static List<Path> folders(Settings settings) {
    List<Optional<Path>> folders =
        settings.list(FOLDERS).stream().map(ArtifactSettings::absolute).toList();
    if (folders.stream().anyMatch(Optional::isEmpty)) {
      settings.problem(FOLDERS, "absolute paths of folders, by commas");
    }
    return folders.stream().flatMap(Optional::stream).toList();
  }

  private static @Nullable Path headers(Settings settings) {
    String text = settings.optionalText(HEADERS);
    if (text == null) {
      return null;
    }
    Optional<Path> file = absolute(text).filter(Files::isReadable);
    if (file.isEmpty()) {
      settings.problem(HEADERS, "the absolute path of a file that can be read");
    }
    return file.orElse(null);
  }

  private static Path tmp(Settings settings) {
    Path usual =
        Path.of(Objects.requireNonNull(System.getProperty("java.io.tmpdir")), "sluice-artifacts");
    String text = settings.optionalText(TMP);
    if (text == null) {
      return usual;
    }
    return absolute(text)
        .orElseGet(
            () -> {
              settings.problem(TMP, "the absolute path of a folder");
              return usual;
            });
  }

  private static Optional<Path> absolute(String text) {
    try {
      return Optional.of(Path.of(text)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
