package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.application.Colour;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One version of an application, without its spec, which is in the status next to it.
 *
 * @param hash as in names, in the label {@code flink-app-hash}, and in {@code status.deployHash}
 * @param fullHash what specs are compared by; null for one that Lyft's operator has deployed from a
 *     spec that is not known
 * @param cluster name of its cluster, {@code <application>-<hash>} of the version that it was made
 *     for: in place, a later version is on the cluster of an earlier one
 * @param colour null in mode Dual
 * @param generation of its spec
 * @param jobId of its job; null before one is recorded to be started
 * @param adopted whether Lyft's operator has made its cluster
 */
public record VersionRef(
    String hash,
    @Nullable String fullHash,
    String cluster,
    @Nullable Colour colour,
    long generation,
    @Nullable String jobId,
    boolean adopted) {

  /** The same, whose job is that. */
  public VersionRef running(@Nullable String job) {
    return new VersionRef(hash, fullHash, cluster, colour, generation, job, adopted);
  }

  /**
   * {@code orders-1a2b3c4d5e (green)}, the form people read; in place, {@code 5f6a7b8c9d on
   * orders-1a2b3c4d5e}.
   */
  @JsonIgnore
  public String display() {
    String name = cluster.endsWith("-" + hash) ? cluster : hash + " on " + cluster;
    return colour == null ? name : name + " (" + colour.wire() + ")";
  }

  /** Several of them, for people. */
  static String display(List<VersionRef> versions) {
    return versions.stream().map(VersionRef::display).collect(Collectors.joining(", "));
  }
}
