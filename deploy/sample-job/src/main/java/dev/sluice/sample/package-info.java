/**
 * The sample job: counts per key and checks itself at every element, so that a test, a demo or a
 * person can tell lost or doubled state after an upgrade. Uses only API that Flink 1.20 and 2.x
 * have in common.
 */
@NullMarked
package dev.sluice.sample;

import org.jspecify.annotations.NullMarked;
