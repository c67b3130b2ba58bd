/** FlinkStateSnapshot: a savepoint or checkpoint of a job as a resource. */
@NullMarked
package dev.sluice.api.snapshot;

import org.jspecify.annotations.NullMarked;
