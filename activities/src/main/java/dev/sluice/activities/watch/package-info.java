/** Waiting without threads: activities that are completed when something becomes true. */
@NullMarked
package dev.sluice.activities.watch;

import org.jspecify.annotations.NullMarked;
