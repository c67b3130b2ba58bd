/** Observes resources and writes the part of their status that belongs to the workflow. */
@NullMarked
package dev.sluice.activities.status;

import org.jspecify.annotations.NullMarked;
