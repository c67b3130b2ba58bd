/**
 * What is changed in place, while the job goes on and without an operation: the Ingress, labels and
 * annotations of Services, and the number of TaskManagers in reactive mode.
 */
@NullMarked
package dev.sluice.controller.inplace;

import org.jspecify.annotations.NullMarked;
