/**
 * What all kinds of resources have in common for activities, and the seam behind which each kind
 * keeps what is particular to it.
 */
@NullMarked
package dev.sluice.activities.resource;

import org.jspecify.annotations.NullMarked;
