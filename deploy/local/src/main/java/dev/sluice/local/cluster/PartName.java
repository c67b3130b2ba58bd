package dev.sluice.local.cluster;

import java.util.Arrays;
import java.util.Optional;

/** The processes a cluster is made of, in the order in which they start. */
public enum PartName {
  ETCD("etcd"),
  TEMPORAL("temporal"),
  KUBE_APISERVER("kube-apiserver"),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager"),
  NODE("node");

  private final String text;

  PartName(String text) {
    this.text = text;
  }

  /** The part called {@code text} on the command line; empty when there is none. */
  public static Optional<PartName> of(String text) {
    return Arrays.stream(values()).filter(name -> name.text.equals(text)).findFirst();
  }

  /** As on the command line, in file names and in messages. */
  @Override
  public String toString() {
    return text;
  }
}
