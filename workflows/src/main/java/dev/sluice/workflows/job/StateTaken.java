package dev.sluice.workflows.job;

import org.jspecify.annotations.Nullable;

/**
 * @param path of the savepoint or checkpoint; null when the job has none
 * @param how one line: how it was found, e.g. {@code savepoint in 0.4 s}
 */
public record StateTaken(@Nullable String path, String how) {}
