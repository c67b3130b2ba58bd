/** Kubernetes events on the resources. */
@NullMarked
package dev.sluice.activities.event;

import org.jspecify.annotations.NullMarked;
