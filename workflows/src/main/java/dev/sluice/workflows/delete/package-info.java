/** The end of a resource and of all it made. */
@NullMarked
package dev.sluice.workflows.delete;

import org.jspecify.annotations.NullMarked;
