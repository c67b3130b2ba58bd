/**
 * The Kubernetes objects of a Flink cluster, as pure functions of the frozen spec: no I/O, no
 * clock, no Flink code.
 */
@NullMarked
package dev.sluice.activities.manifest.cluster;

import org.jspecify.annotations.NullMarked;
