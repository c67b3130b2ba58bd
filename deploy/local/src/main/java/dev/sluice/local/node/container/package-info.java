/**
 * From a container of a pod's spec to the process to start: its paths, environment, command and
 * rights.
 */
@NullMarked
package dev.sluice.local.node.container;

import org.jspecify.annotations.NullMarked;
