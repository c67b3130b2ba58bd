/** Changes the parallelism of a job that runs, and what its cluster was made from with it. */
@NullMarked
package dev.sluice.activities.rescale;

import org.jspecify.annotations.NullMarked;
