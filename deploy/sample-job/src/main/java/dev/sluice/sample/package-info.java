/**
 * The sample job: counts per key and checks itself at every element, so that a test, a demo or a
 * person can tell lost or doubled state after an upgrade. Flags give it faults, and shapes that an
 * operator has to cope with: sources that end, a batch job, no slots. {@code
 * deploy/local/examples/README.md} lists them. Uses only API that Flink 1.20 and 2.x have in
 * common.
 */
@NullMarked
package dev.sluice.sample;

import org.jspecify.annotations.NullMarked;
