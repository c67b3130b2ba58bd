/** Reads FlinkDeployments and writes the part of their status that belongs to the workflow. */
@NullMarked
package dev.sluice.activities.resource;

import org.jspecify.annotations.NullMarked;
