package dev.sluice.local.parts;

/** Binaries of the laptop cluster and of tests; {@code fetch.sh} knows where each comes from. */
public enum Tool {
  ETCD("etcd", "3.6.4"),
  KUBE_APISERVER("kube-apiserver", "1.34.2"),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager", "1.34.2"),
  KUBECTL("kubectl", "1.34.2"),
  TEMPORAL("temporal", "1.5.1"),
  /** Of the tests of the chart: the laptop cluster applies what was rendered before. */
  HELM("helm", "3.19.5");

  private final String binary;
  private final String version;

  Tool(String binary, String version) {
    this.binary = binary;
    this.version = version;
  }

  /** The file name, such as {@code kube-apiserver}. */
  public String binary() {
    return binary;
  }

  /** The version that is built and tested; a newer patch release on PATH fits too. */
  public String version() {
    return version;
  }
}
