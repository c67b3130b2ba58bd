/** The edge to Kubernetes: events in, decisions and statuses out. */
@NullMarked
package dev.sluice.controller.reconcile;

import org.jspecify.annotations.NullMarked;
