@NullMarked
package dev.sluice.local.node.logs;

import org.jspecify.annotations.NullMarked;
