/**
 * Operations as the controllers of all kinds see them: what is to be done, what people asked for,
 * and the calls to Temporal. No kind is known here.
 */
@NullMarked
package dev.sluice.controller.operation;

import org.jspecify.annotations.NullMarked;
