/** Waiting without threads: activities that are completed when something becomes true. */
@NullMarked
package dev.sluice.activities.async;

import org.jspecify.annotations.NullMarked;
