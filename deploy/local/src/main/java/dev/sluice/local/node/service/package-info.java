/** Addresses and names: of pods, of Services, and the hosts file that every JVM resolves from. */
@NullMarked
package dev.sluice.local.node.service;

import org.jspecify.annotations.NullMarked;
