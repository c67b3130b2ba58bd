/**
 * What is changed in place, while the job goes on and without an operation: the Ingress, and labels
 * and annotations of Services.
 */
@NullMarked
package dev.sluice.controller.inplace;

import org.jspecify.annotations.NullMarked;
