/**
 * The controller of FlinkDeployments: what is to be done, decided from what was observed, and what
 * the status is to say.
 */
@NullMarked
package dev.sluice.controller.deployment;

import org.jspecify.annotations.NullMarked;
