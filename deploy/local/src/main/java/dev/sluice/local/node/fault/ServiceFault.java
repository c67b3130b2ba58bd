package dev.sluice.local.node.fault;

/** What a Service's address does instead of forwarding. */
public enum ServiceFault {
  /** Takes connections and bytes, open connections too, and passes nothing on until it ends. */
  STALL,
  /** Cuts open connections and refuses new ones. */
  DROP
}
