/**
 * Operations as the controllers of all kinds see them: decisions, the requests of users, and the
 * calls to Temporal. No kind is known here.
 */
@NullMarked
package dev.sluice.controller.operation;

import org.jspecify.annotations.NullMarked;
