/** The reconciler of FlinkApplication: what is observed, what is decided, what its status says. */
@NullMarked
package dev.sluice.controller.application;

import org.jspecify.annotations.NullMarked;
