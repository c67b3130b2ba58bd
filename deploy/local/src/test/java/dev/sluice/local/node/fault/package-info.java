@NullMarked
package dev.sluice.local.node.fault;

import org.jspecify.annotations.NullMarked;
