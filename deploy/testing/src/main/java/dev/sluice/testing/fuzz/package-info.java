/**
 * Custom resources with values that nobody expects, made from good ones and the schema of their
 * kind. Knows no kind by itself, so that every module and every kind can use it.
 */
@NullMarked
package dev.sluice.testing.fuzz;

import org.jspecify.annotations.NullMarked;
