@NullMarked
package dev.sluice.local.node.probe;

import org.jspecify.annotations.NullMarked;
