package dev.sluice.local.parts;

import java.nio.file.Path;

/**
 * A binary that can be run.
 *
 * @param path in the cache: the binary, or a link to one on PATH
 * @param version what it says it is
 * @param origin where it came from, in words
 */
public record ResolvedTool(Tool tool, Path path, Version version, String origin) {}
