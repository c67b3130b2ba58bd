@NullMarked
package dev.sluice.local.node.container;

import org.jspecify.annotations.NullMarked;
