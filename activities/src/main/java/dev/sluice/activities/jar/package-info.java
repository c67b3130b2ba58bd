/** Starts jobs on session clusters: the jar is fetched, uploaded and run. */
@NullMarked
package dev.sluice.activities.jar;

import org.jspecify.annotations.NullMarked;
