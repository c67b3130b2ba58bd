@NullMarked
package dev.sluice.local.node.proxy;

import org.jspecify.annotations.NullMarked;
