package dev.sluice.activities.artifact;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may be fetched, and how.
 *
 * @param limits of a fetch
 * @param sources from where
 * @param folder for temporary files; made if it is not there
 */
public record ArtifactOptions(Limits limits, Sources sources, Path folder) {

  /**
   * Limits of a fetch.
   *
   * @param maxBytes of an artifact
   * @param atMost how long a fetch may take in all, with its redirects
   * @param redirects how many of them are followed
   * @param fetches at a time; others wait
   */
  public record Limits(long maxBytes, Duration atMost, int redirects, int fetches) {}

  /**
   * From where artifacts may come.
   *
   * @param http whether from servers without TLS
   * @param addresses of servers
   * @param folders of this process whose files may be used; none if empty
   * @param headers file with headers by host, see {@link HostHeaders}; null for none
   */
  public record Sources(
      boolean http, AddressRules addresses, List<Path> folders, @Nullable Path headers) {

    public Sources {
      folders = List.copyOf(folders);
    }
  }
}
