/** How activities read and write Kubernetes objects, and what its refusals mean. */
@NullMarked
package dev.sluice.activities.kubernetes;

import org.jspecify.annotations.NullMarked;
