/** Addresses of pods, and the names of Services in the hosts file that every JVM resolves from. */
@NullMarked
package dev.sluice.local.node.service;

import org.jspecify.annotations.NullMarked;
