/** Back to the last stable spec, from the state that was taken. */
@NullMarked
package dev.sluice.workflows.rollback;

import org.jspecify.annotations.NullMarked;
