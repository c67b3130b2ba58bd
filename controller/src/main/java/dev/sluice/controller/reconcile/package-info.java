/**
 * The reconciliation that all kinds share: observe, decide, project, publish, request. No kind is
 * known here.
 */
@NullMarked
package dev.sluice.controller.reconcile;

import org.jspecify.annotations.NullMarked;
