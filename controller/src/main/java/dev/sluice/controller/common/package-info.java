/**
 * What the controllers of all kinds share: identity, conditions, events, and writing a status. No
 * kind is known here.
 */
@NullMarked
package dev.sluice.controller.common;

import org.jspecify.annotations.NullMarked;
