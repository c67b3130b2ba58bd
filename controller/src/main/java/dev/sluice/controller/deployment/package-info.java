/** What is to be done about a FlinkDeployment, decided from what was seen of it. Pure. */
@NullMarked
package dev.sluice.controller.deployment;

import org.jspecify.annotations.NullMarked;
