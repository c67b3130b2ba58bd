/** What the lanes of snapshots do: see {@code dev.sluice.workflows.snapshot}. */
@NullMarked
package dev.sluice.activities.snapshot;

import org.jspecify.annotations.NullMarked;
