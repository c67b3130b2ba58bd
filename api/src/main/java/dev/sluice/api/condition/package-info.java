/** Condition types, reasons and event reasons: part of the API, safe to script against. */
@NullMarked
package dev.sluice.api.condition;

import org.jspecify.annotations.NullMarked;
