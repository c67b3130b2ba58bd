/** The Services' ports: TCP forwarding by one thread, and the faults of a Service. */
@NullMarked
package dev.sluice.local.node.proxy;

import org.jspecify.annotations.NullMarked;
