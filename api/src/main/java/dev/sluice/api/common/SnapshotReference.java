package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkStateSnapshot that a job starts from, as FLIP-446 has it.
 *
 * @param namespace of the snapshot; null for that of the resource that refers to it
 * @param name of the snapshot; null where only the path is given
 * @param path where the snapshot is; null until the snapshot was looked up
 */
@JsonRecord
public record SnapshotReference(
    @JsonPropertyDescription("Its namespace. Default: that of this resource.") @Size(max = 253)
        @Nullable String namespace,
    @JsonPropertyDescription("Its name.") @Size(max = 253) @Nullable String name,
    @JsonPropertyDescription("Its path. Where it is given, the snapshot is not looked up.")
        @Nullable String path) {

  /** A blank field says nothing. */
  public SnapshotReference {
    namespace = orNull(namespace);
    name = orNull(name);
    path = orNull(path);
  }

  /** Whether both name the same snapshot, found or not. */
  public boolean hasSameName(@Nullable SnapshotReference other) {
    return other != null
        && Objects.equals(namespace, other.namespace)
        && Objects.equals(name, other.name);
  }

  /** What the API server is to be asked for: it has a name, and no path. */
  @JsonIgnore
  public boolean isToBeLookedUp() {
    return name != null && path == null;
  }

  /** Whether Kubernetes can have a snapshot of that name. */
  @JsonIgnore
  public boolean isNamedWell() {
    return (name == null || KubernetesNames.isDnsSubdomain(name))
        && (namespace == null || KubernetesNames.isDnsSubdomain(namespace));
  }

  /** {@code namespace/name}, without what is not given. */
  public String display() {
    return Stream.of(namespace, name).filter(Objects::nonNull).collect(Collectors.joining("/"));
  }

  private static @Nullable String orNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }

  /** The same, found at that path. */
  public SnapshotReference at(String found) {
    return new SnapshotReference(namespace, name, found);
  }
}
