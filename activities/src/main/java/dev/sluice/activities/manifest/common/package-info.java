/**
 * What the manifests of every Flink cluster share, whatever its kind and mode: configuration files,
 * ports, memory, pod templates, options with structure. Pure functions: no I/O, no clock, no Flink
 * code.
 */
@NullMarked
package dev.sluice.activities.manifest.common;

import org.jspecify.annotations.NullMarked;
