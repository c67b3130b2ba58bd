/**
 * What a container is made of, as files and a process of this machine: its image ({@link
 * dev.sluice.local.node.container.Image}), its volumes, its environment, put together by {@link
 * dev.sluice.local.node.container.Preparation}.
 */
@NullMarked
package dev.sluice.local.node.container;

import org.jspecify.annotations.NullMarked;
