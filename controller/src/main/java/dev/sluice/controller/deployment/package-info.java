/**
 * The controller of FlinkDeployments: what to do, decided from what was observed, and what the
 * status is to say.
 */
@NullMarked
package dev.sluice.controller.deployment;

import org.jspecify.annotations.NullMarked;
