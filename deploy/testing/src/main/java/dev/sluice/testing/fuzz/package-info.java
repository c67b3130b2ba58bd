/**
 * Custom resources with unexpected values, made from good ones and the schema of their kind. Knows
 * no kind by itself, so that every module and every kind can use it.
 */
@NullMarked
package dev.sluice.testing.fuzz;

import org.jspecify.annotations.NullMarked;
