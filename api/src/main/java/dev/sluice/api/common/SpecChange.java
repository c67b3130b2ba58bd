package dev.sluice.api.common;

import org.jspecify.annotations.Nullable;

/**
 * One field that differs between two specs.
 *
 * @param path where, for example {@code spec.flinkConfiguration.taskmanager.numberOfTaskSlots}
 * @param kind what it asks for
 * @param from the old value as text, masked when it may be a secret; null when it was not given
 * @param to the new value as text, masked when it may be a secret; null when it is not given
 */
public record SpecChange(String path, DiffKind kind, @Nullable String from, @Nullable String to) {

  /** As text: {@code spec.image: flink:1.19 -> flink:1.20}. */
  @Override
  public String toString() {
    return path + ": " + (from == null ? "(none)" : from) + " -> " + (to == null ? "(none)" : to);
  }
}
