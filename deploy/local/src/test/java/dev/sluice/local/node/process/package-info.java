@NullMarked
package dev.sluice.local.node.process;

import org.jspecify.annotations.NullMarked;
