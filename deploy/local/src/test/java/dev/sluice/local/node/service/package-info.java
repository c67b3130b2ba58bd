@NullMarked
package dev.sluice.local.node.service;

import org.jspecify.annotations.NullMarked;
