package dev.sluice.local.node.image;

/** What stands behind an image name: something the local node can start as a process. */
public sealed interface Image permits ProcessImage, FlinkImage {}
