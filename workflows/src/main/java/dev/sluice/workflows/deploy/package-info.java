/** The first deployment of a resource. */
@NullMarked
package dev.sluice.workflows.deploy;

import org.jspecify.annotations.NullMarked;
