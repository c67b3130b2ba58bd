/** Decides, from one observation, how a resource gets to its target. Pure. */
@NullMarked
package dev.sluice.workflows.plan;

import org.jspecify.annotations.NullMarked;
