/** Who works when: one thing at a time per pod, many pods at once, few threads. */
@NullMarked
package dev.sluice.local.node.loop;

import org.jspecify.annotations.NullMarked;
