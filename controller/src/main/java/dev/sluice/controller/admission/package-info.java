/**
 * The admission webhook: the API server asks before it stores a spec, and is told what the
 * reconciler of its kind would say. Knows no kind.
 */
@NullMarked
package dev.sluice.controller.admission;

import org.jspecify.annotations.NullMarked;
