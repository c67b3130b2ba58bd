/** What a workflow reads from and writes to the resource itself. */
@NullMarked
package dev.sluice.workflows.resource;

import org.jspecify.annotations.NullMarked;
