/**
 * Real Flink without containers: homes resolved from Maven, scripts that stand in for the image's,
 * and the sample job and its counts.
 */
@NullMarked
package dev.sluice.local.flink;

import org.jspecify.annotations.NullMarked;
