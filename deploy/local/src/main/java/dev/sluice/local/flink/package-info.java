/** Real Flink without containers: homes from Maven, and scripts that stand in for the image's. */
@NullMarked
package dev.sluice.local.flink;

import org.jspecify.annotations.NullMarked;
